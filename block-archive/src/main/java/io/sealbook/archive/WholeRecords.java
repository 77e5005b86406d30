package io.sealbook.archive;

import java.util.Arrays;

/**
 * The whole records of a log of certificates, in the order of the file, whose sequences ascend unless the disk has
 * written a record in a wrong place. One thread.
 */
final class WholeRecords {
    private long[] sequences = new long[64];
    private long[] offsets = new long[64];
    private long[] ends = new long[64];
    private int count;
    private boolean isAscending = true;

    /**
     * Adds the next record of the file.
     *
     * @param sequence of its certificate, from 1
     * @param offset of its first byte in the file
     * @param end offset of the first byte after it
     */
    void add(long sequence, long offset, long end) {
        if (count == sequences.length) {
            sequences = Arrays.copyOf(sequences, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        isAscending &= count == 0 || sequence > sequences[count - 1];
        sequences[count] = sequence;
        offsets[count] = offset;
        ends[count] = end;
        count++;
    }

    int count() {
        return count;
    }

    long sequence(int index) {
        return sequences[index];
    }

    long offset(int index) {
        return offsets[index];
    }

    long end(int index) {
        return ends[index];
    }

    /**
     * Returns the indices of the longest run of records whose sequences ascend strictly; of several, the one whose
     * records come first in the file. Takes n log n steps if the records are out of order.
     */
    int[] longestAscendingRun() {
        int[] run = new int[count];
        if (isAscending) {
            Arrays.setAll(run, index -> index);
            return run;
        }
        int[] lengths = lengthsOfRunsFrom();
        int missing = Arrays.stream(lengths).max().orElse(0);
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (lengths[i] == missing && (found == 0 || sequences[i] > sequences[run[found - 1]])) {
                run[found++] = i;
                missing--;
            }
        }
        return Arrays.copyOf(run, found);
    }

    /** Returns how long the longest ascending run is that begins at each record (patience sorting, from the end). */
    private int[] lengthsOfRunsFrom() {
        int[] lengths = new int[count];
        // The negated highest sequence at which a run of each length begins: ascending, and so searched by halves.
        long[] highest = new long[count];
        int longest = 0;
        for (int i = count - 1; i >= 0; i--) {
            int place = Arrays.binarySearch(highest, 0, longest, -sequences[i]);
            place = place >= 0 ? place : -place - 1;
            highest[place] = -sequences[i];
            longest = Math.max(longest, place + 1);
            lengths[i] = place + 1;
        }
        return lengths;
    }
}
