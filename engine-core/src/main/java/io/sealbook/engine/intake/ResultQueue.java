package io.sealbook.engine.intake;

import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reports the result of each block to the node, exactly once also across restarts: a block whose result is in the queue
 * already is compared instead of written, and a difference stops the engine. One thread opens and uses it.
 */
public final class ResultQueue implements AutoCloseable {
    private final HandOffWriter<BlockResult> writer;
    private final HandOffReader<BlockResult> published;
    private long lastSequence;

    /**
     * Opens the queue and finds its last result.
     *
     * @param directory of the queue; created if it is absent
     * @throws io.sealbook.handoff.HandOffException if the last result is damaged
     */
    public ResultQueue(Path directory) {
        writer = HandOffWriter.ofResults(directory);
        published = writer.reader();
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

    /** Prepares to compare the blocks after {@code sequence} that were published before. */
    public void positionAfter(long sequence) {
        published.toFirstAfter(sequence);
        if (lastSequence <= sequence) {
            return;
        }
        long first = published.read().map(BlockResult::sequence).orElse(0L);
        if (first != sequence + 1) {
            throw new BrokenInvariantException(
                    "results: first result is of block " + first + ", block " + (sequence + 1) + " is missing");
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

    private void compare(BlockResult result) {
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
