package io.sealbook.engine.intake;

import io.sealbook.protocol.sbe.BlockResultDecoder;
import io.sealbook.protocol.sbe.BlockResultEncoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells the node the result of each block, exactly once also across restarts: a block that stands in the queue already
 * is compared instead of written, and a difference stops the engine.
 *
 * <p>Excerpt: the SBE BlockResult with its header, 64 bytes. One thread opens and uses it.
 */
public final class ResultQueue implements AutoCloseable {
    private static final int LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + BlockResultEncoder.BLOCK_LENGTH;

    private final ChronicleQueue queue;
    private final ExcerptAppender appender;
    private final ExcerptTailer published;
    private final Bytes<byte[]> buffer = Bytes.allocateElasticOnHeap(LENGTH);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final BlockResultEncoder encoder = new BlockResultEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final BlockResultDecoder decoder = new BlockResultDecoder();
    private long lastSequence;

    public ResultQueue(Path directory) {
        queue = Queues.openForWriting(directory);
        appender = queue.createAppender();
        published = queue.createTailer();
        lastSequence = readLastSequence();
    }

    /** Returns the last block whose result stands in the queue; 0 when it is empty. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Prepares to compare the blocks after {@code sequence} that were published before. */
    public void positionAfter(long sequence) {
        published.toStart();
        while (sequence > 0 && readPublished() && decoder.blockSequence() < sequence) {
            continue;
        }
        if (sequence > 0 && lastSequence > sequence && decoder.blockSequence() != sequence) {
            throw new BrokenInvariantException("results: first result is of block " + decoder.blockSequence()
                    + ", block " + sequence + " is missing");
        }
    }

    /**
     * Publishes the result of a block, or compares it with the one published before a restart.
     *
     * @param sequence the block
     * @param digest 32 bytes
     * @param executedTimeNs this engine's clock, ns since the epoch
     * @param orderCount entries executed in it
     * @param tradeCount trades made in it
     * @throws BrokenInvariantException if the block was published with another digest, or does not follow the last one
     */
    public void publish(long sequence, byte[] digest, long executedTimeNs, int orderCount, int tradeCount) {
        if (sequence <= lastSequence) {
            compare(sequence, digest);
            return;
        }
        if (lastSequence != 0 && sequence != lastSequence + 1) {
            throw new BrokenInvariantException("results: block " + sequence + " would follow block " + lastSequence);
        }
        ByteBuffer words = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);
        encoder.wrapAndApplyHeader(message, 0, headerEncoder)
                .blockSequence(sequence)
                .resultDigest0(words.getLong(0))
                .resultDigest1(words.getLong(8))
                .resultDigest2(words.getLong(16))
                .resultDigest3(words.getLong(24))
                .executedTimeNs(executedTimeNs)
                .orderCount(orderCount)
                .tradeCount(tradeCount);
        buffer.clear();
        buffer.write(message.byteArray(), 0, LENGTH);
        appender.writeBytes(buffer);
        lastSequence = sequence;
    }

    @Override
    public void close() {
        queue.close();
        buffer.releaseLast();
    }

    private void compare(long sequence, byte[] digest) {
        if (!readPublished() || decoder.blockSequence() != sequence) {
            throw new BrokenInvariantException(
                    "results: no result of block " + sequence + " although block " + lastSequence + " has one");
        }
        byte[] before = digest(decoder);
        if (!Arrays.equals(before, digest)) {
            throw new BrokenInvariantException("results: block " + sequence + " was published with digest "
                    + HexFormat.of().formatHex(before) + ", executing it again gave "
                    + HexFormat.of().formatHex(digest));
        }
    }

    private boolean readPublished() {
        buffer.clear();
        if (!published.readBytes(buffer)) {
            return false;
        }
        wrap();
        return true;
    }

    private long readLastSequence() {
        ExcerptTailer backward =
                queue.createTailer().direction(TailerDirection.BACKWARD).toEnd();
        buffer.clear();
        if (!backward.readBytes(buffer)) {
            return 0;
        }
        wrap();
        return decoder.blockSequence();
    }

    private void wrap() {
        byte[] bytes = buffer.toByteArray();
        if (bytes.length != LENGTH) {
            throw new BrokenInvariantException("results: excerpt of " + bytes.length + " bytes, expected " + LENGTH);
        }
        decoder.wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, headerDecoder);
    }

    private static byte[] digest(BlockResultDecoder result) {
        return ByteBuffer.allocate(32)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(result.resultDigest0())
                .putLong(result.resultDigest1())
                .putLong(result.resultDigest2())
                .putLong(result.resultDigest3())
                .array();
    }
}
