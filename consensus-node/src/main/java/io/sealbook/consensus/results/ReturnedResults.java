package io.sealbook.consensus.results;

import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.handoff.BlockResults;
import io.sealbook.handoff.BlockResult;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results that came over the network, on their way to checkpoints. Streams offer them from any thread; one thread
 * passes them on, each after its block is in the archive: the engine may have the block from another node first.
 */
public final class ReturnedResults extends DutyCycle {
    private static final Logger log = LoggerFactory.getLogger(ReturnedResults.class);
    private static final int WAITING_MAX = 1_024;
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final LongSupplier lastArchived;
    private final LongSupplier isolatedAt;
    private final BlockResults results;
    private final ArrayDeque<BlockResult> waiting = new ArrayDeque<>();
    private long lastSequence;

    /** The answer to an offer. */
    enum Answer {
        TAKEN,
        /** It is here already. */
        KNOWN,
        /** The results before it are missing. */
        GAP,
        /** It may be offered again. */
        NO_ROOM
    }

    /**
     * @param lastKnown results up to this block are not needed
     * @param lastArchived a result beyond this block waits
     * @param isolatedAt returns the block at which this node's result differed from the quorum's, 0 if none did
     * @param results called by the thread of this cycle
     */
    public ReturnedResults(long lastKnown, LongSupplier lastArchived, LongSupplier isolatedAt, BlockResults results) {
        this.lastSequence = lastKnown;
        this.lastArchived = lastArchived;
        this.isolatedAt = isolatedAt;
        this.results = results;
    }

    /** Returns the first block whose result is missing, or was wrong: an engine that was rebuilt has another one. */
    synchronized long nextSequence() {
        long wrong = isolatedAt.getAsLong();
        return wrong > 0 ? Math.min(wrong, lastSequence + 1) : lastSequence + 1;
    }

    /** Takes an authenticated result, if it is the next one. */
    synchronized Answer offer(BlockResult result) {
        if (result.sequence() <= lastSequence) {
            return Answer.KNOWN;
        }
        if (result.sequence() != lastSequence + 1) {
            return Answer.GAP;
        }
        if (waiting.size() == WAITING_MAX) {
            return Answer.NO_ROOM;
        }
        lastSequence = result.sequence();
        waiting.add(result);
        wakeUp();
        return Answer.TAKEN;
    }

    /**
     * Takes an authenticated result from an engine that reports again: it was rebuilt, and what it said of this block
     * and of later ones is not true any more.
     */
    synchronized Answer offerAgain(BlockResult result) {
        if (result.sequence() <= lastSequence) {
            log.warn("the engine was rebuilt and reports again from block {} on", result.sequence());
            waiting.removeIf(former -> former.sequence() >= result.sequence());
            lastSequence = result.sequence() - 1;
        }
        return offer(result);
    }

    private synchronized BlockResult poll() {
        BlockResult next = waiting.peek();
        return next != null && next.sequence() <= lastArchived.getAsLong() ? waiting.remove() : null;
    }

    @Override
    public int doWork() {
        int count = 0;
        for (BlockResult next = poll(); next != null; next = poll()) {
            results.onResult(next);
            count++;
        }
        return count;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return IDLE_NS;
    }
}
