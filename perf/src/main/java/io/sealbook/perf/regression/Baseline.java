package io.sealbook.perf.regression;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the benchmarks are held to.
 *
 * @param java version it was taken with; information only
 * @param tolerance largest admitted loss: 0.4 lets a benchmark fall to 60 % of its baseline ratio
 * @param ratios operations of a benchmark for one of the yardstick, by the benchmark's name with its parameters
 */
record Baseline(String java, double tolerance, Map<String, Double> ratios) {
    static Baseline read(Path file) throws IOException {
        try {
            Baseline baseline = new GsonBuilder().create().fromJson(Files.readString(file), Baseline.class);
            if (baseline == null || baseline.ratios == null || !(baseline.tolerance > 0 && baseline.tolerance < 1)) {
                throw new IOException(file + " is no baseline: it needs ratios, and a tolerance between 0 and 1");
            }
            return baseline;
        } catch (JsonParseException e) {
            throw new IOException(file + " is no baseline: " + e.getMessage(), e);
        }
    }

    void write(Path file) throws IOException {
        Files.writeString(file, new GsonBuilder().setPrettyPrinting().create().toJson(this) + "\n");
    }
}
