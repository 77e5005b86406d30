package io.sealbook.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule fires for what it is about, for nothing else, and not before its time. */
class AlertRulesTest {
    /** What four nodes and engines show that are well, but for the counters' growth. */
    private static final String WELL = """
            sealbook_node_ready 1.0
            sealbook_node_isolated 0.0
            sealbook_node_payload_count 3.0
            sealbook_node_connected_peers 3.0
            sealbook_node_committed_blocks_total 1000.0
            sealbook_node_last_delivered 5000.0
            sealbook_node_last_executed 4999.0
            sealbook_node_stable_checkpoint 4992.0
            sealbook_node_view_changes_total 1.0
            sealbook_node_device_faults_total 0.0
            sealbook_node_archive_damaged_blocks 0.0
            sealbook_node_laboratory 0.0
            sealbook_node_session_suspended 0.0
            sealbook_node_evidence_members 0.0
            sealbook_node_submitted_batches_total 5000.0
            sealbook_node_refusals_total{reason="BUSY"} 0.0
            sealbook_node_refusals_total{reason="BAD_SIGNATURE"} 0.0
            sealbook_node_refusals_total{reason="RATE_QUOTA"} 0.0
            sealbook_node_gateway_refused_connections_total 0.0
            sealbook_node_gateway_refused_reads_total 0.0
            sealbook_node_gateway_refused_rates_total 0.0
            sealbook_admin_refused_rates_total 0.0
            sealbook_peer_refused_total{reason="garbage",role="vote"} 0.0
            sealbook_peer_refused_total{reason="garbage",role="payload"} 0.0
            sealbook_engine_up 1.0
            sealbook_engine_refused_connections_total{port="grpc"} 0.0
            sealbook_engine_refused_connections_total{port="http"} 0.0
            sealbook_engine_refused_reads_total{port="grpc"} 0.0
            sealbook_engine_refused_reads_total{port="http"} 0.0
            sealbook_engine_refused_rates_total{port="grpc"} 0.0
            sealbook_engine_refused_rates_total{port="http"} 0.0
            sealbook_engine_lag_blocks 1.0
            sealbook_engine_database_lag_blocks 2.0
            sealbook_follower_last_block 5000.0
            sealbook_follower_lag_blocks 1.0
            sealbook_follower_held_blocks 2.0
            sealbook_follower_has_source 1.0
            sealbook_follower_faulty_sources 0.0
            sealbook_follower_archive_damaged_blocks 0.0
            sealbook_follower_engine_wrong_at 0.0
            disk_free_bytes{path="/node"} 5.0E10
            disk_total_bytes{path="/node"} 1.0E11
            disk_free_bytes{path="/node/archive"} 5.0E11
            disk_total_bytes{path="/node/archive"} 1.0E12
            sealbook_tls_not_after_seconds{of="own"} 3.0E9
            sealbook_tls_not_after_seconds{of="trusted"} 3.0E9
            process_files_open_files 200.0
            process_files_max_files 1048576.0
            """;

    private final Scrapes scrapes = new Scrapes();
    private AlertRules rules;

    /**
     * A fault: what one node, engine or follower shows instead.
     *
     * @param alert that it raises
     * @param job node, which may be a replica, engine or follower
     * @param metric which is other than when all is well, with its labels
     * @param valueBefore its value a minute before; the well one if it is the same
     * @param value its value
     */
    private record Fault(String alert, String job, String metric, String valueBefore, String value) {}

    private static Stream<Fault> faults() {
        return Stream.of(
                new Fault("ResultDiffers", "node", "sealbook_node_isolated", "0.0", "4992.0"),
                new Fault("NodeNotReady", "node", "sealbook_node_ready", "0.0", "0.0"),
                new Fault("PeersLost", "node", "sealbook_node_connected_peers", "2.0", "2.0"),
                new Fault("NodeBehind", "node", "sealbook_node_last_delivered", "4800.0", "4800.0"),
                new Fault("EngineBehind", "node", "sealbook_node_last_executed", "4935.0", "4935.0"),
                new Fault("BlocksNotCertified", "node", "sealbook_node_stable_checkpoint", "4928.0", "4928.0"),
                new Fault("ViewsChange", "node", "sealbook_node_view_changes_total", "1.0", "6.0"),
                new Fault("AcceleratorFailed", "node", "sealbook_node_device_faults_total", "0.0", "1.0"),
                new Fault("ArchiveDamaged", "node", "sealbook_node_archive_damaged_blocks", "1.0", "1.0"),
                new Fault("SessionSuspended", "node", "sealbook_node_session_suspended", "0.0", "1.0"),
                new Fault("MemberSignedTwice", "node", "sealbook_node_evidence_members", "0.0", "1.0"),
                new Fault("LaboratoryRuns", "node", "sealbook_node_laboratory", "1.0", "1.0"),
                new Fault(
                        "BatchesRefused",
                        "node",
                        "sealbook_node_refusals_total{reason=\"BAD_SIGNATURE\"}",
                        "0.0",
                        "200.0"),
                new Fault(
                        "StrangersAtThePorts",
                        "node",
                        "sealbook_peer_refused_total{reason=\"garbage\",role=\"vote\"}",
                        "0.0",
                        "200.0"),
                new Fault(
                        "StrangersAtThePorts",
                        "node",
                        "sealbook_node_gateway_refused_connections_total",
                        "0.0",
                        "200.0"),
                new Fault("DiskAlmostFull", "node", "disk_free_bytes{path=\"/node/archive\"}", "9.0E10", "9.0E10"),
                new Fault("DiskAlmostFull", "engine", "disk_free_bytes{path=\"/node/archive\"}", "9.0E10", "9.0E10"),
                new Fault("DiskAlmostFull", "follower", "disk_free_bytes{path=\"/node/archive\"}", "9.0E10", "9.0E10"),
                new Fault(
                        "CertificateExpires",
                        "node",
                        "sealbook_tls_not_after_seconds{of=\"own\"}",
                        "864000.0",
                        "864000.0"),
                new Fault(
                        "CertificateExpires",
                        "node",
                        "sealbook_tls_not_after_seconds{of=\"trusted\"}",
                        "864000.0",
                        "864000.0"),
                new Fault(
                        "CertificateExpires",
                        "engine",
                        "sealbook_tls_not_after_seconds{of=\"own\"}",
                        "864000.0",
                        "864000.0"),
                new Fault(
                        "CertificateExpires",
                        "follower",
                        "sealbook_tls_not_after_seconds{of=\"own\"}",
                        "864000.0",
                        "864000.0"),
                new Fault("FollowerBehind", "follower", "sealbook_follower_lag_blocks", "129.0", "129.0"),
                new Fault("FollowerWithoutSource", "follower", "sealbook_follower_has_source", "0.0", "0.0"),
                new Fault("SourceLied", "follower", "sealbook_follower_faulty_sources", "0.0", "1.0"),
                new Fault(
                        "FollowerArchiveDamaged", "follower", "sealbook_follower_archive_damaged_blocks", "1.0", "1.0"),
                new Fault("FollowerEngineWrong", "follower", "sealbook_follower_engine_wrong_at", "0.0", "5000.0"),
                new Fault("DescriptorsRunOut", "node", "process_files_open_files", "9.0E5", "9.0E5"),
                new Fault(
                        "StrangersAtTheEngine",
                        "engine",
                        "sealbook_engine_refused_connections_total{port=\"http\"}",
                        "0.0",
                        "200.0"),
                new Fault(
                        "StrangersAtTheEngine",
                        "engine",
                        "sealbook_engine_refused_reads_total{port=\"grpc\"}",
                        "0.0",
                        "200.0"),
                new Fault(
                        "StrangersAtTheEngine",
                        "engine",
                        "sealbook_engine_refused_rates_total{port=\"http\"}",
                        "0.0",
                        "200.0"),
                new Fault("StrangersAtThePorts", "node", "sealbook_node_gateway_refused_rates_total", "0.0", "200.0"),
                new Fault("StrangersAtThePorts", "node", "sealbook_admin_refused_rates_total", "0.0", "200.0"),
                new Fault(
                        "StrangersAtTheEngine",
                        "node",
                        "sealbook_engine_refused_connections_total{port=\"grpc\"}",
                        "0.0",
                        "200.0"),
                new Fault("EngineLags", "node", "sealbook_engine_lag_blocks", "129.0", "129.0"),
                new Fault("EngineStandsStill", "node", "sealbook_engine_up", "0.0", "0.0"),
                new Fault("MetricWithoutValue", "node", "sealbook_engine_lag_blocks", "NaN", "NaN"),
                new Fault("EngineLags", "engine", "sealbook_engine_lag_blocks", "129.0", "129.0"),
                new Fault("EngineStandsStill", "engine", "sealbook_engine_up", "0.0", "0.0"),
                new Fault("MetricWithoutValue", "engine", "sealbook_engine_lag_blocks", "NaN", "NaN"),
                new Fault("DatabaseBehind", "engine", "sealbook_engine_database_lag_blocks", "1001.0", "1001.0"));
    }

    @BeforeEach
    void readRules() throws IOException {
        rules = AlertRules.read();
    }

    @Test
    void shouldStaySilentWhenAllIsWell() {
        scrape(0, "", "", "");
        scrape(60, "", "", "");

        assertThat(rules.firing(scrapes, 0, 60)).isEmpty();
    }

    /** It is that broker's affair. */
    @Test
    void shouldStaySilentAboutABrokerBeyondItsRate() {
        scrape(0, "node", "sealbook_node_refusals_total{reason=\"RATE_QUOTA\"}", "0.0");
        scrape(60, "node", "sealbook_node_refusals_total{reason=\"RATE_QUOTA\"}", "4000.0");

        assertThat(rules.firing(scrapes, 0, 60)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldFireForItsFaultAndThatNode(Fault fault) {
        scrape(0, fault.job(), fault.metric(), fault.valueBefore());
        scrape(60, fault.job(), fault.metric(), fault.value());

        assertThat(rules.firing(scrapes, 0, 60)).containsExactly(fault.alert() + "{node=2}");
    }

    @Test
    void shouldFireWhenBlocksStandStill() {
        scrape(0, "", "", "");
        for (int node = 0; node < 4; node++) {
            scrapes.add(30, "node", node, well(0));
            scrapes.add(60, "node", node, well(0));
            scrapes.add(90, "node", node, well(0));
        }

        assertThat(rules.firing(scrapes, 59, 90)).containsExactly("BlocksStandStill");
    }

    /** One that stores blocks holds some at any time. */
    @Test
    void shouldFireWhenAFollowerHoldsBlocksAndStoresNone() {
        for (double timeS = 0; timeS <= 120; timeS += 30) {
            scrapes.add(timeS, "follower", 1, well(timeS));
            scrapes.add(timeS, "follower", 2, well(0));
        }

        assertThat(rules.firing(scrapes, 0, 60, 119)).isEmpty();
        assertThat(rules.firing(scrapes, 0, 60, 120)).containsExactly("FollowerUnconfirmed{node=2}");
    }

    @Test
    void shouldFireWhenAProcessDoesNotAnswer() {
        scrape(0, "", "", "");
        scrapes.add(30, "node", 3, null);
        scrapes.add(30, "engine", 1, null);

        assertThat(rules.firing(scrapes, 0, 30)).isEmpty();
        assertThat(rules.firing(scrapes, 30, 59)).isEmpty();
        assertThat(rules.firing(scrapes, 30, 60)).containsExactly("ProcessDown{node=1}", "ProcessDown{node=3}");
    }

    @Test
    void shouldNotFireBeforeItsTime() {
        scrape(0, "node", "sealbook_node_ready", "0.0");

        assertThat(rules.firing(scrapes, 0)).isEmpty();
        assertThat(rules.firing(scrapes, 0, 59)).isEmpty();
        assertThat(rules.firing(scrapes, 0, 60)).containsExactly("NodeNotReady{node=2}");
    }

    /** An engine whose database is off on purpose does not show that metric. */
    @Test
    void shouldStaySilentWithoutADatabase() {
        for (double timeS : new double[] {0, 60}) {
            scrapes.add(timeS, "engine", 0, well(timeS).replaceAll("sealbook_engine_database_lag_blocks.*\n", ""));
        }

        assertThat(rules.firing(scrapes, 0, 60)).isEmpty();
    }

    @Test
    void shouldHaveATestForEveryRule() {
        TreeSet<String> tested = new TreeSet<>(faults().map(Fault::alert).toList());
        tested.addAll(List.of("ProcessDown", "BlocksStandStill", "FollowerUnconfirmed"));

        assertThat(rules.names()).isEqualTo(tested);
    }

    /** {@code alert `Name` fires}, or the list after {@code alert:}. */
    @Test
    void shouldHaveEachAlertThatTheOperatorsHandbookNames() throws IOException {
        Pattern lists = Pattern.compile("\\balerts?:?\\s+(`?[A-Z][A-Za-z]+`?(,\\s+`[A-Z][A-Za-z]+`)*)");
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        List<String> named = lists.matcher(Files.readString(root.resolve("docs/OPERATING.md")))
                .results()
                .flatMap(list -> Stream.of(list.group(1).replace("`", "").split(",\\s+")))
                .toList();

        assertThat(named).contains("SourceLied", "EngineBehind", "ArchiveDamaged", "SessionSuspended");
        assertThat(rules.names()).containsAll(named);
    }

    /** Worked by hand from the algorithm: 10 in 30 s, extrapolated by half a distance of samples at each end. */
    @Test
    void shouldExtrapolateAsPrometheusDoes() {
        TreeMap<Double, Double> values = new TreeMap<>();
        values.put(20.0, 100.0);
        values.put(30.0, 104.0);
        values.put(40.0, 2.0);
        values.put(50.0, 6.0);

        assertThat(Increase.of(values, 0, 60)).isCloseTo(10 * (30 + 5 + 10) / 30.0, within(1e-9));
    }

    @Test
    void shouldEvaluateByPrecedenceAndMatchByLabels() {
        scrapes.add(0, "node", 0, "a 6.0\nb 2.0\nc{reason=\"x\"} 1.0\nc{reason=\"y\"} 4.0\n");
        scrapes.add(0, "node", 1, "a 1.0\nb 5.0\n");

        assertThat(values("a{job=\"node\"} + b{job=\"node\"} * 2")).containsExactly(10.0, 11.0);
        assertThat(values("(a{job=\"node\"} + b{job=\"node\"}) * 2 > 12")).containsExactly(16.0);
        assertThat(values("a{node=\"0\"} > b{node=\"0\"}")).containsExactly(6.0);
        assertThat(values("a{node=\"0\"} > b{node=\"1\"}")).isEmpty();
        assertThat(values("sum by (node) (c{reason=~\"x|y\"})")).containsExactly(5.0);
        assertThat(values("max(a{job!=\"engine\"}) - min(a{job=\"node\"})")).containsExactly(5.0);
        assertThat(values("a{job=\"node\"} - time()")).containsExactly(6.0, 1.0);
        assertThat(values("scalar(count(up{job=\"node\"})) - 1")).containsExactly(1.0);
        assertThat(values("a{job=\"node\"} > 5 and b{job=\"node\"} > 5")).isEmpty();
    }

    private List<Double> values(String expression) {
        return PromQl.evaluate(expression, scrapes, 0).stream()
                .map(Sample::value)
                .toList();
    }

    /** Scrapes four nodes, engines and followers that are well, but for one metric of the second's. */
    private void scrape(double timeS, String job, String metric, String value) {
        for (int node = 0; node < 4; node++) {
            for (String target : List.of("node", "engine", "follower")) {
                String text = well(timeS);
                if (node == 2 && target.equals(job)) {
                    String line = text.lines()
                            .filter(each -> each.startsWith(metric + " "))
                            .findFirst()
                            .orElseThrow();
                    text = text.replace(line, metric + " " + value);
                }
                scrapes.add(timeS, target, node, text);
            }
        }
    }

    /** Counters of work grow with time. */
    private static String well(double timeS) {
        return WELL.replace("follower_last_block 5000.0", "follower_last_block " + (5_000 + 10 * timeS))
                .replace("committed_blocks_total 1000.0", "committed_blocks_total " + (1_000 + 10 * timeS))
                .replace("submitted_batches_total 5000.0", "submitted_batches_total " + (5_000 + 20 * timeS));
    }
}
