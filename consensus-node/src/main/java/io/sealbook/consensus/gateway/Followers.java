package io.sealbook.consensus.gateway;

import io.grpc.Status;
import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.DecodedBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves all followers in turn, a few blocks each, on one thread. A follower that needs old blocks costs this thread
 * reads of the archive, up to a budget, and the committer nothing.
 */
public final class Followers extends DutyCycle {
    private static final Logger log = LoggerFactory.getLogger(Followers.class);
    private static final int BLOCKS_PER_TURN = 16;
    private static final long IDLE_NS = 250_000_000L;

    private final CommittedBlocks blocks;
    private final Runnable onCut;
    private final ReadBudget archiveReads;
    private final long stallNs;
    private final ConcurrentLinkedQueue<CommitFollower<?>> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    private final List<CommitFollower<?>> followers = new ArrayList<>();

    /**
     * @param blocks of which followers are served
     * @param onCut runs for each follower that is cut off
     * @param archiveReads limits the bytes that are read for followers far behind
     * @param stallMs milliseconds after which a follower that reads nothing is cut off
     */
    public Followers(CommittedBlocks blocks, Runnable onCut, ReadBudget archiveReads, int stallMs) {
        this.blocks = blocks;
        this.onCut = onCut;
        this.archiveReads = archiveReads;
        this.stallNs = TimeUnit.MILLISECONDS.toNanos(stallMs);
    }

    /** Adds a follower; how many there can be is the gateway's to limit. */
    void add(CommitFollower<?> follower) {
        count.incrementAndGet();
        arrived.add(follower);
        signal();
    }

    /**
     * Signals that a block was committed, or that a stream can take more; wakes no thread if there is no follower. Any
     * thread.
     */
    public void signal() {
        if (count.get() > 0) {
            isSignalled.set(true);
            wakeUp();
        }
    }

    public int count() {
        return count.get();
    }

    @Override
    public boolean hasWork() {
        return isSignalled.get();
    }

    @Override
    public long idleNs() {
        return followers.isEmpty() ? Long.MAX_VALUE : IDLE_NS;
    }

    @Override
    public int doWork() {
        isSignalled.set(false);
        for (CommitFollower<?> follower = arrived.poll(); follower != null; follower = arrived.poll()) {
            followers.add(follower);
        }
        long now = System.nanoTime();
        int done = 0;
        for (int i = followers.size() - 1; i >= 0; i--) {
            int sent = serve(followers.get(i), now);
            if (sent < 0) {
                followers.remove(i);
                count.decrementAndGet();
            } else {
                done += sent;
            }
        }
        return done;
    }

    /** Serves one follower a turn; returns the blocks it took, or -1 when it has gone. */
    private int serve(CommitFollower<?> follower, long now) {
        int taken = 0;
        while (taken < BLOCKS_PER_TURN) {
            if (follower.isCancelled() || follower.isDone()) {
                return -1;
            }
            long last = blocks.lastSequence();
            if (follower.nextSequence() > last) {
                if (follower.isReady()) {
                    follower.caughtUp(last, now);
                }
                return taken;
            }
            if (!follower.isReady()) {
                if (follower.stalledNanos(now) < stallNs) {
                    return taken;
                }
                onCut.run();
                follower.cut();
                return -1;
            }
            boolean isInMemory = blocks.isInMemory(follower.nextSequence());
            if (!isInMemory && !archiveReads.isLeft(now)) {
                return taken;
            }
            Optional<DecodedBlock> block = read(follower);
            if (block.isEmpty()) {
                return -1;
            }
            archiveReads.spend(isInMemory ? 0 : block.get().block().length());
            follower.take(block.get());
            taken++;
        }
        return taken;
    }

    /**
     * Returns the next block of a follower; ends its stream if the block cannot be read, which is no fault of the node.
     */
    private Optional<DecodedBlock> read(CommitFollower<?> follower) {
        long sequence = follower.nextSequence();
        try {
            Optional<DecodedBlock> block = blocks.decodedBlock(sequence);
            if (block.isEmpty()) {
                follower.fail(Status.OUT_OF_RANGE.withDescription(
                        "block " + sequence + " cannot be read here; the first is " + blocks.firstSequence()));
            }
            return block;
        } catch (ArchiveException | MalformedBlockException e) {
            log.error("block {} cannot be served: {}", sequence, e.getMessage());
            follower.fail(Status.DATA_LOSS.withDescription("block " + sequence + " is damaged here, ask another node"));
            return Optional.empty();
        }
    }
}
