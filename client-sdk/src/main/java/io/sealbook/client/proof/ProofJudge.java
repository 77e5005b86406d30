package io.sealbook.client.proof;

import static io.sealbook.client.proof.InclusionLinks.quorum;
import static io.sealbook.client.proof.InclusionLinks.require;

import io.sealbook.client.BatchProof;
import io.sealbook.client.Receipt;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.SortedSet;

/**
 * Follows an inclusion proof link by link, from the bytes of a batch to a certificate that a quorum of nodes signed, as
 * {@code block-archive/doc/proof-format.md} says. Any thread; it costs a signature per node, some milliseconds.
 */
public final class ProofJudge {
    private final GenesisFile genesis;
    private final InclusionLinks links;

    /** @param genesis of the chain */
    public ProofJudge(GenesisFile genesis) {
        this.genesis = genesis;
        this.links = new InclusionLinks(genesis);
    }

    /**
     * Judges the proof of a batch.
     *
     * @param file bytes that a node sent
     * @param receipt of the batch
     * @param present nodes of the chain at present; those of the genesis file count for certificates of its epoch
     * @throws IllegalArgumentException if it is no proof of that batch at that place; the message has the fact
     */
    public BatchProof judge(byte[] file, Receipt receipt, List<Node> present) {
        ProofReader proof = ProofReader.read(file);
        require(
                proof.batchId().equals(Digest.of(receipt.batchId())) && proof.index() == receipt.batchIndex(),
                "the proof is of batch " + proof.index() + ", "
                        + proof.batchId().hex());
        require(
                proof.header().hash().equals(Digest.of(receipt.blockHash()))
                        && proof.header().sequence() == receipt.blockSequence(),
                "its block is not the one of the receipt");
        links.follow(proof);
        return new BatchProof(
                file,
                receipt.blockSequence(),
                proof.index(),
                proof.certificate().sequence(),
                signers(proof.certificate(), present));
    }

    private SortedSet<Integer> signers(ProofReader.Certificate certificate, List<Node> present) {
        SortedSet<Integer> signers = links.signers(certificate, present);
        if (signers.size() < quorum(present.size())) {
            List<Node> first = genesis.genesis().getNodesList();
            SortedSet<Integer> former = links.signers(certificate, first);
            require(
                    former.size() >= quorum(first.size()),
                    "its certificate has valid signatures of nodes " + signers + " at present and " + former
                            + " of the genesis file, no quorum");
            return former;
        }
        return signers;
    }
}
