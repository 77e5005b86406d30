package io.sealbook.peer.message;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Payloads of the requests and answers on payload connections; all integers little-endian.
 *
 * <pre>
 *   BATCH_REQUEST  4 number of ranges, at most 2,048, of each: 8 session, 8 last number, 32 last id,
 *                  8 number before the first, 32 id of that
 *   BLOCK_REQUEST  8 first sequence, 4 number of blocks
 *   BLOCKS         8 first sequence, 4 length of the certificate or 0, certificate,
 *                  4 number of blocks, of each: 4 length, block
 * </pre>
 */
public final class PayloadCodec {
    /** Of a request; a correct member asks for no more batches at a time. */
    public static final int RANGES_MAX = 2_048;
    /** Of an answer; a correct member sends no more blocks at a time. */
    public static final int BLOCKS_MAX = 256;

    private static final int RANGE_LENGTH = 3 * Long.BYTES + 2 * Digest.LENGTH;

    private PayloadCodec() {}

    /**
     * Encodes a request for batches.
     *
     * @param ranges at most {@link #RANGES_MAX}
     */
    public static byte[] encodeBatchRequest(List<BatchRange> ranges) {
        ByteBuffer buffer =
                allocate(Integer.BYTES + ranges.size() * RANGE_LENGTH).putInt(ranges.size());
        for (BatchRange range : ranges) {
            buffer.putLong(range.sessionKey()).putLong(range.last().number());
            range.last().id().write(buffer);
            range.afterId().write(buffer.putLong(range.after()));
        }
        return buffer.array();
    }

    public static List<BatchRange> decodeBatchRequest(byte[] payload) throws MalformedMessageException {
        ByteBuffer in = wrap(payload);
        int count = count(in, RANGE_LENGTH);
        if (count > RANGES_MAX) {
            throw new MalformedMessageException("asks for " + count + " ranges, at most " + RANGES_MAX, 0);
        }
        List<BatchRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int offset = in.position();
            try {
                SessionEnd last = new SessionEnd(in.getLong(), in.getLong(), Digest.read(in));
                ranges.add(new BatchRange(last, in.getLong(), Digest.read(in)));
            } catch (IllegalArgumentException e) {
                throw new MalformedMessageException(e.getMessage(), offset);
            }
        }
        requireEnd(in);
        return ranges;
    }

    /**
     * Encodes a request for blocks.
     *
     * @param from first sequence, 1 or more
     * @param count how many, 1 or more
     */
    public static byte[] encodeBlockRequest(long from, int count) {
        return allocate(Long.BYTES + Integer.BYTES).putLong(from).putInt(count).array();
    }

    public static BlockRequest decodeBlockRequest(byte[] payload) throws MalformedMessageException {
        ByteBuffer in = wrap(payload);
        require(in, Long.BYTES + Integer.BYTES);
        BlockRequest request = new BlockRequest(in.getLong(), in.getInt());
        requireEnd(in);
        if (request.from < 1 || request.count < 1) {
            throw new MalformedMessageException("asks for " + request.count + " blocks from " + request.from, 0);
        }
        return request;
    }

    /**
     * Returns how many of the blocks go into one payload.
     *
     * @param blocks in order
     * @param certificateOrNull goes with them
     * @param lengthMax bytes of the payload at most
     */
    public static int fitting(List<byte[]> blocks, byte[] certificateOrNull, int lengthMax) {
        long length = blocksHeaderLength(certificateOrNull);
        int fitting = 0;
        for (byte[] block : blocks) {
            length += Integer.BYTES + block.length;
            if (length > lengthMax) {
                break;
            }
            fitting++;
        }
        return fitting;
    }

    /**
     * Encodes blocks.
     *
     * @param from sequence of the first, 1 or more
     * @param blocks in order
     * @param certificateOrNull covers one of them
     */
    public static byte[] encodeBlocks(long from, List<byte[]> blocks, byte[] certificateOrNull) {
        int length = blocksHeaderLength(certificateOrNull);
        for (byte[] block : blocks) {
            length += Integer.BYTES + block.length;
        }
        byte[] certificate = certificateOrNull == null ? new byte[0] : certificateOrNull;
        ByteBuffer buffer =
                allocate(length).putLong(from).putInt(certificate.length).put(certificate);
        buffer.putInt(blocks.size());
        for (byte[] block : blocks) {
            buffer.putInt(block.length).put(block);
        }
        return buffer.array();
    }

    public static Blocks decodeBlocks(byte[] payload) throws MalformedMessageException {
        ByteBuffer in = wrap(payload);
        require(in, Long.BYTES);
        long from = in.getLong();
        byte[] certificate = bytes(in, length(in));
        int count = count(in, Integer.BYTES);
        if (count > BLOCKS_MAX) {
            throw new MalformedMessageException(count + " blocks in an answer, at most " + BLOCKS_MAX, 0);
        }
        List<byte[]> blocks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            blocks.add(bytes(in, length(in)));
        }
        requireEnd(in);
        if (from < 1) {
            throw new MalformedMessageException("blocks from " + from, 0);
        }
        return new Blocks(from, blocks, certificate.length == 0 ? null : certificate);
    }

    /** A request for {@code count} blocks, the first of which is {@code from}. */
    public record BlockRequest(long from, int count) {}

    /** Blocks with consecutive sequences, the first of which is {@code from}. */
    public record Blocks(long from, List<byte[]> blocks, byte[] certificateOrNull) {}

    private static int blocksHeaderLength(byte[] certificateOrNull) {
        return Long.BYTES + 2 * Integer.BYTES + (certificateOrNull == null ? 0 : certificateOrNull.length);
    }

    private static int count(ByteBuffer in, int elementLengthMin) throws MalformedMessageException {
        require(in, Integer.BYTES);
        int count = in.getInt();
        if (count < 0 || (long) count * elementLengthMin > in.remaining()) {
            throw new MalformedMessageException(
                    Integer.toUnsignedString(count) + " elements in " + in.remaining() + " bytes",
                    in.position() - Integer.BYTES);
        }
        return count;
    }

    private static int length(ByteBuffer in) throws MalformedMessageException {
        return count(in, Byte.BYTES);
    }

    private static byte[] bytes(ByteBuffer in, int length) throws MalformedMessageException {
        require(in, length);
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static void require(ByteBuffer in, int length) throws MalformedMessageException {
        if (in.remaining() < length) {
            throw new MalformedMessageException(
                    "needs " + length + " bytes, " + in.remaining() + " are left", in.position());
        }
    }

    private static void requireEnd(ByteBuffer in) throws MalformedMessageException {
        if (in.hasRemaining()) {
            throw new MalformedMessageException(in.remaining() + " bytes too many", in.position());
        }
    }

    private static ByteBuffer allocate(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer wrap(byte[] payload) {
        return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    }
}
