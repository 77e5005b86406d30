package io.sealbook.alerts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What was scraped of each target and when. Times are seconds that the test chooses. */
public final class Scrapes {
    private record Target(String job, String node) {}

    private final Map<Target, TreeMap<Double, List<Sample>>> byTarget = new LinkedHashMap<>();

    /**
     * Adds a scrape.
     *
     * @param timeS seconds, later than those before of this target
     * @param job node or engine
     * @param node number of the node
     * @param text of the target's metrics; null when it did not answer
     */
    public void add(double timeS, String job, int node, String text) {
        Map<String, String> labels = Map.of("job", job, "node", Integer.toString(node));
        List<Sample> samples = new ArrayList<>(text == null ? List.of() : Sample.parse(text, labels));
        samples.add(new Sample("up", new TreeMap<>(labels), text == null ? 0 : 1));
        byTarget.computeIfAbsent(new Target(job, Integer.toString(node)), target -> new TreeMap<>())
                .put(timeS, samples);
    }

    /**
     * Returns the newest value of each series that its target's newest scrape has.
     *
     * @param timeS later scrapes are passed over
     * @param wanted which series
     */
    public List<Sample> at(double timeS, Predicate<Sample> wanted) {
        List<Sample> found = new ArrayList<>();
        for (TreeMap<Double, List<Sample>> scrapes : byTarget.values()) {
            Map.Entry<Double, List<Sample>> newest = scrapes.floorEntry(timeS);
            if (newest != null) {
                newest.getValue().stream().filter(wanted).forEach(found::add);
            }
        }
        return found;
    }

    /** The values of one series over time. */
    record Range(Sample series, TreeMap<Double, Double> values) {}

    /**
     * Returns the values of each series within a time.
     *
     * @param fromS excluded
     * @param toS included
     * @param wanted which series
     */
    List<Range> within(double fromS, double toS, Predicate<Sample> wanted) {
        Map<Sample, Range> ranges = new LinkedHashMap<>();
        for (TreeMap<Double, List<Sample>> scrapes : byTarget.values()) {
            scrapes.subMap(fromS, false, toS, true)
                    .forEach((time, samples) -> samples.stream()
                            .filter(wanted)
                            .forEach(sample -> ranges.computeIfAbsent(
                                            new Sample(sample.name(), sample.labels(), 0),
                                            series -> new Range(series, new TreeMap<>()))
                                    .values()
                                    .put(time, sample.value())));
        }
        return List.copyOf(ranges.values());
    }
}
