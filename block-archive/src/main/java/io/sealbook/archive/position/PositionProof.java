package io.sealbook.archive.position;

import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.ProofFormat;
import io.sealbook.archive.result.ResultProof;
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
    private static final int FIXED_LENGTH = 3 * Integer.BYTES + Long.BYTES;

    /** @throws IllegalArgumentException if a number is beyond its limit, or the parts exceed 2 GiB */
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
        List<byte[]> encodedResults = results.stream().map(ResultProof::encode).toList();
        List<byte[]> encodedBatches =
                batches.stream().map(InclusionProof::encode).toList();
        long length = FIXED_LENGTH + length(encodedResults) + length(encodedBatches);
        FORMAT.require(length < Integer.MAX_VALUE - FIXED_LENGTH, length + " bytes");
        ByteBuffer buffer = FORMAT.begin((int) length);
        buffer.putInt(brokerId).putLong(reportSequence);
        put(buffer, encodedResults);
        put(buffer, encodedBatches);
        return FORMAT.end(buffer);
    }

    private static long length(List<byte[]> parts) {
        return parts.stream().mapToLong(part -> Integer.BYTES + part.length).sum();
    }

    private static void put(ByteBuffer buffer, List<byte[]> parts) {
        buffer.putInt(parts.size());
        parts.forEach(part -> buffer.putInt(part.length).put(part));
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
