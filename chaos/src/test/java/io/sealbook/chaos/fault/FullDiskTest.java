package io.sealbook.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.facts.Facts;
import io.sealbook.perf.cluster.ManagedProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of the shell in place of a node: each meets the limit in another way. */
class FullDiskTest {
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final int LIMIT = 64 << 10;

    @TempDir
    private Path directory;

    private final Findings findings = new Findings();
    private ManagedProcess process;
    private long orders;

    @BeforeEach
    void assumeLimits() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "needs prlimit: no /usr/bin/prlimit of util-linux");
    }

    @AfterEach
    void kill() throws InterruptedException {
        if (process != null) {
            process.kill();
        }
    }

    @Test
    void shouldFindNothingIfTheProcessEndsAsItIsDocumented() throws Exception {
        FullDisk fault = start("until ! append; do :; done; exit 74", LONG);

        fault.heal();

        assertThat(findings.violations()).isEmpty();
        assertThat(fault.hasTakenEffect()).isTrue();
        assertThat(process.isRunning()).isTrue();
    }

    @Test
    void shouldFindTheExitCodeOfABrokenInvariant() throws Exception {
        FullDisk fault = start("until ! append; do :; done; exit 70", LONG);

        fault.heal();

        assertThat(onlyFinding()).startsWith("node 1 ended with exit code 70 on a full disk, expected 74");
    }

    @Test
    void shouldFindAProcessThatSwallowsAFailedWrite() throws Exception {
        FullDisk fault = start("while :; do append; sleep 0.05; done", SHORT);
        Facts.await("a file at the limit", () -> Files.size(directory.resolve("file")) == LIMIT);

        fault.heal();

        assertThat(onlyFinding()).startsWith("node 1 goes on with a full disk: " + directory.resolve("file"));
        assertThat(fault.hasTakenEffect()).isTrue();
        assertThat(process.isRunning()).isTrue();
    }

    @Test
    void shouldFindAProcessThatGoesOnWithMoreOrdersThanItsFilesCanHold() throws Exception {
        FullDisk fault = start("while :; do sleep 0.05; done", SHORT);
        orders += 2 * LIMIT / 48 + 1;

        fault.heal();

        assertThat(onlyFinding()).startsWith("node 1 goes on with a full disk: it has stored 131088 bytes of orders");
        assertThat(fault.hasTakenEffect()).isTrue();
    }

    @Test
    void shouldNotCountIfTheProcessHadRoomForWhatItWrote() throws Exception {
        FullDisk fault = start("while :; do sleep 0.05; done", SHORT);
        orders += 2 * LIMIT / 48;

        fault.heal();

        assertThat(findings.violations()).isEmpty();
        assertThat(fault.hasTakenEffect()).isFalse();
        assertThat(process.isRunning()).isTrue();
    }

    /** Starts a program that ignores SIGXFSZ, as a virtual machine does, and gives it a full disk. */
    private FullDisk start(String program, Duration endLimit) throws Exception {
        Path file = directory.resolve("file");
        Path log = Files.createFile(directory.resolve("node.log"));
        process = new ManagedProcess(
                "node 1",
                List.of(
                        "sh",
                        "-c",
                        "trap '' XFSZ; append() { printf %%5000s >> %s; }; test -f %s || touch %s; %s"
                                .formatted(file, file, file, program)),
                log);
        process.start();
        Facts.await("the program runs", () -> Files.exists(file));
        FullDisk fault = new FullDisk(
                process, new FullDisk.Writings(directory, 2, () -> Optional.of(orders)), endLimit, findings);
        fault.inject();
        return fault;
    }

    private String onlyFinding() {
        assertThat(findings.violations())
                .singleElement()
                .extracting(Violation::rule)
                .isEqualTo(Rule.DOCUMENTED_BEHAVIOUR);
        return findings.violations().get(0).facts();
    }
}
