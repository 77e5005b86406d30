package io.sealbook.alerts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The rules of the alerts file. */
public final class AlertRules {
    private final List<Rule> rules;

    /**
     * One rule.
     *
     * @param forS seconds for which the expression must have had a sample
     */
    private record Rule(String name, String expression, double forS) {}

    private AlertRules(List<Rule> rules) {
        this.rules = rules;
    }

    /** Reads the file that Prometheus gets. */
    public static AlertRules read() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docker")) ? here : here.getParent();
        Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml(
                        new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(root.resolve("docker/prometheus/alerts.yml")));
        List<Rule> rules = new ArrayList<>();
        for (Map<String, List<Map<String, Object>>> group : file.get("groups")) {
            for (Map<String, Object> rule : group.get("rules")) {
                rules.add(new Rule(
                        (String) rule.get("alert"), (String) rule.get("expr"), seconds((String) rule.get("for"))));
            }
        }
        return new AlertRules(rules);
    }

    private static double seconds(String time) {
        if (time == null) {
            return 0;
        }
        double count = Double.parseDouble(time.substring(0, time.length() - 1));
        return time.endsWith("m") ? 60 * count : count;
    }

    /** Returns the names of all rules. */
    public TreeSet<String> names() {
        TreeSet<String> names = new TreeSet<>();
        rules.forEach(rule -> names.add(rule.name()));
        return names;
    }

    /**
     * Evaluates all rules at each of the times, one after the other, and returns what fires at the last one.
     *
     * @param scrapes what was scraped
     * @param timesS seconds, ascending
     * @return the alerts as {@code Name{node=1}}, without a label if the rule's result has none
     */
    public TreeSet<String> firing(Scrapes scrapes, double... timesS) {
        return firingBy("node", scrapes, timesS);
    }

    /**
     * Evaluates all rules as {@link #firing} does.
     *
     * @param label that the alerts are returned with, in place of the node's
     * @param scrapes what was scraped
     * @param timesS seconds, ascending
     * @return the alerts as {@code Name{label=value}}, without a label if the rule's result has none
     */
    public TreeSet<String> firingBy(String label, Scrapes scrapes, double... timesS) {
        TreeSet<String> firing = new TreeSet<>();
        for (Rule rule : rules) {
            Map<Map<String, String>, Double> activeSince = new HashMap<>();
            for (double timeS : timesS) {
                Map<Map<String, String>, Double> active = new HashMap<>();
                for (Sample sample : PromQl.evaluate(rule.expression(), scrapes, timeS)) {
                    active.put(sample.labels(), activeSince.getOrDefault(sample.labels(), timeS));
                }
                activeSince = active;
            }
            double lastS = timesS[timesS.length - 1];
            activeSince.forEach((labels, sinceS) -> {
                if (lastS - sinceS >= rule.forS()) {
                    firing.add(
                            labels.containsKey(label)
                                    ? rule.name() + "{" + label + "=" + labels.get(label) + "}"
                                    : rule.name());
                }
            });
        }
        return firing;
    }
}
