package io.sealbook.client.proof;

import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The links of a proof, from the bytes of a batch to the certificate of a block, and from a certificate to the keys of
 * nodes. Any thread.
 */
final class InclusionLinks {
    private static final byte[] CHECKPOINT_TAG = "SBCHKPT2".getBytes(StandardCharsets.US_ASCII);
    private static final SignatureVerifier SIGNATURES = SignatureProviders.named(BouncyCastleProvider.NAME);

    private final GenesisFile genesis;

    /** @param genesis of the chain */
    InclusionLinks(GenesisFile genesis) {
        this.genesis = genesis;
    }

    /**
     * Follows an inclusion proof up to its certificate, whose signatures are not judged.
     *
     * @throws IllegalArgumentException at the first link that does not hold; the message has the fact
     */
    void follow(ProofReader proof) {
        requireChain(proof.genesisDigest());
        int encoded = proof.signedBatch().length - SignedBatch.SIGNATURE_LENGTH;
        require(
                encoded > 0
                        && Digest.sha256(Arrays.copyOf(proof.signedBatch(), encoded))
                                .equals(proof.batchId()),
                "its batch is another one");
        HeaderBytes header = proof.header();
        require(
                MerklePath.leads(
                        proof.batchId(), proof.index(), header.batchCount(), proof.path(), header.merkleRoot()),
                "its Merkle path does not lead to the root of the block");
        requireOf(proof.certificate(), lastHeader(proof));
    }

    /**
     * Returns whether the sender of a carried batch has signed it. No hash of the chain covers the signature.
     *
     * @param proof that {@link #follow} has taken
     * @param sender the key that the batch names; true if it is not known
     */
    boolean isSigned(ProofReader proof, Optional<VerificationKey> sender) {
        if (sender.isEmpty()) {
            return true;
        }
        byte[] batch = proof.signedBatch();
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, genesis.genesis().getChainId(), proof.batchId());
        SignatureBatch one = new SignatureBatch(1);
        one.add(sender.get(), region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return SIGNATURES.verify(one) == 1;
    }

    /** Requires that a proof is of this chain. */
    void requireChain(Digest genesisDigest) {
        require(genesisDigest.equals(genesis.digest()), "the proof is of another chain");
    }

    /**
     * Requires that a certificate is of a block.
     *
     * @param certificate not judged otherwise
     * @param header of the block
     */
    static void requireOf(ProofReader.Certificate certificate, HeaderBytes header) {
        require(
                header.sequence() >= 1
                        && certificate.sequence() == header.sequence()
                        && certificate.chainHash().equals(header.hash()),
                "its certificate is of another block");
    }

    private static HeaderBytes lastHeader(ProofReader proof) {
        HeaderBytes last = proof.header();
        for (HeaderBytes next : proof.laterHeaders()) {
            require(
                    next.sequence() == last.sequence() + 1
                            && next.previousHash().equals(last.hash()),
                    "header " + next.sequence() + " does not follow header " + last.sequence());
            last = next;
        }
        return last;
    }

    /**
     * Returns the nodes with a valid signature under a certificate. It costs up to a signature per node.
     *
     * @param certificate as it came
     * @param nodes by their ids
     */
    SortedSet<Integer> signers(ProofReader.Certificate certificate, List<Node> nodes) {
        byte[] signed = signedBytes(certificate);
        SortedSet<Integer> signers = new TreeSet<>();
        for (ProofReader.NodeSignature signature : certificate.signatures()) {
            if (0 <= signature.nodeId() && signature.nodeId() < nodes.size() && signers.size() < nodes.size()) {
                SignatureBatch one = new SignatureBatch(1);
                one.add(key(nodes.get(signature.nodeId()).getIdentity()), signed, signature.signature());
                if (SIGNATURES.verify(one) == 1) {
                    signers.add(signature.nodeId());
                }
            }
        }
        return signers;
    }

    static VerificationKey key(PublicKey key) {
        return VerificationKey.of(
                SignatureScheme.of(key.getSchemeValue()), key.getPoint().toByteArray());
    }

    private byte[] signedBytes(ProofReader.Certificate certificate) {
        ByteBuffer signed = ByteBuffer.allocate(CHECKPOINT_TAG.length + 2 * Long.BYTES + 3 * Digest.LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN);
        signed.put(CHECKPOINT_TAG).putLong(genesis.genesis().getChainId()).putLong(certificate.sequence());
        certificate.chainHash().write(signed);
        certificate.resultDigest().write(signed);
        certificate.proposalDigest().write(signed);
        return signed.array();
    }

    /** Returns ceil((n + f + 1) / 2) with f = floor((n - 1) / 3). */
    static int quorum(int nodes) {
        int faulty = (nodes - 1) / 3;
        return (nodes + faulty + 2) / 2;
    }

    static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
