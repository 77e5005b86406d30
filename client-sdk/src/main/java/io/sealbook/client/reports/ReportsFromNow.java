package io.sealbook.client.reports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where new reports begin, from what engines say about the last one. Faulty engines say anything: the first report is
 * one that a correct engine has reached, and never beyond all correct ones.
 */
final class ReportsFromNow {
    private final int needed;
    private final int answersMin;
    private final List<Long> ends = new ArrayList<>();

    /**
     * @param needed engines of which one is correct
     * @param engineCount that are asked; {@code needed - 1} of them may never answer
     */
    ReportsFromNow(int needed, int engineCount) {
        this.needed = needed;
        this.answersMin = Math.max(needed, engineCount - needed + 1);
    }

    /**
     * Takes the answer of an engine.
     *
     * @param last sequence of the broker's last report there
     * @return whether the answers suffice
     */
    boolean add(long last) {
        ends.add(last);
        return ends.size() >= answersMin;
    }

    /** Returns the report after the highest one that {@code needed} engines have reached. */
    long first() {
        ends.sort(Comparator.reverseOrder());
        return ends.get(needed - 1) + 1;
    }
}
