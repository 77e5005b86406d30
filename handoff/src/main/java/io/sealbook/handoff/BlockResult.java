package io.sealbook.handoff;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * What an engine reports to its node after it has executed a block.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       magic "SBRS"
 *   4       4       CRC32C of bytes 8..63
 *   8       8       sequence of the block
 *   16      8       time at which it had been executed, by the engine's clock, nanoseconds since 1970
 *   24      4       orders in the block
 *   28      4       trades made by them
 *   32      32      result digest after the block
 * </pre>
 *
 * @param sequence of the block, 1 and up
 * @param digest result digest after the block
 * @param executedTimeNs engine's clock, nanoseconds since 1970; a local fact
 * @param orderCount orders in the block
 * @param tradeCount trades made by them
 */
public record BlockResult(long sequence, Digest digest, long executedTimeNs, int orderCount, int tradeCount) {
    /** Encoded bytes. */
    public static final int LENGTH = 64;

    private static final int MAGIC = 'S' | 'B' << 8 | 'R' << 16 | 'S' << 24;
    private static final int CRC_OFFSET = 4;
    private static final int COVERED_OFFSET = 8;

    /** @throws IllegalArgumentException if the sequence is below 1 */
    public BlockResult {
        if (sequence < 1) {
            throw new IllegalArgumentException("result of block " + sequence);
        }
    }

    /** Returns the {@link #LENGTH} bytes of the layout above; the array is the caller's. */
    public byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(MAGIC).putInt(0).putLong(sequence).putLong(executedTimeNs);
        buffer.putInt(orderCount).putInt(tradeCount);
        digest.write(buffer);
        buffer.putInt(CRC_OFFSET, crc(buffer.array()));
        return buffer.array();
    }

    /**
     * Reads a result.
     *
     * @throws IllegalArgumentException if the bytes are none, or not those that were written
     */
    public static BlockResult decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length != LENGTH || buffer.getInt() != MAGIC) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes are no result of a block, which has " + LENGTH + " and begins with SBRS");
        }
        int expected = buffer.getInt();
        if (expected != crc(bytes)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "result of block %d is damaged: CRC32C expected %08x, found %08x",
                    buffer.getLong(COVERED_OFFSET),
                    expected,
                    crc(bytes)));
        }
        long sequence = buffer.getLong();
        long executedTimeNs = buffer.getLong();
        int orderCount = buffer.getInt();
        int tradeCount = buffer.getInt();
        return new BlockResult(sequence, Digest.read(buffer), executedTimeNs, orderCount, tradeCount);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, COVERED_OFFSET, LENGTH - COVERED_OFFSET);
        return (int) crc.getValue();
    }
}
