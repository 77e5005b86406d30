package io.sealbook.perf.regression;

import io.sealbook.perf.bench.Benchmarks;
import io.sealbook.perf.bench.CalibrationBenchmark;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.flow.FlowFiles;
import io.sealbook.perf.flow.RecordedDay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Has a benchmark become slower than it was? Every benchmark runs beside a yardstick in the same run; the ratio of the
 * two is compared with the baseline's. The yardstick runs before and after: if the two differ by more than the admitted
 * drift, the machine changed its speed in between, and the run is refused instead of judged.
 */
@Command(
        name = "regression",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Runs the benchmarks beside a yardstick and compares with the baseline.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no loss",
            "1:a loss, or a benchmark of the baseline that --include names did not run",
            "2:wrong usage, no baseline, nothing of it to compare, or a benchmark's flow is missing",
            "3:refused: the machine changed its speed during the run"
        })
public final class RegressionCommand implements Callable<Integer> {
    private static final String ALL = "io\\.sealbook\\.perf\\.bench\\..*";
    private static final int DRIFTED = 3;
    private static final double DEFAULT_TOLERANCE = 0.4;
    private static final String BASELINE = "perf/baseline/regression.json";

    @Option(names = "--include", defaultValue = ALL, description = "Regular expression of the benchmarks to run.")
    private String include;

    @Option(names = "--baseline", description = "Baseline file (default: HOME/" + BASELINE + ").")
    private Path baselineFile;

    @Option(
            names = "--update",
            description = "Write what was measured to the baseline instead of comparing. Ratios of benchmarks that"
                    + " --include or --without-recorded-days leaves out stay as they are.")
    private boolean isUpdate;

    @Option(
            names = "--tolerance",
            description = "With --update: the largest admitted loss (default: that of the file, 0.4 for a new one).")
    private Double tolerance;

    @Option(
            names = "--drift",
            defaultValue = "0.1",
            description = "Largest admitted change of the yardstick during the run; beyond it the run is refused.")
    private double driftMax;

    @Option(
            names = "--without-recorded-days",
            description = "Leave out the flows shanghai and nasdaq, here and in the baseline.")
    private boolean isWithoutRecordedDays;

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

    @Spec
    private CommandSpec spec;

    private BenchmarkNames names;

    @Override
    public Integer call() throws IOException, RunnerException {
        Path file = baselineFile != null ? baselineFile : Home.find().resolve(BASELINE);
        Optional<Baseline> known = Files.exists(file) ? Optional.of(Baseline.read(file)) : Optional.empty();
        if (!isUpdate && known.isEmpty()) {
            out().println(file + " does not exist; take a baseline of this machine with --update");
            return CommandLine.ExitCode.USAGE;
        }
        if (include.equals(ALL) && !isWithoutRecordedDays && !hasRecordedDays()) {
            out().println("The benchmarks of matching need recorded days of both exchanges below "
                    + FlowFiles.dataDirectory(Home.find()) + "; leave them out with --without-recorded-days");
            return CommandLine.ExitCode.USAGE;
        }
        names = new BenchmarkNames(include);
        Set<String> expected = known.stream()
                .flatMap(baseline -> baseline.ratios().keySet().stream())
                .filter(this::isInScope)
                .collect(Collectors.toSet());
        if (!isUpdate && expected.isEmpty()) {
            out().println("Nothing to compare: " + file + " has no ratio of a benchmark that --include names");
            return CommandLine.ExitCode.USAGE;
        }
        out().println("Running the benchmarks; JMH writes to " + log());
        double before = yardstick();
        Map<String, Double> scores = run(include, log());
        double after = yardstick();
        scores.remove(CalibrationBenchmark.class.getSimpleName() + ".sortAndHash");
        double yardstick = (before + after) / 2;
        double drift = Math.abs(before - after) / yardstick;
        out().printf(Locale.ROOT, "Yardstick: %,.0f before, %,.0f after (%.0f %% apart)%n", before, after, 100 * drift);
        if (drift > driftMax) {
            out().printf(
                            Locale.ROOT,
                            "REFUSED: the yardstick changed by %.1f %%, more than %.1f %%."
                                    + " Run again on a steady machine.%n",
                            100 * drift,
                            100 * driftMax);
            return DRIFTED;
        }
        Map<String, Double> ratios = new TreeMap<>();
        scores.forEach((name, score) -> ratios.put(name, score / yardstick));
        if (isUpdate) {
            update(file, known, ratios);
            return 0;
        }
        return new RatioComparison(ratios, known.orElseThrow(), expected).print(out()) ? 0 : 1;
    }

    private void update(Path file, Optional<Baseline> known, Map<String, Double> ratios) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        double loss =
                tolerance != null ? tolerance : known.map(Baseline::tolerance).orElse(DEFAULT_TOLERANCE);
        Map<String, Double> written = new TreeMap<>(ratios);
        known.ifPresent(baseline -> baseline.ratios().forEach((name, ratio) -> {
            if (!isInScope(name)) {
                written.put(name, ratio);
            }
        }));
        new Baseline(System.getProperty("java.version"), loss, written).write(file);
        out().println("Wrote " + ratios.size() + " ratios to " + file + ", kept " + (written.size() - ratios.size()));
    }

    /** Returns whether a name of a baseline is one that this run has to measure. */
    private boolean isInScope(String name) {
        return names.isIncluded(name) && !(isWithoutRecordedDays && needsRecordedDay(name));
    }

    private static boolean hasRecordedDays() throws IOException {
        for (RecordedDay day : RecordedDay.values()) {
            if (day.find(FlowFiles.dataDirectory(Home.find())).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static boolean needsRecordedDay(String benchmark) {
        return Stream.of(RecordedDay.values()).anyMatch(day -> benchmark.endsWith("flow=" + day.flowName()));
    }

    private double yardstick() throws RunnerException {
        return run(CalibrationBenchmark.class.getName(), Path.of(log() + ".yardstick"))
                .values()
                .iterator()
                .next();
    }

    /** Runs benchmarks and returns their operations per second by name. */
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
                // Forks do not see the jar's manifest; prepended, so that a benchmark's heap settings stay in force.
                .jvmArgsPrepend(Benchmarks.jvmFlags())
                .output(log.toString())
                .verbosity(VerboseMode.NORMAL);
        if (isWithoutRecordedDays) {
            options = options.param("flow", "sample", "books2000");
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        Map<String, Double> scores = new TreeMap<>();
        for (RunResult result : results) {
            scores.put(
                    BenchmarkNames.of(result.getParams()),
                    result.getPrimaryResult().getScore());
        }
        return scores;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private Path log() {
        return logFile != null ? logFile : Path.of(System.getProperty("java.io.tmpdir"), "regression.log");
    }
}
