package io.sealbook.consensus.handoff;

import io.sealbook.protocol.sbe.BlockResultDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tails queue/results. An engine that was restarted may tell a block again; it is passed over. One thread.
 */
public final class ResultReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ResultReader.class);
    private static final int DIGEST_LENGTH = 32;
    private static final int RESULTS_PER_POLL = 256;

    private final ChronicleQueue queue;
    private final LongSupplier lastArchived;
    private final BlockResults results;
    private final Bytes<byte[]> excerpt = Bytes.allocateElasticOnHeap(128);
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final BlockResultDecoder result = new BlockResultDecoder();
    private ExcerptTailer tailer;
    private long lastSequence;
    /** A result has been read and not been told. */
    private boolean isHeld;

    /**
     * @param lastKnown results up to this block are not told; the reader steps back over what is newer
     * @param lastArchived a result beyond this block waits: after a power failure the engine may know blocks that the archive lost
     */
    public ResultReader(Path directory, long lastKnown, LongSupplier lastArchived, BlockResults results) {
        this.queue = Queues.openForReading(directory);
        this.lastArchived = lastArchived;
        this.results = results;
        this.lastSequence = lastKnown;
    }

    /** Tells new results; returns how many. The first call finds the place to begin. */
    public int poll() {
        if (tailer == null) {
            tailer = queue.createTailer();
            stepBack();
        }
        int told = 0;
        while (told < RESULTS_PER_POLL && (isHeld || read())) {
            isHeld = result.blockSequence() > lastArchived.getAsLong();
            if (isHeld) {
                return told;
            }
            if (result.blockSequence() <= lastSequence) {
                continue;
            }
            if (result.blockSequence() != lastSequence + 1) {
                log.warn("queue/results: {} follows {}", result.blockSequence(), lastSequence);
            }
            lastSequence = result.blockSequence();
            results.onResult(lastSequence, digest(), result.executedTimeNs());
            told++;
        }
        return told;
    }

    /** Moves the tailer behind the last result that is not newer than the last known one. */
    private void stepBack() {
        tailer.direction(TailerDirection.BACKWARD).toEnd();
        long at = Long.MIN_VALUE;
        while (read() && result.blockSequence() > lastSequence) {
            at = tailer.lastReadIndex();
        }
        tailer.direction(TailerDirection.FORWARD);
        if (at == Long.MIN_VALUE) {
            tailer.toEnd();
        } else {
            tailer.moveToIndex(at);
        }
    }

    private boolean read() {
        excerpt.clear();
        if (!tailer.readBytes(excerpt)) {
            return false;
        }
        buffer.wrap(excerpt.toByteArray());
        if (buffer.capacity() < MessageHeaderDecoder.ENCODED_LENGTH + BlockResultDecoder.BLOCK_LENGTH) {
            throw new IllegalStateException("queue/results: excerpt of " + buffer.capacity() + " bytes");
        }
        header.wrap(buffer, 0);
        if (header.templateId() != BlockResultDecoder.TEMPLATE_ID) {
            throw new IllegalStateException("queue/results: template " + header.templateId());
        }
        result.wrap(buffer, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
        return true;
    }

    private byte[] digest() {
        return ByteBuffer.allocate(DIGEST_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(result.resultDigest0())
                .putLong(result.resultDigest1())
                .putLong(result.resultDigest2())
                .putLong(result.resultDigest3())
                .array();
    }

    @Override
    public void close() {
        if (tailer != null) {
            tailer.close();
        }
        queue.close();
    }
}
