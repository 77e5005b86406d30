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
 * Executes each committed block when it is handed over, before {@link #append} returns. At a start it is handed every
 * block of the archive that is not in the engine's state. The result of the state it starts from is reported too: if
 * agreement awaits it, no execution will produce it again.
 *
 * <p>One thread at a time: the starting thread, then the committer's.
 */
public final class InProcessExecution implements BlockSink, AutoCloseable {
    private final InProcessEngine engine;
    private final BlockArchive archive;
    private final LongSupplier wallNs;
    /** Of blocks that were executed before the taker of results was known. */
    private final ArrayDeque<BlockResult> early = new ArrayDeque<>();

    private BlockResults results = early::add;
    private long lastSequence;
    /** State of a block that the archive does not have yet. */
    private Optional<InProcessEngine.Position> ahead = Optional.empty();

    /**
     * @param engine has executed nothing since it was opened; closed with this execution
     * @param archive holds each block that is handed over; stays the caller's
     * @param wallNs nanoseconds since 1970
     */
    public InProcessExecution(InProcessEngine engine, BlockArchive archive, LongSupplier wallNs) {
        this.engine = engine;
        this.archive = archive;
        this.wallNs = wallNs;
        engine.restored().ifPresent(this::startAfter);
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
            execute(Block.wrap(archive.read(location.sequence())
                    .orElseThrow(() -> new BrokenInvariantException("archive lost block " + location.sequence()))));
        }
    }

    /** Executes what was just committed from memory. */
    @Override
    public void append(BlockLocation location, Block content) {
        reportIfAhead(location.sequence());
        if (isNext(location.sequence())) {
            execute(content);
        }
    }

    private boolean isNext(long sequence) {
        if (sequence > lastSequence + 1) {
            throw new BrokenInvariantException(
                    "engine inside the node has executed block " + lastSequence + ", cannot execute " + sequence);
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
        Digest digest = engine.execute(block);
        lastSequence = sequence;
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

    @Override
    public void close() {
        engine.close();
    }
}
