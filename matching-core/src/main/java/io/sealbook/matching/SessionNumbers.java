package io.sealbook.matching;

import java.util.Arrays;

/**
 * The number of the last executed batch of each session. Agreement delivers the batches of a session in the order of
 * their numbers, so that a number that is not above the last one has been executed or passed over. No broker can make
 * it grow. Sessions are counted over all brokers, in the order of the configuration.
 */
final class SessionNumbers {
    /** Unsigned; 0 before the first batch, because numbers count from 1. */
    private long[] last;

    private final int sessionsPerBroker;

    /**
     * @param brokerCount brokers of the configuration
     * @param sessionsPerBroker sessions that each of them has
     */
    SessionNumbers(int brokerCount, int sessionsPerBroker) {
        this.last = new long[brokerCount * sessionsPerBroker];
        this.sessionsPerBroker = sessionsPerBroker;
    }

    /** Has sessions of further brokers at the end. */
    void grow(int brokerCount) {
        last = Arrays.copyOf(last, brokerCount * sessionsPerBroker);
    }

    /** Returns the number of sessions of all brokers. */
    int count() {
        return last.length;
    }

    long last(int session) {
        return last[session];
    }

    /** Returns whether a number comes after those of all executed batches of its session. */
    boolean isNext(int session, long number) {
        return Long.compareUnsigned(number, last[session]) > 0;
    }

    void onExecuted(int session, long number) {
        last[session] = number;
    }
}
