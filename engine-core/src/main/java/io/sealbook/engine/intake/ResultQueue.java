package io.sealbook.engine.intake;

import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the result of each block to the node, exactly once also across restarts: a block whose result is in the queue
 * already is compared instead of written, and a difference stops the engine. One thread opens and uses it;
 * {@link #force} may be called on another one.
 */
public final class ResultQueue implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ResultQueue.class);

    private final HandOffWriter<BlockResult> writer;
    private final HandOffReader<BlockResult> published;
    private final QueueFiles files;
    private long lastSequence;
    /** The results of earlier blocks are deleted. */
    private long firstCompared = 1;

    /**
     * Opens the queue and finds its last result.
     *
     * @param directory of the queue; created if it is absent
     * @throws io.sealbook.handoff.HandOffException if the last result is damaged
     */
    public ResultQueue(Path directory) {
        writer = HandOffWriter.ofResults(directory);
        published = writer.reader();
        files = QueueFiles.ofResults(directory);
        try {
            lastSequence = published.last().map(BlockResult::sequence).orElse(0L);
            published.toStart();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns the last block whose result is in the queue; 0 when it is empty. */
    public long lastSequence() {
        return lastSequence;
    }

    /**
     * Prepares to compare the blocks after {@code sequence} that were published before. Those whose results are deleted
     * are neither compared nor published again.
     *
     * @throws io.sealbook.handoff.HandOffException if one of their results is damaged
     */
    public void positionAfter(long sequence) {
        published.toFirstAfter(sequence);
        if (lastSequence <= sequence) {
            return;
        }
        firstCompared = published.read().map(BlockResult::sequence).orElse(sequence + 1);
        if (firstCompared > sequence + 1) {
            log.warn(
                    "results of blocks {} to {} are deleted: these blocks are executed without a comparison",
                    sequence + 1,
                    firstCompared - 1);
        }
        published.toFirstAfter(sequence);
    }

    /**
     * Prepares to publish the blocks after {@code sequence} anew, whatever was published for them: from there on the
     * queue counts as if it had ended with that block.
     */
    public void replaceAfter(long sequence) {
        lastSequence = sequence;
    }

    /**
     * Publishes the result of a block, or compares it with the one published before a restart.
     *
     * @param sequence of the block
     * @param digest result after it
     * @param executedTimeNs this engine's clock, ns since the epoch
     * @param orderCount orders in the block
     * @param tradeCount trades made by them
     * @throws BrokenInvariantException if the block was published with another digest, or does not follow the last one
     * @throws io.sealbook.handoff.HandOffException if the result published before is damaged
     */
    public void publish(long sequence, Digest digest, long executedTimeNs, int orderCount, int tradeCount) {
        BlockResult result = new BlockResult(sequence, digest, executedTimeNs, orderCount, tradeCount);
        if (sequence <= lastSequence) {
            compare(result);
            return;
        }
        if (lastSequence != 0 && sequence != lastSequence + 1) {
            throw new BrokenInvariantException("results: block " + sequence + " would follow block " + lastSequence);
        }
        writer.append(result);
        lastSequence = sequence;
    }

    /**
     * Forces to disk what was published. One thread at a time, which may be another one than the publisher's.
     *
     * @throws java.io.UncheckedIOException if a file cannot be forced
     */
    public void force() {
        files.force();
    }

    private void compare(BlockResult result) {
        if (result.sequence() < firstCompared) {
            return;
        }
        Optional<BlockResult> before = published.read();
        if (before.isEmpty() || before.get().sequence() != result.sequence()) {
            throw new BrokenInvariantException("results: no result of block " + result.sequence() + " although block "
                    + lastSequence + " has one");
        }
        if (!before.get().digest().equals(result.digest())) {
            throw new BrokenInvariantException("results: block " + result.sequence() + " was published with digest "
                    + before.get().digest().hex() + ", executing it again gave "
                    + result.digest().hex());
        }
    }

    @Override
    public void close() {
        published.close();
        writer.close();
    }
}
