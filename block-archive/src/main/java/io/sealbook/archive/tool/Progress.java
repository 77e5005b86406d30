package io.sealbook.archive.tool;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/**
 * Reports the progress of a long run on standard error, once per second; a run of less than a second reports nothing.
 */
final class Progress {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final PrintWriter err;
    private final String what;
    private final long total;
    private long nextNs = System.nanoTime() + INTERVAL_NS;

    Progress(PrintWriter err, String what, long total) {
        this.err = err;
        this.what = what;
        this.total = total;
    }

    void reached(long done) {
        long nowNs = System.nanoTime();
        if (nowNs - nextNs >= 0) {
            nextNs = nowNs + INTERVAL_NS;
            err.println(what + " " + done + " of " + total);
        }
    }
}
