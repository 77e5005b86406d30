package io.sealbook.alerts;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One value of a series.
 *
 * @param name of the metric; empty once it was computed with
 * @param labels by name
 * @param value may be NaN
 */
public record Sample(String name, Map<String, String> labels, double value) {
    private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)(?: \\d+)?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /**
     * Reads a scrape.
     *
     * @param text in the exposition format of Prometheus
     * @param targetLabels added to every series
     */
    static List<Sample> parse(String text, Map<String, String> targetLabels) {
        return text.lines()
                .filter(Predicate.not(line -> line.isBlank() || line.startsWith("#")))
                .map(line -> of(line, targetLabels))
                .toList();
    }

    private static Sample of(String line, Map<String, String> targetLabels) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no sample: " + line);
        }
        Map<String, String> labels = new TreeMap<>(targetLabels);
        if (matcher.group(2) != null) {
            Matcher label = LABEL.matcher(matcher.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
        }
        return new Sample(matcher.group(1), labels, number(matcher.group(3)));
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** Returns the same series without its name, with another value. */
    Sample computed(double newValue) {
        return new Sample("", labels, newValue);
    }
}
