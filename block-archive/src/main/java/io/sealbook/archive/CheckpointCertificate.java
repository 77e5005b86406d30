package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a quorum of nodes signed about the chain up to a block: its hash, the digest of all results and the digest of
 * the block's proposal. With the genesis file alone a stranger can check it; the signatures are not checked here.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       sequence
 *   8       32      chain hash: the hash of block {@code sequence}
 *   40      32      result digest after block {@code sequence}
 *   72      32      proposal digest of block {@code sequence}, as in its header
 *   104     4       number of signatures, 0..SIGNATURE_COUNT_MAX
 *   108     69 x n  node id (4), signature (65)
 * </pre>
 */
public record CheckpointCertificate(
        long sequence,
        Digest chainHash,
        Digest resultDigest,
        Digest proposalDigest,
        List<CertificateSignature> signatures) {
    /** Largest number of signatures in a certificate. */
    public static final int SIGNATURE_COUNT_MAX = 1_024;
    /** Bytes that each node signs. */
    public static final int SIGNED_LENGTH = 120;
    /** Largest encoded certificate in bytes. */
    public static final int LENGTH_MAX = 108 + SIGNATURE_COUNT_MAX * (4 + CertificateSignature.LENGTH);

    private static final int FIXED_LENGTH = 108;
    private static final int SIGNATURE_ENTRY_LENGTH = 4 + CertificateSignature.LENGTH;
    private static final byte[] TAG = "SBCHKPT2".getBytes(StandardCharsets.US_ASCII);

    /** @throws IllegalArgumentException if a value is out of range */
    public CheckpointCertificate {
        require(sequence >= 1, "sequence " + sequence);
        require(signatures.size() <= SIGNATURE_COUNT_MAX, signatures.size() + " signatures");
        Objects.requireNonNull(chainHash, "chainHash");
        Objects.requireNonNull(resultDigest, "resultDigest");
        Objects.requireNonNull(proposalDigest, "proposalDigest");
        signatures = List.copyOf(signatures);
    }

    /**
     * Returns the bytes that a node signs: "SBCHKPT2", chain id, sequence, chain hash, result digest, proposal digest;
     * numbers in 8 bytes, little-endian.
     *
     * @param chainId of the genesis file
     * @param sequence of the checkpoint's block
     * @param chainHash hash of that block
     * @param resultDigest result of the engine after that block
     * @param proposalDigest of that block's header
     */
    public static byte[] signedBytes(
            long chainId, long sequence, Digest chainHash, Digest resultDigest, Digest proposalDigest) {
        ByteBuffer buffer = ByteBuffer.allocate(SIGNED_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(TAG).putLong(chainId).putLong(sequence);
        chainHash.write(buffer);
        resultDigest.write(buffer);
        proposalDigest.write(buffer);
        return buffer.array();
    }

    /** Returns what each of the signatures must cover on this chain. */
    public byte[] signedBytes(long chainId) {
        return signedBytes(chainId, sequence, chainHash, resultDigest, proposalDigest);
    }

    /** Returns the bytes of the layout above. */
    public byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(FIXED_LENGTH + signatures.size() * SIGNATURE_ENTRY_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(sequence);
        chainHash.write(buffer);
        resultDigest.write(buffer);
        proposalDigest.write(buffer);
        buffer.putInt(signatures.size());
        for (CertificateSignature signature : signatures) {
            buffer.putInt(signature.nodeId()).put(signature.signature());
        }
        return buffer.array();
    }

    /**
     * Reads a certificate.
     *
     * @throws IllegalArgumentException if the bytes are none, or more than one
     */
    public static CheckpointCertificate decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            long sequence = buffer.getLong();
            Digest chainHash = Digest.read(buffer);
            Digest resultDigest = Digest.read(buffer);
            Digest proposalDigest = Digest.read(buffer);
            int count = buffer.getInt();
            require(
                    count >= 0 && count <= SIGNATURE_COUNT_MAX && buffer.remaining() == count * SIGNATURE_ENTRY_LENGTH,
                    count + " signatures in " + buffer.remaining() + " bytes");
            List<CertificateSignature> signatures = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                signatures.add(new CertificateSignature(buffer.getInt(), take(buffer, CertificateSignature.LENGTH)));
            }
            return new CheckpointCertificate(sequence, chainHash, resultDigest, proposalDigest, signatures);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("checkpoint certificate: ends after " + bytes.length + " bytes", e);
        }
    }

    private static byte[] take(ByteBuffer buffer, int length) {
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException("checkpoint certificate: " + fact);
        }
    }
}
