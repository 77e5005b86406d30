package io.sealbook.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Dashboard, alerts and their provisioning against each other; that the metrics exist is asked of running processes by
 * the IT.
 */
class DashboardTest {
    private static final Pattern METRIC_OF_OURS = Pattern.compile("sealbook_[a-z0-9_]+");

    @Test
    void shouldNameTheJobOfEverySeries() {
        List<Queries.Query> queries = new ArrayList<>(Queries.ofDashboard());
        queries.addAll(Queries.ofAlerts());

        assertThat(queries).hasSizeGreaterThan(30);
        for (Queries.Query query : queries) {
            assertThat(query.selectors()).as(query.where()).isNotEmpty();
            for (Queries.Selector selector : query.selectors()) {
                assertThat(selector.conditions())
                        .as(query.where())
                        .containsPattern("job=~?\"(node|engine|follower|node\\|engine|node\\|engine\\|follower)\"");
            }
            long mentioned =
                    METRIC_OF_OURS.matcher(query.expression()).results().count();
            long selected = query.selectors().stream()
                    .filter(selector -> selector.metric().startsWith("sealbook_"))
                    .count();
            assertThat(selected).as("%s: %s", query.where(), query.expression()).isEqualTo(mentioned);
        }
    }

    /** A replica shows the metrics of its engine beside those of its node. */
    @Test
    void shouldAskReplicasForTheMetricsOfTheirEngines() {
        List<Queries.Query> queries = new ArrayList<>(Queries.ofDashboard());
        queries.addAll(Queries.ofAlerts());

        for (Queries.Query query : queries) {
            for (Queries.Selector selector : query.selectors()) {
                if (selector.metric().startsWith("sealbook_engine_")) {
                    assertThat(selector.conditions()).as(query.where()).contains("job=~\"node|engine\"");
                }
            }
        }
    }

    @Test
    void shouldHavePanelsThatAskQuestionsAndDoNotOverlap() {
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : Queries.dashboard().get("panels")) {
            String title = panel.get("title").asString();
            assertThat(ids.add(panel.get("id").asInt())).as(title).isTrue();
            JsonNode place = panel.get("gridPos");
            assertThat(place.get("x").asInt() + place.get("w").asInt())
                    .as(title)
                    .isLessThanOrEqualTo(24);
            for (int x = 0; x < place.get("w").asInt(); x++) {
                for (int y = 0; y < place.get("h").asInt(); y++) {
                    String cell =
                            (place.get("x").asInt() + x) + "," + (place.get("y").asInt() + y);
                    assertThat(cells.add(cell)).as("%s at %s", title, cell).isTrue();
                }
            }
            if (!panel.get("type").asString().equals("row")) {
                assertThat(panel.get("description").asString()).as(title).isNotBlank();
                assertThat(panel.get("datasource").get("uid").asString())
                        .isEqualTo(dataSource().get("uid"));
            }
        }
    }

    @Test
    void shouldFindDashboardAndDataSourceWhereComposePutsThem() {
        Compose compose = Compose.read();
        Map<String, Object> providers =
                Repository.yaml(Repository.DOCKER.resolve("grafana/provisioning/dashboards/sealbook.yaml"));
        Object path = Compose.map(Compose.map(((List<?>) providers.get("providers")).getFirst())
                        .get("options"))
                .get("path");
        List<String> volumes = Compose.strings(compose.service("grafana").get("volumes"));

        assertThat(volumes)
                .contains(
                        "./grafana/provisioning:/etc/grafana/provisioning:ro", "./grafana/dashboards:" + path + ":ro");
        assertThat(Compose.map(compose.service("grafana").get("environment")))
                .containsEntry("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH", path + "/sealbook.json");
        assertThat(dataSource()).containsEntry("url", "http://prometheus:9090");
        assertThat(compose.ports("prometheus")).containsExactly(List.of("127.0.0.1", "9090", "9090"));
    }

    private static Map<String, Object> dataSource() {
        Path file = Repository.DOCKER.resolve("grafana/provisioning/datasources/prometheus.yaml");
        return Compose.map(((List<?>) Repository.yaml(file).get("datasources")).getFirst());
    }
}
