package io.sealbook.perf.siege;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An attack that goes on, round after round on a thread of its own, while honest callers are served. {@link #close}
 * ends it; the first round that fails does so, too. Its methods belong to the thread that began it.
 */
final class AttackLoop implements AutoCloseable {
    /** Without a pause it measures the processor. */
    private static final long PAUSE_MS = 1;

    private final Round round;
    private final Thread thread;
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean isOver;

    private AttackLoop(String name, Round round) {
        this.round = round;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    }

    /** One round of an attack. */
    interface Round {
        /**
         * Makes the round, and waits for what comes of it.
         *
         * @throws Exception if it was not refused as it must be, or could not be made
         */
        void make() throws Exception;
    }

    /** Begins the first round; the next one follows until {@link #close}. */
    static AttackLoop begin(String name, Round round) {
        AttackLoop loop = new AttackLoop(name, round);
        loop.thread.start();
        return loop;
    }

    private void run() {
        try {
            while (!isOver) {
                round.make();
                rounds.incrementAndGet();
                Thread.sleep(PAUSE_MS);
            }
        } catch (Exception e) {
            failure.set(e);
        }
    }

    /** Returns the number of rounds that have ended as they must. */
    long rounds() {
        return rounds.get();
    }

    /**
     * Waits until a number of further rounds have ended as they must: the attack goes on now.
     *
     * @throws IOException if a round has failed, or they do not end within minutes
     */
    void awaitRounds(long count) throws IOException, InterruptedException {
        long enough = rounds() + count;
        Await.fact(count + " further rounds of " + thread.getName(), () -> rounds() >= enough || failure.get() != null);
        Exception failed = failure.get();
        if (failed != null) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    /** Ends the attack after the round that is under way; a wait in it is interrupted. */
    @Override
    public void close() throws InterruptedException {
        isOver = true;
        thread.interrupt();
        thread.join();
    }
}
