package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.archive.administration.ProposedTransaction;
import io.sealbook.archive.proof.ProofVerdict.Proven;
import io.sealbook.archive.proof.ProofVerdict.Refused;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import java.util.SortedSet;

/**
 * Judges membership proofs with the genesis file alone. Each administrative batch must be in a block that the nodes
 * before it certified, and bear the signature of the member that proposed it. The header of each such block, and of the
 * certified one at the end, must name the administrative block before it, so that none is left out. The transactions
 * are executed as engines execute them. One thread; the signature verifier stays the caller's.
 *
 * <p>Of a block, batches after the last one that is shown may be missing: nothing shows which batches of a block are
 * administrative but their content. A proof that leaves out an executed one of them ends there, because the number of
 * the next transaction does not follow; it then judges later certificates by the nodes before it.
 */
public final class MembershipProofVerifier {
    private final GenesisFile genesis;
    private final SignatureVerifier verifier;

    /**
     * @param genesis of the chain
     * @param verifier of the nodes' signatures
     */
    public MembershipProofVerifier(GenesisFile genesis, SignatureVerifier verifier) {
        this.genesis = genesis;
        this.verifier = verifier;
    }

    /**
     * Follows the evidence from the genesis file to the last block.
     *
     * @return the epochs up to that block
     * @throws IllegalArgumentException at the first link that does not hold; the message names it
     */
    public KnownEpochs verify(MembershipProof proof) {
        require(
                proof.genesisDigest().equals(genesis.digest()),
                "its genesis digest is not " + genesis.digest().hex());
        ChainEpochs epochs = new ChainEpochs(genesis.genesis());
        Membership membership = epochs.last();
        InclusionProof last = null;
        for (InclusionProof next : proof.transactions()) {
            Proven proven = proven(next, epochs, last);
            if (last != null && last.header().sequence() == proven.sequence()) {
                require(
                        next.header().equals(last.header()) && next.batchIndex() > last.batchIndex(),
                        "batch " + next.batchIndex() + " of block " + proven.sequence() + " does not follow batch "
                                + last.batchIndex());
            } else {
                requireLink(next.header(), last);
            }
            membership = execute(next, membership);
            epochs.add(membership);
            last = next;
        }
        return new KnownEpochs(epochs, throughBlock(proof, epochs, last));
    }

    private Proven proven(InclusionProof proof, ChainEpochs epochs, InclusionProof last) {
        KnownEpochs known = new KnownEpochs(epochs, sequence(last));
        ProofVerdict verdict = new ProofVerifier(genesis, known, verifier).verify(proof);
        if (verdict instanceof Refused refused) {
            throw refused("block " + proof.header().sequence() + ": " + refused.fault() + ": " + refused.fact());
        }
        return (Proven) verdict;
    }

    private static Membership execute(InclusionProof proof, Membership before) {
        ProposedTransaction proposed = ProposedTransaction.of(proof.signedBatch())
                .orElseThrow(() -> refused("batch " + proof.batchIndex() + " of block "
                        + proof.header().sequence() + " is not carried, or not administrative"));
        return before.apply(proposed.bytes(), proof.header().sequence()).membership();
    }

    private long throughBlock(MembershipProof proof, ChainEpochs epochs, InclusionProof last) {
        BlockHeader tip = proof.tip();
        require(
                proof.certificate().sequence() == tip.sequence()
                        && proof.certificate().chainHash().equals(tip.hash()),
                "its certificate is not that of block " + tip.sequence());
        Membership nodes = epochs.of(tip.sequence());
        SortedSet<Integer> signers = new CertificateVerifier(verifier).signers(proof.certificate(), nodes);
        require(
                signers.size() >= nodes.quorum(),
                "block " + tip.sequence() + ": valid signatures of nodes " + signers + ", expected of " + nodes.quorum()
                        + " nodes of epoch " + Integer.toUnsignedString(nodes.epoch()));
        if (tip.sequence() == sequence(last)) {
            require(tip.equals(last.header()), "block " + tip.sequence() + " has two headers");
            return tip.sequence();
        }
        requireLink(tip, last);
        return tip.sequence() - 1;
    }

    /** The header of a block names the administrative block before it: none is left out. */
    private static void requireLink(BlockHeader header, InclusionProof last) {
        require(
                header.sequence() > sequence(last) && header.administrationBlock() == sequence(last),
                "block " + header.sequence() + " names block " + header.administrationBlock()
                        + " as the one with administrative batches before it, the proof has block " + sequence(last));
    }

    private static long sequence(InclusionProof proof) {
        return proof == null ? 0 : proof.header().sequence();
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw refused(fact);
        }
    }

    private static IllegalArgumentException refused(String fact) {
        return new IllegalArgumentException("membership proof: " + fact);
    }
}
