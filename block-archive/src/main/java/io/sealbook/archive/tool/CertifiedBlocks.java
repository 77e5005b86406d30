package io.sealbook.archive.tool;

import java.util.ArrayList;
import java.util.List;

/**
 * Which blocks of a chain are certified. A certificate covers its own block and, through the previous hashes, every
 * block before it back to one that is damaged or not here.
 */
final class CertifiedBlocks {
    private final List<Range> ranges = new ArrayList<>();
    private long runStart;
    private long last = -1;

    /** Blocks from the first to the last, both included. */
    private record Range(long first, long last) {
        @Override
        public String toString() {
            return first + ".." + last;
        }
    }

    /** Adds a block that is whole and linked to the block before it, if that was added too. */
    void addBlock(long sequence) {
        if (sequence != last + 1) {
            runStart = sequence;
        }
        last = sequence;
    }

    /** Notes that a quorum has certified a block. It has no effect when this is not the block that was added last. */
    void certify(long sequence) {
        if (sequence != last) {
            return;
        }
        if (!ranges.isEmpty() && ranges.getLast().first == runStart) {
            ranges.removeLast();
        }
        ranges.add(new Range(runStart, sequence));
    }

    /** Returns the last certified block; 0 when there is none. */
    long lastCertified() {
        return ranges.isEmpty() ? 0 : ranges.getLast().last;
    }

    /** Returns the certified ranges, such as {@code 1..176}; {@code none} when there is none. */
    @Override
    public String toString() {
        return ranges.isEmpty()
                ? "none"
                : String.join(", ", ranges.stream().map(Range::toString).toList());
    }
}
