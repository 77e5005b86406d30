package io.sealbook.client.proof;

import io.sealbook.vocabulary.Digest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of an inclusion proof, version 3, as {@code block-archive/doc/proof-format.md} draws it. Nothing in it is
 * judged here; lengths are those of the file.
 *
 * @param index place of the batch in its block
 * @param header of the block
 * @param laterHeaders of the blocks after it up to the certified one
 * @param signatures of nodes under the certificate
 * @param signedBatch encoded batch and signature
 */
record ProofReader(
        Digest genesisDigest,
        int index,
        Digest batchId,
        HeaderBytes header,
        List<Digest> path,
        List<HeaderBytes> laterHeaders,
        Certificate certificate,
        byte[] signedBatch) {
    private static final byte[] MAGIC = "SBPROOF1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 3;
    private static final int SIGNATURE_LENGTH = 65;
    /** Far more than a chain has nodes: each costs a verification. */
    private static final int SIGNATURES_MAX = 64;

    /** What the nodes signed, and who did. */
    record Certificate(
            long sequence,
            Digest chainHash,
            Digest resultDigest,
            Digest proposalDigest,
            List<NodeSignature> signatures) {}

    record NodeSignature(int nodeId, byte[] signature) {}

    /**
     * Reads a proof. The checksum at its end finds accidents and is not looked at: hashes and signatures find them.
     *
     * @throws IllegalArgumentException if the bytes are none of this version
     */
    static ProofReader read(byte[] file) {
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        try {
            require(ByteBuffer.wrap(take(in, MAGIC.length)).equals(ByteBuffer.wrap(MAGIC)), "no inclusion proof");
            int version = in.getInt();
            require(version == VERSION, "version " + version + ", expected " + VERSION);
            ProofReader proof = new ProofReader(
                    Digest.read(in),
                    in.getInt(),
                    Digest.read(in),
                    HeaderBytes.take(in),
                    digests(in),
                    headers(in),
                    certificate(in),
                    take(in, in.getInt()));
            in.getInt();
            require(!in.hasRemaining(), in.remaining() + " bytes after the proof");
            return proof;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the proof ends after " + file.length + " bytes", e);
        }
    }

    private static List<Digest> digests(ByteBuffer in) {
        List<Digest> digests = new ArrayList<>();
        for (int left = count(in, Digest.LENGTH); left > 0; left--) {
            digests.add(Digest.read(in));
        }
        return digests;
    }

    private static List<HeaderBytes> headers(ByteBuffer in) {
        List<HeaderBytes> headers = new ArrayList<>();
        for (int left = count(in, HeaderBytes.LENGTH); left > 0; left--) {
            headers.add(HeaderBytes.take(in));
        }
        return headers;
    }

    /** Takes a certificate after its length. */
    static Certificate certificate(ByteBuffer proof) {
        ByteBuffer in = ByteBuffer.wrap(take(proof, proof.getInt())).order(ByteOrder.LITTLE_ENDIAN);
        long sequence = in.getLong();
        Digest chainHash = Digest.read(in);
        Digest resultDigest = Digest.read(in);
        Digest proposalDigest = Digest.read(in);
        List<NodeSignature> signatures = new ArrayList<>();
        for (int left = count(in, Integer.BYTES + SIGNATURE_LENGTH); left > 0; left--) {
            signatures.add(new NodeSignature(in.getInt(), take(in, SIGNATURE_LENGTH)));
        }
        require(!in.hasRemaining(), in.remaining() + " bytes after the certificate");
        require(signatures.size() <= SIGNATURES_MAX, signatures.size() + " signatures under the certificate");
        return new Certificate(sequence, chainHash, resultDigest, proposalDigest, signatures);
    }

    /**
     * Takes the number of parts that follow.
     *
     * @param in positioned at the number
     * @param length fewest bytes of a part
     */
    static int count(ByteBuffer in, int length) {
        int count = in.getInt();
        require(count >= 0 && count <= in.remaining() / length, count + " parts in " + in.remaining() + " bytes");
        return count;
    }

    /**
     * Takes bytes.
     *
     * @param in positioned at the first
     * @param length how many
     */
    static byte[] take(ByteBuffer in, int length) {
        require(length >= 0 && length <= in.remaining(), length + " bytes of " + in.remaining());
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
