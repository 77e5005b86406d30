package io.sealbook.perf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.broker.Pace;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.StringReader;
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
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four node processes under load, each with the driver that stands in for NVIDIA's: nearly all signatures go to the
 * device, and devices that fail or lie are reported and replaced while the cluster goes on.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DeviceNodesIT {
    private static final String DRIVER = "gpu-native/target/stand-in";
    private static final int NODES = 4;
    private static final List<String> SCHEMES = List.of("sm2", "sm2");
    private static final LoadMarket MARKET = new LoadMarket(2, 500, SCHEMES.size());
    private static final int IN_FLIGHT = 256;
    private static final int ORDERS_PER_BATCH = 2;
    private static final List<String> FAULTS = List.of("", "fail-launch", "wrong-verdict");
    private static final Duration WAIT = Duration.ofMinutes(10);
    /** Signatures before a node counts as loaded: the first batches of a load are small. */
    private static final double SIGNATURES_BEFORE = 1_000;

    private static final double SIGNATURES_MIN = 2_000;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<LoadBroker> brokers = new ArrayList<>();

    @Test
    void shouldVerifyOnTheDeviceAndReplaceOneThatFails() throws Exception {
        Path driver = Home.find().resolve(DRIVER);
        assumeTrue(
                Files.exists(driver.resolve("libcuda.so.1")),
                "needs gcc, needs g++, needs Linux on x86-64: the tests of gpu-native make the stand-in driver");
        LoadRun load = LoadRun.begin(ORDERS_PER_BATCH, WAIT);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (LocalCluster cluster = LocalCluster.prepare(plan(driver))) {
            cluster.start();
            cluster.awaitReady(WAIT);
            assertThat(status(cluster, 0).getVerifier()).isEqualTo("gpu");
            assertThat(status(cluster, 0).getVerificationsPerSecond()).isPositive();

            List<Future<?>> runs = startLoad(cluster, load, threads);
            awaitShareOfDevice(cluster);
            for (int node = 1; node < FAULTS.size(); node++) {
                assertThat(metric(node, "sealbook_node_device_faults_total")).isZero();
                Files.writeString(faultFile(node), FAULTS.get(node));
            }
            for (int node = 1; node < FAULTS.size(); node++) {
                awaitReplacement(cluster, node);
            }
            load.end();
            for (Future<?> run : runs) {
                run.get();
            }

            assertThat(status(cluster, 0).getVerifier()).isEqualTo("gpu");
            assertThat(metric(0, "sealbook_node_device_faults_total")).isZero();
        } finally {
            load.end();
            threads.shutdownNow();
            brokers.forEach(LoadBroker::close);
        }
    }

    /** Small tables, because the stand-in is a thousand times slower than a device. */
    private ClusterPlan plan(Path driver) throws IOException {
        return ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(NODES),
                        NODES,
                        SCHEMES,
                        MARKET.instruments())
                .withTestnetOptions(List.of(
                        "--node-property",
                        "verifier=gpu",
                        "--node-property",
                        "verifier.gpu.generator-window-bits=6",
                        "--node-property",
                        "verifier.gpu.key-window-bits=6",
                        "--node-property",
                        "verifier.gpu.answer-timeout-ms=30000"))
                .withNodeEnvironment(node -> Map.of(
                        "LD_LIBRARY_PATH",
                        driver.toString(),
                        "SEALBOOK_STAND_IN_FAULT",
                        faultFile(node).toString()));
    }

    private Path faultFile(int node) {
        return directory.resolve("fault" + node);
    }

    private List<Future<?>> startLoad(LocalCluster cluster, LoadRun load, ExecutorService threads) throws IOException {
        List<Future<?>> runs = new ArrayList<>();
        for (int brokerId = 1; brokerId <= SCHEMES.size(); brokerId++) {
            LoadBroker broker =
                    new LoadBroker(cluster.genesis(), cluster.directory(), MARKET, brokerId, IN_FLIGHT, false);
            brokers.add(broker);
            runs.add(threads.submit(() -> {
                broker.submit(load, Pace.closedLoop(0));
                return null;
            }));
        }
        return runs;
    }

    /** Of the signatures that node 0 verifies once it is loaded, more than nine tenths must go to the device. */
    private void awaitShareOfDevice(LocalCluster cluster) throws Exception {
        double verifiedBefore = awaitVerified(cluster, verified() + SIGNATURES_BEFORE);
        double onDeviceBefore = onDevice(0);
        double verified = awaitVerified(cluster, verifiedBefore + SIGNATURES_MIN) - verifiedBefore;
        double onDevice = onDevice(0) - onDeviceBefore;
        System.out.printf("node 0: %.0f of %.0f signatures on the device%n", onDevice, verified);
        assertThat(onDevice / verified).isGreaterThan(0.9);
    }

    /** Waits until node 0 has verified this number since its start, and returns the number then. */
    private double awaitVerified(LocalCluster cluster, double count) throws Exception {
        double verified = verified();
        while (verified < count) {
            Thread.sleep(200);
            cluster.checkProcesses();
            verified = verified();
        }
        return verified;
    }

    private double verified() throws Exception {
        return metric(0, "sealbook_node_verified_signatures_total");
    }

    private double onDevice(int node) throws Exception {
        return metric(node, "sealbook_node_verifier_known_key_signatures_total")
                + metric(node, "sealbook_node_verifier_any_key_signatures_total");
    }

    /** What the alert AcceleratorFailed watches, and what a person asks for. */
    private void awaitReplacement(LocalCluster cluster, int node) throws Exception {
        while (metric(node, "sealbook_node_device_faults_total") == 0) {
            Thread.sleep(200);
            cluster.checkProcesses();
        }
        NodeStatus status = status(cluster, node);
        assertThat(status.getVerifier()).isEqualTo("jni");
        System.out.println("node " + node + ": " + status.getVerifierFault());
        assertThat(status.getVerifierFault())
                .contains(
                        FAULTS.get(node).equals("fail-launch")
                                ? "CUDA_ERROR_LAUNCH_FAILED"
                                : "verdict differed from the CPU's");
        assertThat(metric(node, "sealbook_node_device_faults_total")).isEqualTo(1);
    }

    /** A node that waits for its device answers late. */
    private static NodeStatus status(LocalCluster cluster, int node) throws InterruptedException {
        while (cluster.nodeStatus(node).isEmpty()) {
            Thread.sleep(100);
        }
        return cluster.nodeStatus(node).orElseThrow();
    }

    /** The admin port ends a request that takes too long, as on a busy machine; a scraper comes again. */
    private String scrape(HttpRequest request) throws InterruptedException {
        while (true) {
            try {
                return client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
            } catch (IOException e) {
                Thread.sleep(200);
            }
        }
    }

    private double metric(int node, String name) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(
                Files.readString(directory.resolve("cluster/node" + node).resolve("node.properties"))));
        URI uri = URI.create("http://127.0.0.1:" + properties.getProperty("admin-port") + "/metrics");
        String text = scrape(HttpRequest.newBuilder(uri).build());
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among the metrics"));
    }
}
