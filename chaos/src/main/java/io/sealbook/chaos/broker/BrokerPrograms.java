package io.sealbook.chaos.broker;

import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** The processes of all brokers of a run. One thread drives them; they end with it. */
public final class BrokerPrograms implements AutoCloseable {
    /** A joint crash and several view changes fit into it on a busy machine. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final String HEAP = "-Xmx256m";
    private static final long STOP_TIMEOUT_MS = 1_000;

    private final List<BrokerTask> tasks;
    private final List<ManagedProcess> programs = new ArrayList<>();
    private final Thread shutdownHook = new Thread(this::killAll, "brokers-shutdown");

    /**
     * Prepares the programs; nothing runs yet.
     *
     * @param tasks one per broker
     * @param logs directory of the programs' output
     */
    public BrokerPrograms(List<BrokerTask> tasks, Path logs) throws IOException {
        this.tasks = tasks;
        for (BrokerTask task : tasks) {
            Files.createDirectories(task.work());
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dsun.misc.unsafe.memory.access=allow",
                    HEAP,
                    "-cp",
                    System.getProperty("java.class.path"),
                    LedgerBroker.class.getName()));
            command.addAll(task.arguments());
            programs.add(new ManagedProcess(
                    "broker " + task.brokerId(), command, logs.resolve("broker" + task.brokerId() + ".log")));
        }
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /** Returns the ids of the brokers. */
    public List<Integer> ids() {
        return tasks.stream().map(BrokerTask::brokerId).toList();
    }

    /** Returns where the ledgers of a broker are. */
    public Path ledgers(int brokerId) {
        return tasks.stream()
                .filter(task -> task.brokerId() == brokerId)
                .findFirst()
                .orElseThrow()
                .work();
    }

    public List<ManagedProcess> processes() {
        return programs;
    }

    /** Starts the programs that do not run. */
    public void start() throws IOException {
        for (ManagedProcess program : programs) {
            if (!program.isRunning()) {
                program.start();
            }
        }
    }

    /**
     * Checks that the programs run.
     *
     * @throws IOException if one ended although nothing stopped it; the message has the end of its log
     */
    public void check() throws IOException {
        for (ManagedProcess program : programs) {
            program.checkRunning();
        }
    }

    /**
     * Lets the programs submit no more and waits until each has all its receipts.
     *
     * @param timeout longest wait for each
     * @return what went wrong, for each program that did not end well
     */
    public List<String> end(Duration timeout) throws IOException, InterruptedException {
        for (BrokerTask task : tasks) {
            Files.writeString(task.endFile(), "");
        }
        List<String> faults = new ArrayList<>();
        for (ManagedProcess program : programs) {
            OptionalInt exitCode = program.awaitEnd(timeout);
            if (exitCode.isEmpty()) {
                faults.add(program.name() + " has batches without a receipt after " + timeout.toSeconds() + " s");
                program.kill();
            } else if (exitCode.getAsInt() != 0) {
                faults.add(program.name() + " ended with exit code " + exitCode.getAsInt() + ": " + program.logTail());
            }
        }
        return faults;
    }

    private void killAll() {
        try {
            for (ManagedProcess program : programs) {
                program.end(STOP_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The virtual machine is going down and the hook does the same work.
        }
    }
}
