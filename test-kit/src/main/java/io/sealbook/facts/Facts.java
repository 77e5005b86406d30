package io.sealbook.facts;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits for facts that no callback reports: the state of another process or thread. It looks again after pauses that
 * grow from 1 ms to 50 ms, so that a process which starts on a busy machine has the processor. The limit only ends a
 * test that waits in vain; it is below the five minutes after which JUnit ends most tests, so that the message names
 * the fact. Any thread may wait.
 */
public final class Facts {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long FIRST_PAUSE_NS = 1_000_000;
    private static final long LAST_PAUSE_NS = 50_000_000;

    private Facts() {}

    /** A fact that is looked at. */
    @FunctionalInterface
    public interface Condition {
        /**
         * Returns whether the fact holds.
         *
         * @throws Exception if the fact can never hold any more; the wait ends with it
         */
        boolean holds() throws Exception;
    }

    /** A value that appears. */
    @FunctionalInterface
    public interface Source<T> {
        /**
         * Returns the value, or empty while there is none.
         *
         * @throws Exception if no value can come any more; the wait ends with it
         */
        Optional<T> look() throws Exception;
    }

    /**
     * Returns when a fact holds.
     *
     * @param fact its name, for the message of a wait in vain
     * @param condition looked at by the calling thread
     * @throws AssertionError after four minutes in vain
     */
    public static void await(String fact, Condition condition) throws Exception {
        await(() -> fact, condition);
    }

    /**
     * Returns when a fact holds.
     *
     * @param fact describes what is awaited and what is the case, when the wait was in vain
     * @param condition looked at by the calling thread
     * @throws AssertionError after four minutes in vain
     */
    public static void await(Supplier<String> fact, Condition condition) throws Exception {
        awaitPresent(fact, () -> condition.holds() ? Optional.of(true) : Optional.empty());
    }

    /**
     * Returns a value as soon as there is one.
     *
     * @param fact describes what is awaited and what is the case, when the wait was in vain
     * @param source looked at by the calling thread
     * @throws AssertionError after four minutes in vain
     */
    public static <T> T awaitPresent(Supplier<String> fact, Source<T> source) throws Exception {
        return awaitPresent(fact, LIMIT, source);
    }

    /** The limit is an argument for this class's test only. */
    static <T> T awaitPresent(Supplier<String> fact, Duration limit, Source<T> source) throws Exception {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        long pauseNs = FIRST_PAUSE_NS;
        Optional<T> value = source.look();
        while (value.isEmpty()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("waited " + limit.toSeconds() + " s in vain for " + fact.get());
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("while waiting for " + fact.get());
            }
            LockSupport.parkNanos(pauseNs);
            pauseNs = Math.min(2 * pauseNs, LAST_PAUSE_NS);
            value = source.look();
        }
        return value.get();
    }
}
