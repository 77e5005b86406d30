package io.sealbook.engine.intake;

import io.sealbook.archive.Block;
import io.sealbook.engine.monitor.BrokenInvariantException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;

/**
 * Reads the committed blocks that the consensus node writes, one excerpt a block, and refuses a gap or a broken chain: each block must
 * follow its predecessor's number and name its predecessor's hash. Blocks up to the starting position are passed over.
 *
 * <p>One thread opens, positions and reads it.
 */
public final class CommittedBlockReader implements AutoCloseable {
    /** No excerpt is known at the starting position. */
    public static final long NO_QUEUE_INDEX = -1;

    private static final int BUFFER_BYTES = 1 << 16;

    private final ChronicleQueue queue;
    private final ExcerptTailer tailer;
    private final Bytes<byte[]> buffer = Bytes.allocateElasticOnHeap(BUFFER_BYTES);
    private long lastSequence;
    private byte[] lastHash;
    private boolean isFirst = true;

    public CommittedBlockReader(Path directory) {
        queue = Queues.openForReading(directory);
        tailer = queue.createTailer();
    }

    /**
     * Starts behind a block.
     *
     * @param sequence last block that is executed already; 0 before the first
     * @param hash its hash; before the first block the genesis digest
     * @param queueIndex where its excerpt stood, or {@link #NO_QUEUE_INDEX}; a wrong one only costs a scan of the queue
     */
    public void positionAfter(long sequence, byte[] hash, long queueIndex) {
        lastSequence = sequence;
        lastHash = hash.clone();
        isFirst = true;
        if (!standsAt(sequence, queueIndex)) {
            tailer.toStart();
        }
    }

    /**
     * Returns the next block, empty when none is there yet.
     *
     * @throws BrokenInvariantException if it does not follow the last one
     */
    public Optional<CommittedBlock> poll() {
        while (read()) {
            long queueIndex = tailer.lastReadIndex();
            Block block = Block.wrap(buffer.toByteArray());
            long sequence = block.header().sequence();
            byte[] hash = block.hash();
            if (sequence <= lastSequence) {
                checkPassedOver(sequence, hash);
                continue;
            }
            checkFollows(block);
            lastSequence = sequence;
            lastHash = hash;
            isFirst = false;
            return Optional.of(new CommittedBlock(block, hash, queueIndex));
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        queue.close();
        buffer.releaseLast();
    }

    private boolean standsAt(long sequence, long queueIndex) {
        return queueIndex != NO_QUEUE_INDEX
                && tailer.moveToIndex(queueIndex)
                && read()
                && Block.wrap(buffer.toByteArray()).header().sequence() == sequence;
    }

    private boolean read() {
        buffer.clear();
        return tailer.readBytes(buffer);
    }

    private void checkPassedOver(long sequence, byte[] hash) {
        if (!isFirst) {
            throw new BrokenInvariantException("queue: block " + sequence + " came after block " + lastSequence);
        }
        if (sequence == lastSequence && !Arrays.equals(hash, lastHash)) {
            throw new BrokenInvariantException("queue: block " + sequence + " has hash " + hex(hash)
                    + ", but the state was built on " + hex(lastHash));
        }
    }

    private void checkFollows(Block block) {
        long sequence = block.header().sequence();
        if (sequence != lastSequence + 1) {
            String where = isFirst ? "queue starts at block " : "queue has a gap: block ";
            throw new BrokenInvariantException(where + sequence + ", the engine needs block " + (lastSequence + 1)
                    + "; hand the missing blocks over again, or start from a snapshot of block " + (sequence - 1)
                    + " or later");
        }
        if (!Arrays.equals(block.header().previousHash(), lastHash)) {
            throw new BrokenInvariantException("queue: block " + sequence + " names "
                    + hex(block.header().previousHash()) + " as its predecessor's hash, expected " + hex(lastHash));
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
