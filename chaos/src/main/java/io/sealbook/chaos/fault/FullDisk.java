package io.sealbook.chaos.fault;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The files of a process may not grow any more: {@code RLIMIT_FSIZE} of setrlimit(2), which a running process gets by
 * {@code prlimit}. Writes fail as on a full disk. The process must end, with a documented exit code; healing starts it
 * without the limit.
 */
final class FullDisk implements InjectedFault {
    /** What its log may still take: the reason of its end must fit. */
    private static final long LOG_BYTES = 64 << 10;

    private static final Duration END_LIMIT = Duration.ofMinutes(1);
    private static final int STORAGE_FAILED = 74;
    private static final int ENGINE_FAILED = 70;

    private final ManagedProcess process;
    private final Findings findings;
    private boolean hasEnded;

    /**
     * @param process that is struck
     * @param findings takes an exit code that is not documented
     */
    FullDisk(ManagedProcess process, Findings findings) {
        this.process = process;
        this.findings = findings;
    }

    /** Returns whether this machine has the command that sets the limit. */
    static boolean isPossible() {
        try {
            return new ProcessBuilder("prlimit", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public String target() {
        return "files of " + process.name();
    }

    @Override
    public void inject() throws IOException, InterruptedException {
        long bytes = Files.size(process.logFile()) + LOG_BYTES;
        int exitCode = new ProcessBuilder(
                        "prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes + ":" + bytes)
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("prlimit ended with exit code " + exitCode);
        }
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        OptionalInt exitCode = process.awaitEnd(END_LIMIT);
        hasEnded = exitCode.isPresent();
        if (exitCode.isEmpty()) {
            // It wrote nothing beyond the limit; it must not keep the limit.
            process.kill();
        } else if (!Set.of(STORAGE_FAILED, ENGINE_FAILED).contains(exitCode.getAsInt())) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    process.name() + " ended with exit code " + exitCode.getAsInt() + " on a full disk:\n"
                            + process.logTail());
        }
        process.start();
    }

    @Override
    public boolean hasTakenEffect() {
        return hasEnded;
    }
}
