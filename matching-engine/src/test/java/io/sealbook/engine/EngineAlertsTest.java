package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.alerts.AlertRules;
import io.sealbook.alerts.Sample;
import io.sealbook.alerts.Scrapes;
import io.sealbook.engine.fixture.Stranger;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An engine's bad day: each trouble raises the alert that is about it and no other. Scrapes are real; their times are
 * chosen, 1,000 s from one trouble to the next, so that none sees the last one.
 */
@Timeout(300)
class EngineAlertsTest {
    private static final int NODE = 2;
    private static final int DATABASE_LAG_THAT_ALARMS = 1_001;
    private static final int CONNECTIONS_PER_ADDRESS = 4;
    private static final int STRANGERS = 120;
    private static final Pattern METRIC = Pattern.compile("`(sealbook_engine_[a-z_]+)");

    /** They depend on the machine that runs the test. */
    private static final Set<String> NOT_JUDGED = Set.of("DiskAlmostFull", "DescriptorsRunOut");

    @TempDir
    Path directory;

    private final Scrapes scrapes = new Scrapes();
    private final Map<String, Set<Double>> valuesByMetric = new HashMap<>();
    private final TestFlow flow = new TestFlow(5);
    private AlertRules rules;
    private TestNode node;
    private ConfigurableApplicationContext context;

    @BeforeEach
    void writeDirectory() throws IOException {
        rules = AlertRules.read();
        node = new TestNode(
                directory,
                TestMarket.write(
                                directory,
                                1,
                                "server.port=0",
                                "sealbook.engine.grpc-port=0",
                                "sealbook.engine.exit-on-failure=false",
                                "sealbook.engine.http.connections-per-address=" + CONNECTIONS_PER_ADDRESS,
                                "sealbook.engine.http.requests-per-second=20",
                                "sealbook.engine.database.idle-ms=10")
                        .digest());
    }

    @Test
    void shouldRaiseTheRightAlertsAndMoveEveryMetric() throws Exception {
        String absent = "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:1/absent";
        try (ConfigurableApplicationContext started = start(absent)) {
            context = started;
            commit(3);
            scrape(0);
            node.commit(TestAdministration.batch(1, TestAdministration.setQuota(1, 200_000)));
            commit(3);
            scrape(60);
            assertThat(judged(0, 60)).as("all is well").isEmpty();

            scrape(1_000);
            comeAsStrangers();
            scrape(1_060);
            assertThat(judged(1_000, 1_060)).containsExactly("StrangersAtTheEngine{node=2}");

            commit(DATABASE_LAG_THAT_ALARMS);
            scrape(2_000);
            scrape(2_059);
            assertThat(judged(2_000, 2_059)).isEmpty();
            scrape(2_060);
            assertThat(judged(2_000, 2_060)).containsExactly("DatabaseBehind{node=2}");
        }

        orderRebuild();
        try (ConfigurableApplicationContext started = start()) {
            context = started;
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("reports persisted", () -> monitor.persistedBlock() == node.lastSequence());
            scrape(3_000);
            scrape(3_060);
            assertThat(judged(3_000, 3_060)).as("the database has caught up").isEmpty();

            context.getBean(MatchingLoop.class).stop();
            node.commitFlow(flow, 2, 1, 5);
            scrape(4_000);
            scrape(4_060);
            assertThat(judged(4_000, 4_060)).containsExactly("EngineStandsStill{node=2}");
        }

        scrapes.add(5_000, "engine", NODE, null);
        assertThat(judged(5_000, 5_030)).containsExactly("ProcessDown{node=2}");
        assertThatWhatOperatorsWatchHasMoved();
    }

    /** The engine is right; that the others have its result and the node another one orders a rebuild all the same. */
    private void orderRebuild() throws IOException {
        BlockResult last = node.results().getLast();
        Digest other = Digest.sha256(new byte[1]);
        new IsolationNotice(last.sequence(), other, other, other, last.digest(), 0)
                .write(new EngineDirectory(directory).isolation());
    }

    private void comeAsStrangers() throws Exception {
        try (Stranger stranger = new Stranger("127.0.0.9")) {
            int port = httpPort();
            Facts.await("one that is too fast is refused", () -> {
                stranger.send(port, "GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(100));
                return context.getBean(MeterRegistry.class)
                                .get("sealbook.engine.refused.rates")
                                .tag("port", "http")
                                .counter()
                                .count()
                        > 0;
            });
            for (int i = 0; i < STRANGERS + CONNECTIONS_PER_ADDRESS; i++) {
                stranger.send(port, "GET /api/status HTTP/1.1\r\nHost:");
            }
            Facts.await(
                    "strangers refused",
                    () -> context.getBean(MeterRegistry.class)
                                    .get("sealbook.engine.refused.connections")
                                    .tag("port", "http")
                                    .counter()
                                    .count()
                            >= STRANGERS);
        }
    }

    private void commit(int blocks) throws Exception {
        node.commitFlow(flow, blocks, 1, 5);
        EngineMonitor monitor = context.getBean(EngineMonitor.class);
        Facts.await("blocks executed", () -> monitor.lastExecuted() == node.lastSequence());
    }

    private void scrape(double timeS) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + httpPort() + "/actuator/prometheus"))
                    .build();
            scrapes.add(
                    timeS,
                    "engine",
                    NODE,
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
        for (Sample sample : scrapes.at(timeS, sample -> sample.name().startsWith("sealbook_engine_"))) {
            valuesByMetric
                    .computeIfAbsent(sample.name(), name -> new HashSet<>())
                    .add(sample.value());
        }
    }

    private int httpPort() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private TreeSet<String> judged(double... timesS) {
        TreeSet<String> firing = rules.firing(scrapes, timesS);
        firing.removeIf(alert -> NOT_JUDGED.stream().anyMatch(alert::startsWith));
        return firing;
    }

    /** Each of the engine's metrics in the manual's table of questions has taken several values today. */
    private void assertThatWhatOperatorsWatchHasMoved() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        String manual = Files.readString(root.resolve("docs/OPERATING.md"));
        String table =
                manual.substring(manual.indexOf("### What to watch"), manual.indexOf("`docker/` has a Prometheus"));
        Set<String> watched = new TreeSet<>();
        Matcher metric = METRIC.matcher(table);
        while (metric.find()) {
            watched.add(metric.group(1));
        }
        assertThat(watched).contains("sealbook_engine_lag_blocks", "sealbook_engine_refused_reads_total");
        for (String name : watched) {
            assertThat(valuesByMetric.getOrDefault(name, Set.of()))
                    .as("values of %s", name)
                    .hasSizeGreaterThan(name.equals("sealbook_engine_refused_reads_total") ? 0 : 1);
        }
    }

    private ConfigurableApplicationContext start(String... settings) {
        String[] arguments = new String[settings.length + 1];
        for (int i = 0; i < settings.length; i++) {
            arguments[i] = "--" + settings[i];
        }
        arguments[settings.length] = "--logging.level.root=off";
        return EngineApplication.application(directory).run(arguments);
    }
}
