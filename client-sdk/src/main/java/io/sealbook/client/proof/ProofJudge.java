package io.sealbook.client.proof;

import static io.sealbook.client.proof.InclusionLinks.quorum;
import static io.sealbook.client.proof.InclusionLinks.require;

import io.sealbook.client.BatchProof;
import io.sealbook.client.Receipt;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Follows an inclusion proof link by link, from the bytes of a batch to a certificate that a quorum of nodes signed, as
 * {@code block-archive/doc/proof-format.md} says. Any thread; it costs a signature per node, some milliseconds.
 */
public final class ProofJudge {
    private final InclusionLinks links;

    /** @param genesis of the chain */
    public ProofJudge(GenesisFile genesis) {
        this.links = new InclusionLinks(genesis);
    }

    /**
     * Judges the proof of a batch.
     *
     * @param file bytes that a node sent
     * @param receipt of the batch
     * @param members of the chain, as far as the certificate's block or without a change since
     * @throws IllegalArgumentException if it is no proof of that batch at that place; the message has the fact
     */
    public BatchProof judge(byte[] file, Receipt receipt, ProvenMembers members) {
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
        SortedSet<Integer> signers = signers(proof.certificate(), members);
        require(
                links.isSigned(proof, sender(proof.signedBatch(), members)),
                "its batch is not signed by the key that it names");
        return new BatchProof(
                file,
                receipt.blockSequence(),
                proof.index(),
                proof.certificate().sequence(),
                signers);
    }

    private static Optional<VerificationKey> sender(byte[] signedBatch, ProvenMembers members) {
        boolean isWhole = signedBatch.length >= SignedBatch.signedLength(0);
        return isWhole ? members.keyOf(new BatchView().wrap(signedBatch)) : Optional.empty();
    }

    private SortedSet<Integer> signers(ProofReader.Certificate certificate, ProvenMembers members) {
        List<Node> nodes = members.nodesAt(certificate.sequence());
        SortedSet<Integer> signers = links.signers(certificate, nodes);
        require(
                signers.size() >= quorum(nodes.size()),
                "its certificate of block " + certificate.sequence() + " has valid signatures of nodes " + signers
                        + ", no quorum of the " + nodes.size() + " nodes of its epoch");
        return signers;
    }
}
