package io.sealbook.client.reports;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Where new reports begin, from what engines say about the last one. Faulty engines say anything: the first report is
 * one that a correct engine has reached, and never beyond all correct ones. Loop thread only.
 */
final class ReportsFromNow {
    private final IntSupplier needed;
    private final Map<Integer, Long> ends = new HashMap<>();

    /** @param needed returns the number of engines of which one is correct */
    ReportsFromNow(IntSupplier needed) {
        this.needed = needed;
    }

    /**
     * Takes the answer of an engine.
     *
     * @param nodeId of the engine
     * @param last sequence of the broker's last report there
     */
    void add(int nodeId, long last) {
        ends.put(nodeId, last);
    }

    /** Forgets the answer of an engine that is none any more. */
    void forget(int nodeId) {
        ends.remove(nodeId);
    }

    /**
     * Returns whether the answers suffice.
     *
     * @param engineCount that are asked; one less than are needed may never answer
     */
    boolean isEnough(int engineCount) {
        int least = needed.getAsInt();
        return ends.size() >= Math.max(least, engineCount - least + 1);
    }

    /** Returns the report after the highest one that as many engines as are needed have reached. */
    long first() {
        List<Long> sorted =
                ends.values().stream().sorted(Comparator.reverseOrder()).toList();
        return sorted.get(needed.getAsInt() - 1) + 1;
    }
}
