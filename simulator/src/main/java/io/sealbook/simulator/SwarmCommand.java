package io.sealbook.simulator;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs seeds for a time, one at least. Exit code 0 if every run held, 1 if one failed or none held; each failure is
 * printed with how to repeat it.
 */
@Command(
        name = "swarm",
        mixinStandardHelpOptions = true,
        description = "Runs seeds on several threads for a time, and goes on after one that fails.")
final class SwarmCommand implements Callable<Integer> {
    private static final long REPORT_NS = TimeUnit.MINUTES.toNanos(1);

    @Option(names = "--minutes", paramLabel = "M", description = "How long (default: ${DEFAULT-VALUE}).")
    private double minutes = 10;

    @Option(names = "--threads", paramLabel = "T", description = "On how many threads (default: ${DEFAULT-VALUE}).")
    private int threads = 1;

    @Option(names = "--from", paramLabel = "S", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long from = 0;

    @Mixin
    private ScenarioOptions scenarios = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (threads < 1) {
            throw new ParameterException(spec.commandLine(), "--threads " + threads + " is below 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        long startNs = System.nanoTime();
        long durationNs = (long) (minutes * 60e9);
        AtomicLong failures = new AtomicLong();
        AtomicLong started = new AtomicLong();
        AtomicLong reportNs = new AtomicLong(startNs + REPORT_NS);
        Swarm swarm = new Swarm(scenarios::of, from, (seed, failure) -> {
            failures.incrementAndGet();
            synchronized (out) {
                out.println("FAILED " + text(seed, failure));
                out.println("repeat with: " + scenarios.command(seed));
                out.flush();
            }
        });
        RunTotals totals = swarm.run(threads, () -> {
            long nowNs = System.nanoTime();
            long dueNs = reportNs.get();
            if (nowNs - dueNs >= 0 && reportNs.compareAndSet(dueNs, nowNs + REPORT_NS)) {
                synchronized (out) {
                    out.println(started.get() + " seeds begun, " + failures.get() + " failed");
                    out.flush();
                }
            }
            return started.getAndIncrement() > 0 && nowNs - startNs >= durationNs;
        });
        double coreSeconds = threads * (System.nanoTime() - startNs) / 1e9;
        out.println(totals.text("from " + from + " held, " + failures.get() + " failed", coreSeconds));
        out.flush();
        return failures.get() == 0 && totals.seeds() > 0 ? 0 : 1;
    }

    /** The message of a run names its scenario; an error may come before there is one. */
    private static String text(long seed, Throwable failure) {
        return failure instanceof SimulationFailure ? failure.getMessage() : "seed " + seed + ": " + failure;
    }
}
