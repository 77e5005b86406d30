package io.sealbook.engine.reports;

import java.util.Arrays;

/**
 * The places in a report file at which a read begins: one per stretch of the file, or, once the stretches are
 * forgotten, one per piece, whose stretches are found by another walk over it. One thread at a time.
 */
final class ReportIndex {
    /** A stretch begins with the first chunk at least this many bytes after the beginning of the one before. */
    static final int STRETCH_LENGTH = 4 << 10;
    /** The same of a piece: a file that is not open, of some 17 MB, has entries of about 1 KB. */
    static final int PIECE_LENGTH = 256 << 10;

    /** Entries for which there is room at first. */
    private static final int ROOM = 16;

    private long[] reports = new long[ROOM];
    private long[] offsets = new long[ROOM];
    /** By entry, whether the stretches up to the next one are forgotten. */
    private boolean[] areForgotten = new boolean[ROOM];

    private int count;
    private long end;
    private long nextReport;

    /**
     * Makes an index without entries.
     *
     * @param nextReport first report of the first chunk
     * @param begin offset of the first chunk
     */
    ReportIndex(long nextReport, long begin) {
        this.nextReport = nextReport;
        this.end = begin;
    }

    /** Returns the offset after the last chunk. */
    long end() {
        return end;
    }

    /** Returns the first report of the chunk that comes next. */
    long nextReport() {
        return nextReport;
    }

    /** Takes in the next chunk: its number of reports, and its length in bytes. */
    void add(int reportCount, int length) {
        if (count == 0 || end - offsets[count - 1] >= STRETCH_LENGTH) {
            if (count == reports.length) {
                resize(Math.max(ROOM, 2 * count));
            }
            reports[count] = nextReport;
            offsets[count] = end;
            areForgotten[count] = false;
            count++;
        }
        end += length;
        nextReport += reportCount;
    }

    /** Returns the last entry at or before a report; -1 if there is none. */
    int entryOf(long sequence) {
        int found = Arrays.binarySearch(reports, 0, count, sequence);
        return found >= 0 ? found : -found - 2;
    }

    /** Returns the first report of an entry. */
    long report(int entry) {
        return reports[entry];
    }

    /** Returns the offset of an entry's first chunk. */
    long offset(int entry) {
        return offsets[entry];
    }

    /** Returns the offset after an entry's last chunk. */
    long endOf(int entry) {
        return entry + 1 < count ? offsets[entry + 1] : end;
    }

    /** Returns whether an entry is a piece whose stretches are forgotten. */
    boolean isForgotten(int entry) {
        return areForgotten[entry];
    }

    /** Forgets all stretches but the first one of each piece. */
    void forgetStretches() {
        int kept = 0;
        for (int entry = 0; entry < count; entry++) {
            if (kept == 0 || offsets[entry] - offsets[kept - 1] >= PIECE_LENGTH) {
                reports[kept] = reports[entry];
                offsets[kept] = offsets[entry];
                areForgotten[kept] = areForgotten[entry];
                kept++;
            } else {
                areForgotten[kept - 1] = true;
            }
        }
        count = kept;
        resize(kept);
    }

    /**
     * Puts the stretches of a piece in its place.
     *
     * @param entry the piece
     * @param walked has the stretches that a walk over the piece has found; the last one goes to the end of the piece
     */
    void remember(int entry, ReportIndex walked) {
        int more = walked.count - 1;
        if (more < 0) {
            return;
        }
        int after = count - entry - 1;
        if (count + more > reports.length) {
            resize(Math.max(count + more, 2 * count));
        }
        System.arraycopy(reports, entry + 1, reports, entry + 1 + more, after);
        System.arraycopy(offsets, entry + 1, offsets, entry + 1 + more, after);
        System.arraycopy(areForgotten, entry + 1, areForgotten, entry + 1 + more, after);
        System.arraycopy(walked.reports, 0, reports, entry, walked.count);
        System.arraycopy(walked.offsets, 0, offsets, entry, walked.count);
        System.arraycopy(walked.areForgotten, 0, areForgotten, entry, walked.count);
        count += more;
    }

    /**
     * Forgets the chunks from one on.
     *
     * @param report the first report of that chunk
     * @param offset of that chunk
     */
    void cutFrom(long report, long offset) {
        int entry = entryOf(report);
        count = offset == offsets[entry] ? entry : entry + 1;
        end = offset;
        nextReport = report;
    }

    private void resize(int room) {
        reports = Arrays.copyOf(reports, room);
        offsets = Arrays.copyOf(offsets, room);
        areForgotten = Arrays.copyOf(areForgotten, room);
    }
}
