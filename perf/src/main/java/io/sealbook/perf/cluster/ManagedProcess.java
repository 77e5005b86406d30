package io.sealbook.perf.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A process this program started: its command, its log file, and how it is stopped. Starting it again appends to the
 * log. Any thread.
 */
public final class ManagedProcess {
    private static final int LOG_TAIL_LINES = 15;

    private final String name;
    private final List<String> command;
    private final Path logFile;
    private final Map<String, String> environment;
    private Process process;
    private boolean isExpectedToRun;
    private boolean isPaused;
    private boolean isOver;

    /**
     * Describes a process in the environment of this one; nothing runs yet.
     *
     * @param name for messages
     * @param command program and arguments
     * @param logFile gets its output
     */
    public ManagedProcess(String name, List<String> command, Path logFile) {
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

    public String name() {
        return name;
    }

    /** Returns the file that gets its output. */
    public Path logFile() {
        return logFile;
    }

    /**
     * Starts the process; its output is appended to the log.
     *
     * @throws IllegalStateException if it runs already
     * @throws InterruptedIOException after {@link #end}
     */
    public synchronized void start() throws IOException {
        if (isOver) {
            throw new InterruptedIOException(name + " is not started again, because this program ends");
        }
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
        isPaused = false;
    }

    /** Returns whether {@link #end} was called: the process was ended with this program, not by a fault. */
    public synchronized boolean isOver() {
        return isOver;
    }

    /** Stops the process where it is, with SIGSTOP: it holds its memory, its files and its connections. */
    public synchronized void pause() throws IOException, InterruptedException {
        signal("-STOP");
        isPaused = true;
    }

    /** Lets a paused process go on, with SIGCONT. */
    public synchronized void resume() throws IOException, InterruptedException {
        if (isPaused && isRunning()) {
            signal("-CONT");
        }
        isPaused = false;
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int exitCode = new ProcessBuilder("kill", signal, Long.toString(pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exitCode != 0 && process.isAlive()) {
            throw new IOException("kill " + signal + " of " + name + " ended with exit code " + exitCode);
        }
    }

    /**
     * Returns the operating system's number of the process that was started last.
     *
     * @throws IllegalStateException if none was
     */
    public synchronized long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process.pid();
    }

    /**
     * Waits until the process has ended by itself; {@link #checkRunning} expects that from now on.
     *
     * @param timeout longest wait
     * @return its exit code, or nothing if it still runs
     */
    public OptionalInt awaitEnd(Duration timeout) throws InterruptedException {
        Process ending;
        synchronized (this) {
            isExpectedToRun = false;
            ending = process;
        }
        return ending.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(ending.exitValue())
                : OptionalInt.empty();
    }

    /** Ends the process as a power cut of its program would: SIGKILL. */
    public synchronized void kill() throws InterruptedException {
        isExpectedToRun = false;
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Asks the process to end, and ends it by force when it has not within the time given, in ms. */
    public void stop(long timeoutMs) throws InterruptedException {
        requestStop();
        awaitStop(timeoutMs);
    }

    /**
     * Does what {@link #stop} does, and lets no thread start the process again: this program ends, and its other
     * threads do not know it.
     */
    public void end(long timeoutMs) throws InterruptedException {
        requestEnd();
        awaitStop(timeoutMs);
    }

    synchronized void requestEnd() {
        isOver = true;
        requestStop();
    }

    synchronized void requestStop() {
        isExpectedToRun = false;
        if (process != null) {
            process.destroy();
            resumeToEnd();
        }
    }

    /** A paused process does not see the request to end. */
    private void resumeToEnd() {
        try {
            resume();
        } catch (IOException e) {
            // It is ended by force then.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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

    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Checks that the process runs; throws with the last lines of its log if it ended without being stopped. */
    public synchronized void checkRunning() throws IOException {
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

    /** Returns the last lines of the log. */
    public String logTail() throws IOException {
        if (!Files.exists(logFile)) {
            return "(no log)";
        }
        List<String> lines = new String(Files.readAllBytes(logFile), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }
}
