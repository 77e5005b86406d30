package io.sealbook.consensus.gateway;

import io.grpc.Status;
import io.sealbook.archive.Block;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.block.CommittedBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves all followers in turn, a few blocks each, on one thread. */
public final class Followers extends DutyCycle {
    private static final int BLOCKS_PER_TURN = 16;
    private static final long IDLE_NS = 250_000_000L;

    private final CommittedBlocks blocks;
    private final NodeMetrics metrics;
    private final long stallNs;
    private final ConcurrentLinkedQueue<CommitFollower<?>> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    private final List<CommitFollower<?>> followers = new ArrayList<>();

    public Followers(CommittedBlocks blocks, NodeMetrics metrics, int stallMs) {
        this.blocks = blocks;
        this.metrics = metrics;
        this.stallNs = TimeUnit.MILLISECONDS.toNanos(stallMs);
    }

    /** Adds a follower; how many there can be is the gateway's to limit. */
    void add(CommitFollower<?> follower) {
        count.incrementAndGet();
        arrived.add(follower);
        signal();
    }

    /** Signals that a block was committed, or that a stream can take more. Any thread. */
    public void signal() {
        isSignalled.set(true);
        wakeUp();
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
        return IDLE_NS;
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
                metrics.followerCut();
                follower.cut();
                return -1;
            }
            Optional<Block> block = blocks.block(follower.nextSequence());
            if (block.isEmpty()) {
                follower.fail(Status.OUT_OF_RANGE.withDescription("block " + follower.nextSequence()
                        + " cannot be read here; the first is " + blocks.firstSequence()));
                return -1;
            }
            follower.take(block.get());
            taken++;
        }
        return taken;
    }
}
