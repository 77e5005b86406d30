package io.sealbook.perf.regression;

import io.sealbook.perf.bench.CalibrationBenchmark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Names of benchmarks in a baseline: class and method, then each parameter with its value, as in
 * {@code ArchiveReadBenchmark.read blocks=1000}. Those of this build are in the list that JMH generates; the yardstick
 * is none of them.
 */
final class BenchmarkNames {
    private final Set<String> all;
    private final Set<String> included;
    private final Set<String> packages;
    private final Pattern include;

    /**
     * Reads the list of this build.
     *
     * @param include regular expression of the benchmarks that run, as JMH takes it
     */
    BenchmarkNames(String include) {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
        BenchmarkList list = BenchmarkList.defaultList();
        Set<BenchmarkListEntry> entries = list.getAll(silent, List.of());
        this.all = names(entries);
        this.included = names(list.find(silent, List.of(include), List.of()));
        this.packages = entries.stream()
                .map(entry -> qualifier(entry.getUserClassQName()))
                .collect(Collectors.toSet());
        this.include = Pattern.compile(include, Pattern.CASE_INSENSITIVE);
    }

    /** Returns the names of all benchmarks of this build. */
    Set<String> all() {
        return all;
    }

    /** Returns whether a name is one of those that run or, if this build has no such benchmark, would be one. */
    boolean isIncluded(String name) {
        if (all.contains(name)) {
            return included.contains(name);
        }
        String method = name.substring(0, (name + " ").indexOf(' '));
        return packages.stream()
                .anyMatch(each -> include.matcher(each + "." + method).find());
    }

    private static Set<String> names(Set<BenchmarkListEntry> entries) {
        Set<String> names = new TreeSet<>();
        for (BenchmarkListEntry entry : entries) {
            if (!entry.getUserClassQName().equals(CalibrationBenchmark.class.getName())) {
                Map<String, String[]> parameters =
                        new TreeMap<>(entry.getParams().orElse(Map.of()));
                names.addAll(withValues(name(entry.getUsername()), parameters));
            }
        }
        return names;
    }

    /** Returns a name for each combination of values. */
    private static List<String> withValues(String benchmark, Map<String, String[]> parameters) {
        List<String> names = List.of(benchmark);
        for (Map.Entry<String, String[]> parameter : parameters.entrySet()) {
            List<String> longer = new ArrayList<>();
            for (String name : names) {
                for (String value : parameter.getValue()) {
                    longer.add(with(name, parameter.getKey(), value));
                }
            }
            names = longer;
        }
        return names;
    }

    /** Returns the name of a benchmark that has run. */
    static String of(BenchmarkParams benchmark) {
        String name = name(benchmark.getBenchmark());
        for (String key : new TreeSet<>(benchmark.getParamsKeys())) {
            name = with(name, key, benchmark.getParam(key));
        }
        return name;
    }

    private static String name(String qualified) {
        return qualified.substring(qualifier(qualifier(qualified)).length() + 1);
    }

    private static String qualifier(String qualified) {
        return qualified.substring(0, qualified.lastIndexOf('.'));
    }

    private static String with(String name, String parameter, String value) {
        return name + " " + parameter + "=" + value;
    }
}
