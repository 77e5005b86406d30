package io.sealbook.client.proof;

import io.sealbook.vocabulary.Digest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a membership proof, version 1, as {@code block-archive/doc/proof-format.md} draws it. Nothing in it is
 * judged here; lengths are those of the file.
 *
 * @param tip header of the last block that is covered
 * @param certificate of that block
 * @param transactions inclusion proofs of the administrative batches, in the order of the chain
 */
record MembershipFile(
        Digest genesisDigest, HeaderBytes tip, ProofReader.Certificate certificate, List<ProofReader> transactions) {
    private static final byte[] MAGIC = "SBMEMBR1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;

    /**
     * Reads a proof. The checksum at its end finds accidents and is not looked at: hashes and signatures find them.
     *
     * @throws IllegalArgumentException if the bytes are none of this version, or do not end with the proof
     */
    static MembershipFile read(byte[] file) {
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        try {
            InclusionLinks.require(
                    ByteBuffer.wrap(ProofReader.take(in, MAGIC.length)).equals(ByteBuffer.wrap(MAGIC)),
                    "no membership proof");
            int version = in.getInt();
            InclusionLinks.require(version == VERSION, "version " + version + ", expected " + VERSION);
            MembershipFile proof = new MembershipFile(
                    Digest.read(in), HeaderBytes.take(in), ProofReader.certificate(in), transactions(in));
            in.getInt();
            InclusionLinks.require(!in.hasRemaining(), in.remaining() + " bytes after the proof");
            return proof;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("the proof ends after " + file.length + " bytes", e);
        }
    }

    private static List<ProofReader> transactions(ByteBuffer in) {
        List<ProofReader> transactions = new ArrayList<>();
        for (int left = ProofReader.count(in, Integer.BYTES); left > 0; left--) {
            transactions.add(ProofReader.read(ProofReader.take(in, in.getInt())));
        }
        return transactions;
    }
}
