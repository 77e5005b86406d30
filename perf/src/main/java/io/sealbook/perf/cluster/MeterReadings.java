package io.sealbook.perf.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/**
 * What the meters of one process showed at one instant. Any thread.
 *
 * @param values by series, as the exposition format of Prometheus writes it: name and labels in braces
 */
public record MeterReadings(Map<String, Double> values) {
    /**
     * Reads the meters of a process.
     *
     * @param client stays the caller's
     * @param address of the metrics
     * @throws IOException if it does not answer
     */
    public static MeterReadings scrape(HttpClient client, URI address) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answers with status " + answer.statusCode());
        }
        return parse(answer.body());
    }

    /** Returns the readings of a text in the exposition format. */
    static MeterReadings parse(String text) {
        Map<String, Double> values = new HashMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int end = line.lastIndexOf(' ');
            values.put(line.substring(0, end), Double.valueOf(line.substring(end + 1)));
        });
        return new MeterReadings(Map.copyOf(values));
    }

    /**
     * Returns the value of a series.
     *
     * @throws IllegalArgumentException if the process has none of this name
     */
    public double of(String series) {
        Double value = values.get(series);
        if (value == null) {
            throw new IllegalArgumentException("no series " + series);
        }
        return value;
    }

    /**
     * Returns by how much a series grew.
     *
     * @param earlier readings of the same process
     * @param series name and labels
     */
    public double since(MeterReadings earlier, String series) {
        return of(series) - earlier.of(series);
    }
}
