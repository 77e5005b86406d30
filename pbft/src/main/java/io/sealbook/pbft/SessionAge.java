package io.sealbook.pbft;

import java.util.ArrayDeque;

/**
 * How long the oldest batch of one session has been ready: f+1 replicas hold it, as far as this one knows, and it is in
 * no block. A primary is to blame for such batches only.
 *
 * <p>Each STATUS period leaves one mark at most, with the number up to which the session was ready then. A batch that
 * became ready and was delivered between two marks leaves no trace, and an age is one period too small at most.
 */
final class SessionAge {
    private record Mark(long period, long number) {}

    /** Ascending by period and by number. */
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();

    private final int periodsMax;

    /** @param periodsMax age from which on more makes no difference, in periods; 1 or more */
    SessionAge(int periodsMax) {
        this.periodsMax = periodsMax;
    }

    /**
     * A STATUS period in which the primary could be blamed is over.
     *
     * @param period counts such periods
     * @param delivered last number in a block
     * @param ready last number that f+1 hold
     */
    void onPeriod(long period, long delivered, long ready) {
        while (!marks.isEmpty() && marks.getFirst().number <= delivered) {
            marks.removeFirst();
        }
        long marked = marks.isEmpty() ? delivered : marks.getLast().number;
        // Beyond the greatest age the primary is blamed for the oldest; what comes later begins with the next mark.
        if (ready > marked && marks.size() <= periodsMax) {
            marks.addLast(new Mark(period, ready));
        }
    }

    /**
     * Returns for how many periods the oldest batch has been ready.
     *
     * @param period the present one
     * @param since first period that counts: the view began in it
     * @return 0 if no batch was ready when the last period ended
     */
    long of(long period, long since) {
        return marks.isEmpty() ? 0 : period - Math.max(marks.getFirst().period, since);
    }

    int entryCount() {
        return marks.size();
    }
}
