package io.sealbook.chaos.fault;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.perf.cluster.ManagedProcess;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The files of a process may not grow any more: {@code RLIMIT_FSIZE} of setrlimit(2), which a running process gets by
 * {@code prlimit}. Writes fail as on a full disk. The process must end, with the documented exit code; healing starts
 * it without the limit. One that goes on has either written nothing beyond the limit, so that the fault does not count,
 * or has swallowed a write that failed.
 */
final class FullDisk implements InjectedFault {
    static final Duration END_LIMIT = Duration.ofMinutes(1);

    /** What its log may still take: the reason of its end must fit. */
    private static final long LOG_BYTES = 64 << 10;

    /** Of a node, an engine beside it, and both in one process ({@code docs/OPERATING.md}). */
    private static final int STORAGE_FAILED = 74;

    /**
     * What a process writes.
     *
     * @param directory of its files
     * @param files among which what it writes of orders may be spread until one of them is full
     * @param orders that it has written, or nothing if it does not answer
     */
    record Writings(Path directory, int files, Supplier<Optional<Long>> orders) {}

    private final ManagedProcess process;
    private final Writings writings;
    private final Duration endLimit;
    private final Findings findings;
    private long limitBytes;
    private Optional<Long> ordersBefore = Optional.empty();
    private boolean hasMetLimit;

    /**
     * @param process that is struck
     * @param writings its files
     * @param endLimit how long it may go on
     * @param findings takes an exit code that is not documented, and a process that goes on
     */
    FullDisk(ManagedProcess process, Writings writings, Duration endLimit, Findings findings) {
        this.process = process;
        this.writings = writings;
        this.endLimit = endLimit;
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
        limitBytes = Files.size(process.logFile()) + LOG_BYTES;
        ordersBefore = writings.orders.get();
        int exitCode = new ProcessBuilder(
                        "prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + limitBytes + ":" + limitBytes)
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("prlimit ended with exit code " + exitCode);
        }
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        OptionalInt exitCode = process.awaitEnd(endLimit);
        Optional<String> swallowed = exitCode.isPresent() ? Optional.empty() : swallowed();
        if (swallowed.isPresent()) {
            // The write may have failed just now.
            exitCode = process.awaitEnd(endLimit);
        }
        hasMetLimit = exitCode.isPresent() || swallowed.isPresent();
        if (exitCode.isPresent() && exitCode.getAsInt() != STORAGE_FAILED) {
            find("ended with exit code " + exitCode.getAsInt() + " on a full disk, expected " + STORAGE_FAILED);
        } else if (exitCode.isEmpty() && swallowed.isPresent()) {
            find("goes on with a full disk: " + swallowed.get());
        }
        // If it runs, it must not keep the limit.
        process.kill();
        process.start();
    }

    private void find(String fact) throws IOException {
        findings.add(Rule.DOCUMENTED_BEHAVIOUR, process.name() + " " + fact + ":\n" + process.logTail());
    }

    /** Returns what shows that a write of the process has failed, or nothing. */
    private Optional<String> swallowed() throws IOException {
        Optional<Path> cut = cutFile();
        if (cut.isPresent()) {
            return Optional.of(cut.get() + " has grown to the limit of " + limitBytes + " bytes");
        }
        Optional<Long> ordersNow = ordersBefore.isEmpty() ? Optional.empty() : writings.orders.get();
        return ordersNow
                .map(now -> (now - ordersBefore.get()) * SignedBatch.ORDER_LENGTH)
                .filter(bytes -> bytes > writings.files * limitBytes)
                .map(bytes -> "it has stored " + bytes + " bytes of orders, in files of at most " + limitBytes);
    }

    /** Returns a file that ends at the limit: of a write that goes beyond it the part before it is written. */
    private Optional<Path> cutFile() throws IOException {
        List<Path> cut = new ArrayList<>();
        Files.walkFileTree(writings.directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.size() == limitBytes && !file.equals(process.logFile())) {
                    cut.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE; // The process deletes files.
            }
        });
        return cut.stream().findFirst();
    }

    @Override
    public boolean hasTakenEffect() {
        return hasMetLimit;
    }
}
