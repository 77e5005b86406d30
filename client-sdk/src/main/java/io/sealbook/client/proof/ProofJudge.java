package io.sealbook.client.proof;

import io.sealbook.client.BatchProof;
import io.sealbook.client.Receipt;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Follows an inclusion proof link by link, from the bytes of a batch to a certificate that a quorum of nodes signed, as
 * {@code block-archive/doc/proof-format.md} says. Any thread; it costs a signature per node, some milliseconds.
 */
public final class ProofJudge {
    private static final byte[] CHECKPOINT_TAG = "SBCHKPT2".getBytes(StandardCharsets.US_ASCII);
    private static final SignatureVerifier SIGNATURES = SignatureProviders.named(BouncyCastleProvider.NAME);

    // Offsets in the header of a block.
    private static final int SEQUENCE = 8;
    private static final int BATCH_COUNT = 32;
    private static final int MERKLE_ROOT = 40;
    private static final int PREVIOUS_HASH = 104;

    private final GenesisFile genesis;

    /** @param genesis of the chain */
    public ProofJudge(GenesisFile genesis) {
        this.genesis = genesis;
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
        require(proof.genesisDigest().equals(genesis.digest()), "the proof is of another chain");
        require(
                proof.batchId().equals(Digest.of(receipt.batchId())) && proof.index() == receipt.batchIndex(),
                "the proof is of batch " + proof.index() + ", "
                        + proof.batchId().hex());
        int encoded = proof.signedBatch().length - SignedBatch.SIGNATURE_LENGTH;
        require(
                encoded > 0
                        && Digest.sha256(Arrays.copyOf(proof.signedBatch(), encoded))
                                .equals(proof.batchId()),
                "its batch is another one");
        require(
                hash(proof.header()).equals(Digest.of(receipt.blockHash()))
                        && sequence(proof.header()) == receipt.blockSequence(),
                "its block is not the one of the receipt");
        int batches = littleEndian(proof.header()).getInt(BATCH_COUNT);
        require(
                MerklePath.leads(
                        proof.batchId(), proof.index(), batches, proof.path(), Digest.of(proof.header(), MERKLE_ROOT)),
                "its Merkle path does not lead to the root of the block");
        byte[] last = lastHeader(proof);
        ProofReader.Certificate certificate = proof.certificate();
        require(
                certificate.sequence() == sequence(last)
                        && certificate.chainHash().equals(hash(last)),
                "its certificate is of another block");
        return new BatchProof(
                file, receipt.blockSequence(), proof.index(), certificate.sequence(), signers(certificate, present));
    }

    private static byte[] lastHeader(ProofReader proof) {
        byte[] last = proof.header();
        for (byte[] next : proof.laterHeaders()) {
            require(
                    sequence(next) == sequence(last) + 1
                            && Digest.of(next, PREVIOUS_HASH).equals(hash(last)),
                    "header " + sequence(next) + " does not follow header " + sequence(last));
            last = next;
        }
        return last;
    }

    private SortedSet<Integer> signers(ProofReader.Certificate certificate, List<Node> present) {
        SortedSet<Integer> signers = signersAmong(present, certificate);
        if (signers.size() < quorum(present.size())) {
            List<Node> first = genesis.genesis().getNodesList();
            SortedSet<Integer> former = signersAmong(first, certificate);
            require(
                    former.size() >= quorum(first.size()),
                    "its certificate has valid signatures of nodes " + signers + " at present and " + former
                            + " of the genesis file, no quorum");
            return former;
        }
        return signers;
    }

    private SortedSet<Integer> signersAmong(List<Node> nodes, ProofReader.Certificate certificate) {
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

    private static VerificationKey key(PublicKey identity) {
        return VerificationKey.of(
                SignatureScheme.of(identity.getSchemeValue()),
                identity.getPoint().toByteArray());
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
    private static int quorum(int nodes) {
        int faulty = (nodes - 1) / 3;
        return (nodes + faulty + 2) / 2;
    }

    private static Digest hash(byte[] header) {
        return Digest.sha256(header);
    }

    private static long sequence(byte[] header) {
        return littleEndian(header).getLong(SEQUENCE);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
