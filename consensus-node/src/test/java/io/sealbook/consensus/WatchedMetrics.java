package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.alerts.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values that the metrics of the manual's table have taken. */
final class WatchedMetrics {
    private static final Pattern METRIC =
            Pattern.compile("`((?:sealbook_(?:node|peer|admin)|jvm|process|disk)_[a-z_]+)");

    /** A limit of the process, which no event moves. */
    private static final Set<String> CONSTANT = Set.of("process_files_max_files");

    private final Map<String, Set<Double>> valuesByMetric = new HashMap<>();

    void add(Sample sample) {
        valuesByMetric.computeIfAbsent(sample.name(), name -> new HashSet<>()).add(sample.value());
    }

    /** Every row of the manual's table names a metric, and every one of the node's has taken several values. */
    void assertAllMoved() throws IOException {
        for (String row : rows()) {
            String metrics = row.split("\\|")[2];
            assertThat(metrics).as(row).containsPattern("`(sealbook|jvm|process|disk)_[a-z_]+|`up`");
            Matcher metric = METRIC.matcher(metrics);
            while (metric.find()) {
                assertMoved(metric.group(1));
            }
        }
    }

    private void assertMoved(String metric) {
        Set<Double> values = valuesByMetric.getOrDefault(metric, Set.of());
        if (CONSTANT.contains(metric)) {
            assertThat(values).as("values of %s", metric).hasSize(1).allMatch(value -> value > 0);
        } else {
            assertThat(values).as("values of %s", metric).hasSizeGreaterThan(1);
        }
    }

    private static List<String> rows() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        String manual = Files.readString(root.resolve("docs/OPERATING.md"));
        String table =
                manual.substring(manual.indexOf("### What to watch"), manual.indexOf("`docker/` has a Prometheus"));
        List<String> rows = table.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| question"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(15);
        return rows;
    }
}
