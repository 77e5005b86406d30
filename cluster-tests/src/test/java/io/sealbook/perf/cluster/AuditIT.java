package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.OpenOrders;
import io.sealbook.client.OrderTrace;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.RunningLoad;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An auditor on a running cluster: an order is found by its ClOrdID, read and proven, and so are its report and a trade
 * of it, and the positions of a broker, by the built tool with the genesis file alone. The proofs come from every
 * engine. The client's answers, which engines agree on, are those of the files.
 */
class AuditIT {
    private static final LoadMarket MARKET = new LoadMarket(2, 500, 1);
    private static final RunningLoad.Shape SHAPE = new RunningLoad.Shape(10, 16, 25, true);
    /** More than two checkpoint intervals: the first blocks are certified. */
    private static final int BLOCKS = 40;

    /** Each engine may prove with another certificate. */
    private static final Set<String> OF_THE_CERTIFICATE = Set.of("signers", "certifiedSequence");

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldProveAnOrderItsReportAndItsTradeWithTheGenesisFileAlone() throws Exception {
        ClusterPlan plan = ClusterPlan.of(
                Home.find(),
                directory.resolve("cluster"),
                LocalCluster.freeBasePort(4),
                4,
                List.of("sm2"),
                MARKET.instruments());
        try (LocalCluster cluster = LocalCluster.prepare(plan)) {
            cluster.start();
            cluster.awaitReady(LIMIT);
            try (RunningLoad load = RunningLoad.start(cluster, MARKET, SHAPE)) {
                load.awaitBlocks(BLOCKS);
                load.end();
                booksAgree(cluster, load.awaitExecuted().getFirst());
            }

            Map<String, String> report = prove(cluster, "api/reports/1/1/proof", "report");
            assertThat(report).containsEntry("event", "ACCEPTED").containsEntry("reportSequence", "1");
            Map<String, String> trade = prove(cluster, "api/trades/1/proof", "trade");
            assertThat(trade).containsEntry("event", "INCOMING_FILL").containsEntry("tradeId", "1");
            findReadAndProve(cluster, report);
            assertThat(tool(
                            "verify-proof",
                            directory.resolve("report0.proof").toString(),
                            "--genesis",
                            genesis(cluster),
                            "--archive",
                            cluster.directory().resolve("node0/archive").toString()))
                    .anyMatch(line -> line.startsWith("entry order block " + report.get("block") + " "));
        }
    }

    /** SQL over the files of a running node counts what its engine counts. */
    private void booksAgree(LocalCluster cluster, EngineState engine) throws Exception {
        String node = cluster.directory().resolve("node0").toString();
        assertThat(run("books", "sql", node, "SELECT count(*), sum(quantity) > 0 FROM trades"))
                .contains(engine.getTrades() + "\ttrue");
        assertThat(run("books", "sql", node, "SELECT count(*) FROM reports"))
                .contains(Long.toString(engine.getReports()));
        assertThat(run("books", "sql", node, "SELECT count(*) FROM entries"))
                .contains(Long.toString(engine.getOrders()));
    }

    /** Fetches a proof from each engine and has the tool verify it; returns what the tool prints, by name. */
    private Map<String, String> prove(LocalCluster cluster, String path, String name) throws Exception {
        List<Map<String, String>> proven = new ArrayList<>();
        for (int engine = 0; engine < cluster.size(); engine++) {
            Path file = directory.resolve(name + engine + ".proof");
            Files.write(file, fetch(cluster.consoleAddress(engine) + path));
            List<String> lines = tool("verify-proof", file.toString(), "--genesis", genesis(cluster));
            assertThat(lines).contains("verdict proven", "quorum 3");
            proven.add(lines.stream()
                    .map(line -> line.split(" ", 2))
                    .filter(words -> !OF_THE_CERTIFICATE.contains(words[0]))
                    .collect(Collectors.toMap(words -> words[0], words -> words[1])));
        }
        assertThat(proven).allSatisfy(facts -> assertThat(facts).isEqualTo(proven.get(0)));
        return proven.get(0);
    }

    /** The four commands of the README. */
    private void findReadAndProve(LocalCluster cluster, Map<String, String> report) throws Exception {
        String archive = cluster.directory().resolve("node0/archive").toString();
        String block = report.get("block");
        String batch = report.get("batch");
        String order = report.get("order");
        List<String> entry = tool("order", archive, "--block", block, "--batch", batch, "--order", order);
        String clOrdId = entry.stream()
                .filter(line -> line.startsWith("clOrdId "))
                .findFirst()
                .orElseThrow();
        String proof = directory.resolve("batch.proof").toString();

        assertThat(tool("find", archive, "--broker", "1", "--cl-ord-id", clOrdId.split(" ")[1]))
                .anyMatch(line -> line.startsWith("order block " + block + " batch " + batch + " order " + order));
        trace(cluster, clOrdId, report);
        clientAgrees(cluster, Long.parseUnsignedLong(clOrdId.split(" ")[1]), report);
        provePositions(cluster);
        tool("prove", archive, "--block", block, "--index", batch, "--out", proof);
        assertThat(tool("verify-proof", proof, "--genesis", genesis(cluster), "--orders"))
                .contains("verdict proven")
                .anyMatch(line -> line.startsWith("order " + order + " " + clOrdId + " "));
    }

    /** The life of the order begins with its entry and the report that is proven, and each fill has another side. */
    private void trace(LocalCluster cluster, String clOrdId, Map<String, String> report) throws Exception {
        String node = cluster.directory().resolve("node0").toString();
        String id = clOrdId.split(" ")[1];
        List<String> life = run("books", "trace", node, "--broker", "1", "--cl-ord-id", id, "--counterparts");
        assertThat(life.get(0))
                .startsWith("entry block " + report.get("block") + " batch " + report.get("batch") + " order "
                        + report.get("order") + " ");
        assertThat(life.get(1)).contains(" reportSequence 1 execType NEW ", " " + clOrdId + " ");
        assertThat(life).allMatch(line -> line.contains(" execType TRADE ") == line.contains(" counterBroker "));
        assertThat(life.getLast()).startsWith("state ");
        for (int engine = 0; engine < cluster.size(); engine++) {
            String trace = new String(
                    fetch(cluster.consoleAddress(engine) + "api/orders/1/" + id + "/trace"), StandardCharsets.UTF_8);
            assertThat(trace.split("\"event\":", -1)).as(trace).hasSize(life.size() + 1);
            assertThat(trace).contains("\"proof\":\"/api/reports/1/1/proof\"");
        }
    }

    /** A broker's program that has kept no reports asks for what the files of a node say. */
    private void clientAgrees(LocalCluster cluster, long clOrdId, Map<String, String> report) throws Exception {
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(cluster.directory().resolve("broker1")))
                .connectTimeout(LIMIT)
                .connect()) {
            OrderTrace trace = client.trace(clOrdId, 0, LIMIT).get();
            assertThat(trace.isComplete()).isTrue();
            assertThat(trace.steps().getFirst()).isInstanceOfSatisfying(OrderTrace.SignedEntry.class, entry -> {
                assertThat(Long.toString(entry.blockSequence())).isEqualTo(report.get("block"));
                assertThat(Integer.toString(entry.batchIndex())).isEqualTo(report.get("batch"));
                assertThat(Integer.toString(entry.orderIndex())).isEqualTo(report.get("order"));
            });
            ExecutionReport accepted = trace.reports().getFirst();
            assertThat(accepted.reportSequence()).isOne();

            List<String> positions =
                    client.positions(accepted.accountId(), trace.asOfBlock(), LIMIT).get().positions().stream()
                            .map(of -> of.instrumentId() + "\t" + of.boughtQuantity() + "\t" + of.boughtValue() + "\t"
                                    + of.soldQuantity() + "\t" + of.soldValue())
                            .toList();
            assertThat(positions)
                    .isNotEmpty()
                    .isEqualTo(rows(
                            cluster,
                            "SELECT instrument_id, bought_qty, bought_value, sold_qty, sold_value FROM positions"
                                    + " WHERE account_id = " + accepted.accountId() + " ORDER BY instrument_id"));
            assertThat(openOrders(client))
                    .isEqualTo(rows(
                            cluster,
                            "SELECT order_id FROM orders WHERE broker_id = 1 AND leaves_qty > 0 ORDER BY order_id"));
        }
    }

    private static List<String> openOrders(BrokerClient client) throws Exception {
        List<String> orderIds = new ArrayList<>();
        long after = 0;
        OpenOrders open;
        do {
            open = client.openOrders(after, 0, LIMIT).get();
            open.orders().forEach(order -> orderIds.add(Long.toString(order.orderId())));
            after = open.orders().isEmpty() ? after : open.orders().getLast().orderId();
        } while (!open.isComplete());
        return orderIds;
    }

    /** What the tool makes of the proof of each engine is what SQL makes of the reports up to its block. */
    private void provePositions(LocalCluster cluster) throws Exception {
        for (int engine = 0; engine < cluster.size(); engine++) {
            Path file = directory.resolve("positions" + engine + ".proof");
            Files.write(file, fetch(cluster.consoleAddress(engine) + "api/positions/1/proof"));
            List<String> lines = tool("verify-proof", file.toString(), "--genesis", genesis(cluster));

            assertThat(lines).contains("verdict proven", "broker 1");
            String block = lines.stream()
                    .filter(line -> line.startsWith("block "))
                    .findFirst()
                    .orElseThrow()
                    .split(" ")[1];
            assertThat(lines.stream().filter(line -> line.startsWith("position ")))
                    .isNotEmpty()
                    .containsExactlyElementsOf(rows(
                            cluster,
                            "WITH fills AS (SELECT account_id, instrument_id,"
                                    + " coalesce(sum(last_qty) FILTER (side = 'BUY'), 0) AS b,"
                                    + " coalesce(sum(last_px * last_qty) FILTER (side = 'BUY'), 0) AS bv,"
                                    + " coalesce(sum(last_qty) FILTER (side = 'SELL'), 0) AS s,"
                                    + " coalesce(sum(last_px * last_qty) FILTER (side = 'SELL'), 0) AS sv"
                                    + " FROM reports(to_block := " + block + ")"
                                    + " WHERE exec_type = 'TRADE' AND broker_id = 1 GROUP BY ALL)"
                                    + " SELECT concat('position account ', account_id, ' instrument ', instrument_id,"
                                    + " ' net ', b - s, ' bought ', b, ' boughtValue ', bv,"
                                    + " ' sold ', s, ' soldValue ', sv)"
                                    + " FROM fills ORDER BY account_id, instrument_id"));
        }
    }

    /** Returns the rows of an SQL answer over the files of the first node, without the names of columns. */
    private List<String> rows(LocalCluster cluster, String sql) throws Exception {
        List<String> lines =
                run("books", "sql", cluster.directory().resolve("node0").toString(), sql);
        return lines.subList(1, lines.size());
    }

    private static String genesis(LocalCluster cluster) {
        return cluster.directory().resolve("genesis.json").toString();
    }

    /** Fetches a proof; the certificate that it needs may be on its way to this node. */
    private static byte[] fetch(String address) throws Exception {
        AtomicReference<String> answer = new AtomicReference<>();
        return Facts.awaitPresent(() -> address + ", last answer " + answer, () -> {
            HttpResponse<byte[]> response = HTTP.send(
                    HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofByteArray());
            answer.set(response.statusCode() + " " + new String(response.body()));
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        });
    }

    private List<String> tool(String... arguments) throws IOException, InterruptedException {
        return run("block-archive", arguments);
    }

    /** Runs the built tool of a module; returns what it prints. */
    private List<String> run(String module, String... arguments) throws IOException, InterruptedException {
        Path log = directory.resolve("tool.log");
        Path errors = directory.resolve("tool.err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                LocalCluster.jar(Home.find(), module).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(errors.toFile())
                .redirectOutput(log.toFile())
                .start();
        int exitCode = process.waitFor();
        List<String> lines = Files.readAllLines(log);
        assertThat(exitCode)
                .as("%s: %s, %s", command, lines, Files.readString(errors))
                .isZero();
        return lines;
    }
}
