package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.RunningLoad;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
 * of it, by the built tool with the genesis file alone. The proofs come from every engine.
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
