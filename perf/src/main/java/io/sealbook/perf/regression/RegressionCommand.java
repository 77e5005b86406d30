package io.sealbook.perf.regression;

import io.sealbook.perf.bench.Benchmarks;
import io.sealbook.perf.bench.CalibrationBenchmark;
import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Has a benchmark become slower than it was? Every benchmark runs beside a yardstick in the same run; the ratio of the two is compared
 * with the baseline's. The yardstick runs before and after, so that a machine that changed its speed in between is seen.
 */
@Command(
        name = "regression",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Runs the benchmarks beside a yardstick and compares with the baseline; exit code 1 on a loss.")
public final class RegressionCommand implements Callable<Integer> {
    private static final String ALL = "io\\.sealbook\\.perf\\.bench\\..*";
    private static final String BASELINE = "perf/baseline/regression.json";

    @Option(names = "--include", defaultValue = ALL, description = "Regular expression of the benchmarks to run.")
    private String include;

    @Option(names = "--baseline", description = "Baseline file (default: HOME/" + BASELINE + ").")
    private Path baselineFile;

    @Option(names = "--update", description = "Write what was measured as the new baseline instead of comparing.")
    private boolean isUpdate;

    @Option(names = "--tolerance", defaultValue = "0.4", description = "With --update: the largest admitted loss.")
    private double tolerance;

    @Option(names = "--log", description = "JMH's own output (default: regression.log in the temporary directory).")
    private Path logFile;

    @Option(names = "--iterations", defaultValue = "5", description = "Measured iterations of each benchmark.")
    private int iterations;

    @Option(names = "--millis", defaultValue = "500", description = "Length of an iteration.")
    private int millis;

    @Option(
            names = "--forks",
            defaultValue = "1",
            description = "Virtual machines for each benchmark; 0 runs in this one.")
    private int forks;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, RunnerException {
        Path file = baselineFile != null ? baselineFile : Home.find().resolve(BASELINE);
        if (!isUpdate && !Files.exists(file)) {
            out.println(file + " is not there; take a baseline of this machine with --update");
            return CommandLine.ExitCode.USAGE;
        }
        Baseline baseline = isUpdate ? null : Baseline.read(file);
        out.println("Running the benchmarks; JMH writes to " + log());
        double before = yardstick();
        Map<String, Double> scores = run(include, log());
        double after = yardstick();
        scores.remove(CalibrationBenchmark.class.getSimpleName() + ".sortAndHash");
        double yardstick = (before + after) / 2;
        out.printf(
                Locale.ROOT,
                "Yardstick: %,.0f before, %,.0f after (%.0f %% apart)%n",
                before,
                after,
                100 * Math.abs(before - after) / yardstick);
        Map<String, Double> ratios = new TreeMap<>();
        scores.forEach((name, score) -> ratios.put(name, score / yardstick));
        if (isUpdate) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            new Baseline(System.getProperty("java.version"), tolerance, ratios).write(file);
            out.println("Wrote " + ratios.size() + " ratios to " + file);
            return 0;
        }
        return compare(ratios, baseline) ? 0 : 1;
    }

    private boolean compare(Map<String, Double> ratios, Baseline baseline) {
        boolean isGood = true;
        out.printf("%-78s %12s %12s %8s%n", "benchmark", "ratio", "baseline", "change");
        for (Map.Entry<String, Double> entry : ratios.entrySet()) {
            Double expected = baseline.ratios().get(entry.getKey());
            if (expected == null) {
                out.printf(Locale.ROOT, "%-78s %12.5g %12s %8s%n", entry.getKey(), entry.getValue(), "-", "new");
                continue;
            }
            double change = entry.getValue() / expected - 1;
            boolean isLoss = change < -baseline.tolerance();
            isGood &= !isLoss;
            out.printf(
                    Locale.ROOT,
                    "%-78s %12.5g %12.5g %+7.0f%%%s%n",
                    entry.getKey(),
                    entry.getValue(),
                    expected,
                    100 * change,
                    isLoss ? "  LOSS" : "");
        }
        if (include.equals(ALL)) {
            for (String name : baseline.ratios().keySet()) {
                if (!ratios.containsKey(name)) {
                    out.println(name + " stands in the baseline and was not run: LOST");
                    isGood = false;
                }
            }
        }
        out.println(
                isGood
                        ? "No loss beyond " + Math.round(100 * baseline.tolerance()) + " %."
                        : "LOSS beyond " + Math.round(100 * baseline.tolerance()) + " %.");
        return isGood;
    }

    private double yardstick() throws RunnerException {
        return run(CalibrationBenchmark.class.getName(), Path.of(log() + ".yardstick"))
                .values()
                .iterator()
                .next();
    }

    /** Runs benchmarks and returns their operations a second by name. */
    private Map<String, Double> run(String pattern, Path log) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(pattern)
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.SECONDS)
                .forks(forks)
                .warmupIterations(Math.max(1, iterations / 2))
                .warmupTime(TimeValue.milliseconds(millis))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(millis))
                .shouldFailOnError(true)
                // Forks do not see the jar's manifest; prepended, so that a benchmark's own heap settings stand.
                .jvmArgsPrepend(Benchmarks.jvmFlags())
                .output(log.toString())
                .verbosity(VerboseMode.NORMAL);
        Collection<RunResult> results = new Runner(options.build()).run();
        Map<String, Double> scores = new TreeMap<>();
        for (RunResult result : results) {
            scores.put(name(result), result.getPrimaryResult().getScore());
        }
        return scores;
    }

    private Path log() {
        return logFile != null ? logFile : Path.of(System.getProperty("java.io.tmpdir"), "regression.log");
    }

    private static String name(RunResult result) {
        String[] parts = result.getParams().getBenchmark().split("\\.");
        StringBuilder name = new StringBuilder(parts[parts.length - 2] + "." + parts[parts.length - 1]);
        for (String key : result.getParams().getParamsKeys()) {
            name.append(' ').append(key).append('=').append(result.getParams().getParam(key));
        }
        return name.toString();
    }
}
