package io.sealbook.engine.reports;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * The report files that are open beside the newest one of each broker: a bounded number, whatever number is kept. An
 * engine keeps thousands, and a descriptor and a whole index of each would use up those of the process and its heap.
 * Any thread.
 */
final class OpenSegments {
    /** The file not used for longest is closed for the next; an index has at most some 130 KB. */
    static final int OPEN_MAX = 32;

    /** In the order of their last use. */
    private final SequencedSet<ReportSegment> segments = new LinkedHashSet<>();

    /**
     * Takes in a file that is read, or marks it as used, and closes the one not used for longest if they are too many.
     *
     * @param segment is open; the caller does not hold its lock
     * @throws IOException if the other file cannot be closed
     */
    void use(ReportSegment segment) throws IOException {
        Optional<ReportSegment> evicted = add(segment);
        if (evicted.isPresent()) {
            evicted.get().release();
        }
    }

    private synchronized Optional<ReportSegment> add(ReportSegment segment) {
        segments.addLast(segment);
        return segments.size() > OPEN_MAX ? Optional.of(segments.removeFirst()) : Optional.empty();
    }

    /** Forgets a file: it is closed, or the newest one of its broker again. */
    synchronized void forget(ReportSegment segment) {
        segments.remove(segment);
    }
}
