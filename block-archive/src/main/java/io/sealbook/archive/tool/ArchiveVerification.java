package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveFinding;
import io.sealbook.archive.ArchiveInspection;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.archive.proof.MembershipProofVerifier;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Durability;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One run over an archive. It prints a line for everything that is wrong and for each administrative transaction,
 * counts what is right, and says up to which block a quorum of nodes certified the chain.
 */
final class ArchiveVerification implements ArchiveInspection.Observer {
    private final ArchiveReader archive;
    private final Optional<Durability> durability;
    private final PrintWriter out;
    private final Progress progress;
    private final CertifiedBlocks certified = new CertifiedBlocks();
    private Optional<SignatureCheck> signatures = Optional.empty();
    private String whyUnchecked = "no --genesis given";
    private final long first;
    private Optional<Long> uncertifiedMax = Optional.empty();
    private long blocks;
    private long batches;
    private long certificates;
    private long faults;
    private Optional<Comparison> comparison = Optional.empty();

    /** What a run showed; the tool's exit code. */
    enum Outcome {
        /** Everything is right and proven. */
        PROVEN,
        /** Nothing is wrong, and not everything is proven. */
        UNPROVEN,
        /** Something is wrong. */
        WRONG
    }

    /**
     * @param durability what the caller says about the node: with {@link Durability#PROCESS} a loss of power explains
     *     what it can explain
     * @param from block that the verification begins with; those before it need not be here
     * @param out receives one line for each fact
     * @param err receives the progress
     */
    ArchiveVerification(
            ArchiveReader archive, Optional<Durability> durability, long from, PrintWriter out, PrintWriter err) {
        this.archive = archive;
        this.first = Math.max(from, archive.firstSequence());
        this.durability = durability;
        this.out = out;
        this.progress = new Progress(err, "block", archive.lastSequence());
    }

    /**
     * Has signatures checked by the keys of a genesis file. Without it nothing is proven.
     *
     * @param genesis if it is not the archive's own, that is a fault
     * @param verifier stays the caller's
     * @param uncertifiedMax blocks that may follow the last certificate, more are a fault; empty for fewer than the
     *     checkpoint interval in effect at the end
     */
    void checkSignatures(GenesisFile genesis, SignatureVerifier verifier, Optional<Long> uncertifiedMax) {
        if (!genesis.digest().equals(archive.genesisDigest())) {
            fault("genesis file has digest " + genesis.digest().hex() + ", the archive's is "
                    + archive.genesisDigest().hex());
            whyUnchecked = "the genesis file is another chain's";
            return;
        }
        this.uncertifiedMax = uncertifiedMax;
        try {
            signatures = Optional.of(new SignatureCheck(archive, first, genesis.genesis(), verifier, out));
        } catch (ChainViolationException e) {
            fault(e.getMessage());
            whyUnchecked = "the links to the administrative transactions are wrong";
        }
    }

    /**
     * Has every block and certificate compared with another archive.
     *
     * @param other stays the caller's; if it is another chain's, that is a fault
     */
    void compareWith(ArchiveReader other) {
        if (other.genesisDigest().equals(archive.genesisDigest())) {
            comparison = Optional.of(new ArchiveComparison(other, out, this::fault));
        } else {
            fault("the other archive has genesis digest "
                    + other.genesisDigest().hex() + ", this one "
                    + archive.genesisDigest().hex());
        }
    }

    /**
     * Has blocks compared with those that a membership proof names; comes after {@link #checkSignatures}.
     *
     * @param proof if it does not hold, that is a fault
     * @param genesis of the chain
     * @param verifier stays the caller's
     */
    void compareWith(MembershipProof proof, GenesisFile genesis, SignatureVerifier verifier) {
        try {
            new MembershipProofVerifier(genesis, verifier).verify(proof);
            comparison = Optional.of(new ProofComparison(proof, out, this::fault));
        } catch (IllegalArgumentException e) {
            fault("the membership proof does not hold: " + e.getMessage());
        }
    }

    /**
     * Reads everything from the first block on, and prints the findings and the counts.
     *
     * @param from block that must be here
     * @param isTailAllowed true if blocks after the last certificate, up to the limit, are no reason to call the
     *     archive unproven
     */
    Outcome run(long from, boolean isTailAllowed) {
        if (first > from) {
            fault("blocks " + from + ".." + (first - 1) + " are not here");
        }
        if (from > 1 && from > archive.lastSequence()) {
            fault("block " + from + " is not here: the archive ends with block " + archive.lastSequence());
        }
        ArchiveInspection.run(archive, first, this);
        long uncertified = judgeTail();
        out.println("blocks " + blocks);
        out.println("batches " + batches);
        out.println("certificates " + certificates);
        printMembership();
        out.println("certified " + certified + " of " + archive.lastSequence());
        if (uncertified > 0) {
            out.println("uncertified " + (archive.lastSequence() - uncertified + 1) + ".." + archive.lastSequence());
        }
        if (signatures.isEmpty()) {
            out.println("signatures not checked: " + whyUnchecked);
        }
        if (blocks == 0) {
            out.println("no block is here");
        }
        boolean isWhole =
                comparison.map(other -> other.printEnd(archive.lastSequence())).orElse(true);
        out.println("tornBytes " + archive.tornBytes());
        out.println("faults " + faults);
        if (faults > 0) {
            return Outcome.WRONG;
        }
        boolean isChecked =
                signatures.filter(check -> check.whyUnknown().isEmpty()).isPresent();
        boolean isProven = isChecked && isWhole && blocks > 0 && (uncertified == 0 || isTailAllowed);
        return isProven ? Outcome.PROVEN : Outcome.UNPROVEN;
    }

    private void printMembership() {
        signatures.flatMap(SignatureCheck::membership).ifPresent(membership -> {
            out.println("transactions " + membership.number());
            out.println("membershipDigest " + membership.digest().hex());
        });
        signatures.map(SignatureCheck::whyUnknown).filter(why -> !why.isEmpty()).ifPresent(out::println);
    }

    /** Returns the number of blocks after the last certified one. */
    private long judgeTail() {
        long firstUncertified = Math.max(certified.lastCertified() + 1, first);
        long uncertified = archive.lastSequence() - firstUncertified + 1;
        Optional<Long> max = signatures.flatMap(
                check -> check.uncertifiedMax().flatMap(known -> uncertifiedMax.or(() -> Optional.of(known))));
        if (max.isPresent() && uncertified > max.get()) {
            fault("blocks " + firstUncertified + ".." + archive.lastSequence() + " are certified by nothing: "
                    + uncertified + " blocks, expected at most " + max.get());
        }
        return uncertified;
    }

    @Override
    public void onFinding(ArchiveFinding finding) {
        boolean isExplained = switch (finding.kind().cause()) {
            case KILLED_PROCESS -> true;
            case LOSS_OF_POWER ->
                durability.filter(d -> d == Durability.PROCESS).isPresent();
            case DAMAGE -> false;
        };
        if (isExplained) {
            out.println("note " + finding.fact());
        } else if (finding.kind().cause() == ArchiveFinding.Cause.LOSS_OF_POWER) {
            fault(finding.fact() + "; damage, unless --durability process says that a loss of power did it");
        } else {
            fault(finding.fact());
        }
    }

    @Override
    public void onBlock(Block block) {
        long sequence = block.header().sequence();
        OptionalInt mismatch = BatchContent.firstMismatch(block);
        if (mismatch.isPresent()) {
            fault("block " + sequence + ": batch " + mismatch.getAsInt() + " is not the one its id names");
        }
        if (!block.hasItsTimes()) {
            fault("block " + sequence + ": the time beside a batch is not the block's");
        }
        signatures.ifPresent(check -> check.faults(block).forEach(this::fault));
        comparison.ifPresent(other -> other.onBlock(block));
        certified.addBlock(sequence);
        blocks++;
        batches += block.batchCount();
        progress.reached(sequence);
    }

    @Override
    public void onCertificate(CheckpointCertificate certificate) {
        certificates++;
        comparison.ifPresent(other -> other.onCertificate(certificate));
        signatures.flatMap(check -> check.signers(certificate)).ifPresent(signers -> {
            if (signers.areQuorum()) {
                certified.certify(certificate.sequence());
            } else {
                fault("certificate " + certificate.sequence() + ": valid signatures of nodes " + signers.nodes()
                        + ", expected of " + signers.quorum() + " nodes");
            }
        });
    }

    private void fault(String fact) {
        faults++;
        out.println("fault " + fact);
    }
}
