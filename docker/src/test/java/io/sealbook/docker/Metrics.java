package io.sealbook.docker;

import java.util.ArrayList;
import java.util.List;

/** One scrape: the series of a target, as lines of Prometheus's text format. */
record Metrics(List<String> series) {
    static Metrics parse(String text) {
        return new Metrics(text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList());
    }

    /** Returns whether a series exists that the selector finds; labels that Prometheus itself adds are ignored. */
    boolean has(Queries.Selector selector) {
        List<String> needed = new ArrayList<>();
        for (String label : List.of("quantile", "area", "reason", "direction")) {
            String value = selector.label(label);
            if (value != null) {
                needed.add(label + "=\"" + value + "\"");
            }
        }
        return series.stream()
                .filter(line -> line.startsWith(selector.metric() + "{") || line.startsWith(selector.metric() + " "))
                .anyMatch(line -> needed.stream().allMatch(line::contains));
    }
}
