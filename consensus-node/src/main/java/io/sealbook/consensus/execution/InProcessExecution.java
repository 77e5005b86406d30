package io.sealbook.consensus.execution;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockLocation;
import io.sealbook.consensus.handoff.BlockResults;
import io.sealbook.handoff.BlockResult;
import io.sealbook.node.port.BlockSink;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Executes committed blocks in their order: each before {@link #append} returns, or later, when {@link #executeNext} is
 * called. At a start it is handed every block of the archive that is not in the engine's state; those are executed at
 * once. The result of the state it starts from is reported too: if agreement awaits it, no execution will produce it
 * again.
 *
 * <p>What waits is in memory only. It is in the archive, and executed at the next start if the process ends before.
 *
 * <p>One thread at a time: the starting thread, then the committer's.
 */
public final class InProcessExecution implements BlockSink, AutoCloseable {
    /**
     * Results that are kept until their taker is known, the last ones: more than agreement can wait for, which are
     * those of the log window, and none of the millions before them that a replay from the first block makes.
     */
    static final int EARLY_MAX = 1 << 16;

    private final InProcessEngine engine;
    private final BlockArchive archive;
    private final LongSupplier wallNs;
    private final int waitingMax;
    /** Handed over and not executed, in their order. */
    private final ArrayDeque<Block> waiting = new ArrayDeque<>();
    /** Of blocks that were executed before the taker of results was known. */
    private final ArrayDeque<BlockResult> early = new ArrayDeque<>();

    private BlockResults results = this::keep;
    /** The last block handed over. */
    private long lastSequence;

    private boolean hasFailed;
    /** State of a block that the archive does not have yet. */
    private Optional<InProcessEngine.Position> ahead = Optional.empty();

    /**
     * @param engine has executed nothing since it was opened; closed with this execution
     * @param archive holds each block that is handed over; stays the caller's
     * @param wallNs nanoseconds since 1970
     * @param waitingMax blocks that may wait for {@link #executeNext}: one more is taken when the oldest is executed;
     *     0: none waits
     */
    public InProcessExecution(InProcessEngine engine, BlockArchive archive, LongSupplier wallNs, int waitingMax) {
        this.engine = engine;
        this.archive = archive;
        this.wallNs = wallNs;
        this.waitingMax = waitingMax;
        engine.restored().ifPresent(this::startAfter);
    }

    private void keep(BlockResult result) {
        if (early.size() == EARLY_MAX) {
            early.remove();
        }
        early.add(result);
    }

    /** After a power failure the state may be ahead of the archive: the node fetches these blocks from its peers. */
    private void startAfter(InProcessEngine.Position position) {
        lastSequence = position.sequence();
        ahead = Optional.of(position);
        if (last().isPresent()) {
            reportIfAhead(position.sequence());
        }
    }

    private void requireSame(InProcessEngine.Position position) {
        last().filter(location -> !location.hash().equals(position.hash())).ifPresent(location -> {
            throw new BrokenInvariantException("engine: its state was built on block " + position.sequence()
                    + " of hash " + position.hash().hex() + ", which has "
                    + location.hash().hex() + " in the archive");
        });
    }

    /**
     * Passes on the results of all later blocks, and those of earlier ones that are not known.
     *
     * @param receiver called on the thread that executes
     * @param lastKnown results up to this block are not passed on
     */
    public void onResults(BlockResults receiver, long lastKnown) {
        results = receiver;
        early.stream().filter(result -> result.sequence() > lastKnown).forEach(receiver::onResult);
        early.clear();
    }

    /** Reads the block from the archive: one of an earlier run. */
    @Override
    public void append(BlockLocation location) {
        reportIfAhead(location.sequence());
        if (isNext(location.sequence())) {
            lastSequence = location.sequence();
            executeWaiting();
            execute(Block.wrap(archive.read(location.sequence())
                    .orElseThrow(() -> new BrokenInvariantException("archive lost block " + location.sequence()))));
        }
    }

    /** Takes what was just committed from memory. */
    @Override
    public void append(BlockLocation location, Block content) {
        reportIfAhead(location.sequence());
        if (isNext(location.sequence())) {
            lastSequence = location.sequence();
            waiting.add(content);
            while (waiting.size() > waitingMax) {
                executeNext();
            }
        }
    }

    /** Returns whether a block waits for {@link #executeNext}. */
    public boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Executes the block that waits longest; there is one. */
    public void executeNext() {
        execute(waiting.remove());
    }

    private void executeWaiting() {
        while (hasWaiting()) {
            executeNext();
        }
    }

    private boolean isNext(long sequence) {
        if (sequence > lastSequence + 1) {
            throw new BrokenInvariantException(
                    "engine inside the node has block " + lastSequence + ", cannot execute " + sequence);
        }
        return sequence == lastSequence + 1;
    }

    /** The block of the state has come. */
    private void reportIfAhead(long sequence) {
        Optional<InProcessEngine.Position> position = ahead.filter(one -> one.sequence() == sequence);
        if (position.isPresent()) {
            ahead = Optional.empty();
            requireSame(position.get());
            report(sequence, position.get().resultDigest());
        }
    }

    private void execute(Block block) {
        long sequence = block.header().sequence();
        hasFailed = true;
        Digest digest = engine.execute(block);
        hasFailed = false;
        report(sequence, digest);
    }

    private void report(long sequence, Digest digest) {
        results.onResult(new BlockResult(sequence, digest, wallNs.getAsLong(), 0, 0));
    }

    @Override
    public Optional<BlockLocation> last() {
        return archive.location(lastSequence);
    }

    @Override
    public long lastSequence() {
        return lastSequence;
    }

    /** Executes what waits, unless the engine has failed, and closes the engine. */
    @Override
    public void close() {
        try {
            if (!hasFailed) {
                executeWaiting();
            }
        } finally {
            engine.close();
        }
    }
}
