package io.sealbook.perf.results;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of a result.
 *
 * @param label what was run
 * @param figures values by {@link Figure#key()}, in the order of their columns
 */
public record ResultRow(String label, Map<String, Double> figures) {
    /** Starts a line without figures. */
    public static ResultRow of(String label) {
        return new ResultRow(label, new LinkedHashMap<>());
    }

    /**
     * Adds a figure and returns this line.
     *
     * @param figure what it is
     * @param value in the figure's unit
     */
    public ResultRow with(Figure figure, double value) {
        figures.put(figure.key(), value);
        return this;
    }
}
