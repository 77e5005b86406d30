package io.sealbook.archive.position;

import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.ProofFormat;
import io.sealbook.archive.result.ResultProof;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The evidence of what a broker's accounts have bought and sold: all results of the broker from the first on, and the
 * signed batches that its fills refer to. Nothing in it is believed before {@link PositionVerifier} has judged it. Its
 * file is:
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       magic "SBPOSTN1"
 *   8       4       version, 1
 *   12      4       broker id
 *   16      8       sequence of the report up to which results count
 *   24      4       r, leaves of results, 1..PART_COUNT_MAX
 *   ...             r times: length (4), file of a result proof, in report order; the last may be of later reports
 *   ...     4       b, batches, 0..PART_COUNT_MAX
 *   ...             b times: length (4), file of an inclusion proof with the signed batch
 *   ...     4       CRC32C of everything before
 * </pre>
 *
 * @param brokerId unsigned
 * @param reportSequence from 1
 * @param results of one leaf each
 * @param batches with their signed bytes
 */
public record PositionProof(
        int brokerId, long reportSequence, List<ResultProof> results, List<InclusionProof> batches) {
    /** Largest number of leaves, and of batches. */
    public static final int PART_COUNT_MAX = 65_536;

    private static final ProofFormat FORMAT = new ProofFormat("SBPOSTN1", 1, "position proof");
    private static final int PART_LENGTH_MAX = 16 << 20;

    /** @throws IllegalArgumentException if a number is beyond its limit */
    public PositionProof {
        FORMAT.require(reportSequence >= 1, "report " + reportSequence);
        FORMAT.require(!results.isEmpty() && results.size() <= PART_COUNT_MAX, results.size() + " leaves");
        FORMAT.require(batches.size() <= PART_COUNT_MAX, batches.size() + " batches");
        results = List.copyOf(results);
        batches = List.copyOf(batches);
    }

    /** Returns whether bytes begin as a proof of positions does. */
    public static boolean isPositionProof(byte[] bytes) {
        return FORMAT.matches(bytes);
    }

    /** Returns the bytes of the file. */
    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("a stream in memory has failed", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Writes the file with one part of it in memory at a time: a proof may have tens of MB.
     *
     * @param out stays open
     */
    public void write(OutputStream out) throws IOException {
        FORMAT.write(out, body -> {
            ProofFormat.writeInt(body, brokerId);
            ProofFormat.writeLong(body, reportSequence);
            write(body, results, ResultProof::encode);
            write(body, batches, InclusionProof::encode);
        });
    }

    private static <P> void write(OutputStream out, List<P> parts, Function<P, byte[]> encoder) throws IOException {
        ProofFormat.writeInt(out, parts.size());
        for (P part : parts) {
            byte[] bytes = encoder.apply(part);
            ProofFormat.writeInt(out, bytes.length);
            out.write(bytes);
        }
    }

    /**
     * Reads a proof's file.
     *
     * @throws IllegalArgumentException if the bytes are none, are damaged or have bytes after it; the message names the
     *     fact
     */
    public static PositionProof decode(byte[] bytes) {
        return FORMAT.decode(bytes, buffer -> {
            int brokerId = buffer.getInt();
            long reportSequence = buffer.getLong();
            List<ResultProof> results = take(buffer, "leaf count", ResultProof::decode);
            return new PositionProof(
                    brokerId, reportSequence, results, take(buffer, "batch count", InclusionProof::decode));
        });
    }

    private static <P> List<P> take(ByteBuffer buffer, String field, Function<byte[], P> decoder) {
        int count = FORMAT.takeLength(buffer, PART_COUNT_MAX, field);
        List<P> parts = new ArrayList<>();
        while (parts.size() < count) {
            int length = FORMAT.takeLength(buffer, PART_LENGTH_MAX, "length of a part");
            parts.add(decoder.apply(ProofFormat.take(buffer, length)));
        }
        return parts;
    }
}
