package io.sealbook.docker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The PromQL expressions of dashboard and alerts, and the series they select. */
final class Queries {
    private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(=~|=|!=|!~)\\s*\"([^\"]*)\"");

    private Queries() {}

    /** An expression and its place. */
    record Query(String where, String expression) {
        /**
         * Returns the selectors; every metric of ours is written with its labels, so that nothing else looks like one.
         */
        List<Selector> selectors() {
            List<Selector> selectors = new ArrayList<>();
            Matcher matcher = SELECTOR.matcher(expression);
            while (matcher.find()) {
                selectors.add(new Selector(matcher.group(1), matcher.group(2)));
            }
            return selectors;
        }
    }

    /** A metric with its label conditions. */
    record Selector(String metric, String conditions) {
        /** Returns the value that a label must have; null when any will do. */
        String label(String name) {
            Matcher matcher = LABEL.matcher(conditions);
            while (matcher.find()) {
                if (matcher.group(1).equals(name) && matcher.group(2).equals("=")) {
                    return matcher.group(3);
                }
            }
            return null;
        }

        /**
         * Returns whether every target of a job must have such a series. Of those that may be in the metrics of two
         * jobs, the name says whose they are.
         */
        boolean isExpectedOf(String job) {
            return job.equals(label("job"))
                    || (metric.startsWith("sealbook_" + job + "_") && conditions.contains("job=~"));
        }
    }

    static JsonNode dashboard() {
        return JsonMapper.shared()
                .readTree(Repository.text(Repository.DOCKER.resolve("grafana/dashboards/sealbook.json")));
    }

    static List<Query> ofDashboard() {
        List<Query> queries = new ArrayList<>();
        for (JsonNode panel : dashboard().get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(new Query(
                        panel.get("title").asString(), target.get("expr").asString()));
            }
        }
        return queries;
    }

    static List<Query> ofAlerts() {
        List<Query> queries = new ArrayList<>();
        Map<String, Object> file = Repository.yaml(Repository.DOCKER.resolve("prometheus/alerts.yml"));
        for (Object group : (List<?>) file.get("groups")) {
            for (Object rule : (List<?>) Compose.map(group).get("rules")) {
                queries.add(new Query((String) Compose.map(rule).get("alert"), (String)
                        Compose.map(rule).get("expr")));
            }
        }
        return queries;
    }
}
