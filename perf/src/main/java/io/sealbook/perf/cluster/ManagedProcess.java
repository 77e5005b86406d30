package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process this program started: its command, its log file, and how it is stopped. Starting it again appends to the
 * log.
 */
final class ManagedProcess {
    private static final int LOG_TAIL_LINES = 15;

    private final String name;
    private final List<String> command;
    private final Path logFile;
    private final Map<String, String> environment;
    private Process process;
    private boolean isExpectedToRun;

    ManagedProcess(String name, List<String> command, Path logFile) {
        this(name, command, logFile, Map.of());
    }

    /**
     * Describes a process; nothing runs yet.
     *
     * @param name for messages
     * @param command program and arguments
     * @param logFile gets its output
     * @param environment variables beside those of this process
     */
    ManagedProcess(String name, List<String> command, Path logFile, Map<String, String> environment) {
        this.name = name;
        this.command = command;
        this.logFile = logFile;
        this.environment = environment;
    }

    String name() {
        return name;
    }

    synchronized void start() throws IOException {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already, pid " + process.pid());
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        process.getOutputStream().close();
        isExpectedToRun = true;
    }

    /** Ends the process as a power cut of its program would: SIGKILL. */
    synchronized void kill() throws InterruptedException {
        isExpectedToRun = false;
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Asks the process to end, and ends it by force when it has not within the time given. */
    void stop(long timeoutMs) throws InterruptedException {
        requestStop();
        awaitStop(timeoutMs);
    }

    synchronized void requestStop() {
        isExpectedToRun = false;
        if (process != null) {
            process.destroy();
        }
    }

    void awaitStop(long timeoutMs) throws InterruptedException {
        Process stopping;
        synchronized (this) {
            stopping = process;
        }
        if (stopping != null && !stopping.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            stopping.destroyForcibly().waitFor();
        }
    }

    synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Checks that the process runs; throws with the last lines of its log if it ended without being stopped. */
    synchronized void checkRunning() throws IOException {
        if (isExpectedToRun && !process.isAlive()) {
            throw new IOException(name + " ended by itself with exit code " + process.exitValue() + "; the end of "
                    + logFile + ":\n" + logTail());
        }
    }

    synchronized double cpuSeconds() {
        return process == null ? 0 : cpuSeconds(process.toHandle());
    }

    static double cpuSeconds(ProcessHandle handle) {
        return handle.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
    }

    String logTail() throws IOException {
        if (!Files.exists(logFile)) {
            return "(no log)";
        }
        List<String> lines = new String(Files.readAllBytes(logFile), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }
}
