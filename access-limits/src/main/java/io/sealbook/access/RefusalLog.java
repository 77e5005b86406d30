package io.sealbook.access;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Logs refusals: at most {@link #LINES_MAX} lines per {@link #INTERVAL_MS}, then the number of the others. Any thread;
 * the lock is held while a line is logged.
 */
public final class RefusalLog {
    /** Lines per interval. */
    public static final int LINES_MAX = 5;

    /** Length of an interval, which begins with its first refusal. */
    public static final int INTERVAL_MS = 10_000;

    private final String owner;
    private final String metric;
    private final Consumer<String> lines;
    private final BiConsumer<Runnable, Integer> timer;
    private int lineCount;
    private long suppressedCount;

    /**
     * Makes a log without a refusal.
     *
     * @param owner first words of each line: the process and its port
     * @param metric its name; it counts all refusals
     * @param lines is given each line; must not wait
     * @param timer runs a task after a number of milliseconds, on any thread
     */
    public RefusalLog(String owner, String metric, Consumer<String> lines, BiConsumer<Runnable, Integer> timer) {
        this.owner = owner;
        this.metric = metric;
        this.lines = lines;
        this.timer = timer;
    }

    /**
     * Logs or counts one refusal.
     *
     * @param remote address of the connection
     * @param reason why it was refused
     */
    public synchronized void refused(Object remote, String reason) {
        if (lineCount == LINES_MAX) {
            suppressedCount++;
            return;
        }
        if (lineCount == 0) {
            timer.accept(this::endInterval, INTERVAL_MS);
        }
        lineCount++;
        lines.accept(owner + " connection " + remote + ": " + reason);
    }

    private synchronized void endInterval() {
        if (suppressedCount > 0) {
            lines.accept(owner + ": " + suppressedCount + " more refused within " + INTERVAL_MS + " ms; " + metric
                    + " counts all");
        }
        lineCount = 0;
        suppressedCount = 0;
    }
}
