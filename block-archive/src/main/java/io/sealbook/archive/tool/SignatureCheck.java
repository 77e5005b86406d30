package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.AdministrativeEntry;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Genesis;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The signatures of batches and certificates along a run over an archive, each judged by the membership as of its
 * block. It executes the administrative transactions and prints what became of them, and where an epoch begins. After a
 * block that cannot be read and that holds some, the membership is not known, and no signature is judged.
 */
final class SignatureCheck {
    private final PrintWriter out;
    private final BrokerSignatures signatures;
    private final CertificateVerifier certificates;
    private MembershipPass pass;
    /** In effect for the last block that was taken. */
    private Membership lastMembership;
    /** The last administrative block whose transactions were executed. */
    private long administrationBlock;

    private long lastBlock;
    private int epoch;
    private String whyUnknown = "";

    /** The nodes whose signature under a certificate is valid, and how many are necessary. */
    record Signers(SortedSet<Integer> nodes, int quorum) {
        boolean areQuorum() {
            return nodes.size() >= quorum;
        }
    }

    /**
     * Begins with the membership as of a block.
     *
     * @param archive stays the caller's
     * @param first block that is checked
     * @param genesis of the chain
     * @param verifier stays the caller's
     * @param out receives a line for each transaction and each epoch
     * @throws io.sealbook.archive.ChainViolationException if a link leads to a block without transactions
     */
    SignatureCheck(ArchiveReader archive, long first, Genesis genesis, SignatureVerifier verifier, PrintWriter out) {
        this.out = out;
        this.signatures = new BrokerSignatures(verifier);
        this.certificates = new CertificateVerifier(verifier);
        this.pass = new MembershipPass(Membership.of(genesis));
        if (first > 1 && first <= archive.lastSequence()) {
            begin(archive, first, genesis);
        }
        this.lastMembership = pass.membership();
    }

    private void begin(ArchiveReader archive, long first, Genesis genesis) {
        try {
            MembershipHistory.AsOf start = new MembershipHistory(archive, genesis).asOf(first);
            start.entries().forEach(this::print);
            pass = new MembershipPass(start.membership());
            administrationBlock =
                    start.entries().isEmpty() ? 0 : start.entries().getLast().block();
        } catch (MembershipUnknownException | ArchiveException e) {
            becomeUnknown(first, e.getMessage());
        }
    }

    private void print(AdministrativeEntry entry) {
        out.println(entry.line());
        if (entry.after().epoch() != epoch) {
            epoch = entry.after().epoch();
            out.println("epoch " + Integer.toUnsignedString(epoch) + " from block "
                    + (entry.after().epochBlock() + 1));
        }
    }

    /**
     * Judges the next block and executes its transactions.
     *
     * @return one fact for each batch that is not signed as it must be
     */
    List<String> faults(Block block) {
        long named = block.header().administrationBlock();
        lastBlock = block.header().sequence();
        if (whyUnknown.isEmpty() && named > administrationBlock) {
            becomeUnknown(lastBlock, "block " + named + ", which holds administrative batches, could not be read");
        }
        if (!whyUnknown.isEmpty()) {
            return List.of();
        }
        lastMembership = pass.membership();
        List<String> faults = signatures.faults(block, lastMembership);
        pass.onBlock(block).forEach(this::print);
        administrationBlock = block.lastAdministrationBlock();
        return faults;
    }

    /**
     * Counts the nodes that signed a certificate, by those of its block's epoch.
     *
     * @param certificate of the block that {@link #faults} has just taken; another is not judged
     * @return empty if it is not judged
     */
    Optional<Signers> signers(CheckpointCertificate certificate) {
        return whyUnknown.isEmpty() && certificate.sequence() == lastBlock
                ? Optional.of(new Signers(certificates.signers(certificate, lastMembership), lastMembership.quorum()))
                : Optional.empty();
    }

    private void becomeUnknown(long block, String why) {
        whyUnknown = "signatures of batches and certificates not checked from block " + block + " on: " + why;
    }

    /** Returns the membership after the last block; empty if it is not known. */
    Optional<Membership> membership() {
        return whyUnknown.isEmpty() ? Optional.of(pass.membership()) : Optional.empty();
    }

    /** Returns how many blocks may follow the last certificate of a stopped node; empty if it is not known. */
    Optional<Long> uncertifiedMax() {
        // Nodes begin an epoch on the certificate of the block before it: of an epoch's last block the old one counts.
        return whyUnknown.isEmpty()
                ? Optional.of(lastMembership.terms().getParameters().getCheckpointInterval() - 1L)
                : Optional.empty();
    }

    /** Returns from which block on no signature was judged, and why; empty if all were. */
    String whyUnknown() {
        return whyUnknown;
    }
}
