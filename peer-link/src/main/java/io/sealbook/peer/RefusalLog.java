package io.sealbook.peer;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Logs refused connections: at most {@link #LINES_MAX} lines per {@link #INTERVAL_MS}, then how many more there were. The
 * role's event loop only.
 */
final class RefusalLog {
    static final int LINES_MAX = 5;
    static final int INTERVAL_MS = 10_000;

    private final String owner;
    private final Consumer<String> lines;
    private final BiConsumer<Runnable, Integer> timer;
    private int lineCount;
    private long suppressedCount;

    /**
     * Nothing was refused yet.
     *
     * @param owner node and role, as each line begins
     * @param lines takes a line
     * @param timer runs a task after so many milliseconds, on the same thread
     */
    RefusalLog(String owner, Consumer<String> lines, BiConsumer<Runnable, Integer> timer) {
        this.owner = owner;
        this.lines = lines;
        this.timer = timer;
    }

    /**
     * Logs or counts one refusal.
     *
     * @param remote address of the connection
     * @param reason why it was refused
     */
    void refused(Object remote, String reason) {
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

    private void endInterval() {
        if (suppressedCount > 0) {
            lines.accept(owner + ": " + suppressedCount + " more connections refused within " + INTERVAL_MS
                    + " ms; sealbook_peer_refused_total has the reasons");
        }
        lineCount = 0;
        suppressedCount = 0;
    }
}
