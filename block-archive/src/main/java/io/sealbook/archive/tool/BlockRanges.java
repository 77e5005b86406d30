package io.sealbook.archive.tool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;

/** Blocks as a message names them, such as {@code 3, 5..8}. They are added from the last one to the first. */
final class BlockRanges {
    private final Deque<Range> ranges = new ArrayDeque<>();

    private record Range(long first, long last) {
        @Override
        public String toString() {
            return first == last ? Long.toString(first) : first + ".." + last;
        }
    }

    /** Adds a block that comes before those that were added so far. */
    void addBefore(long sequence) {
        boolean isContinued = !ranges.isEmpty() && ranges.getFirst().first == sequence + 1;
        ranges.addFirst(new Range(sequence, isContinued ? ranges.removeFirst().last : sequence));
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    @Override
    public String toString() {
        return ranges.stream().map(Range::toString).collect(Collectors.joining(", "));
    }
}
