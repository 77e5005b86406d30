package io.sealbook.perf.offload;

import io.sealbook.perf.broker.AnswerSeries;
import io.sealbook.perf.broker.SynchronousClient;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.ClusterPorts;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.MeterReadings;
import io.sealbook.perf.cluster.NodeShape;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A local cluster of one configuration with its clients. Each run ends with a check: all nodes have executed the same
 * blocks with the same result, and have committed as many orders as were sent.
 */
final class OffloadCluster implements AutoCloseable {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(180);
    private static final String SCHEME = "secp256k1";

    private final LocalCluster cluster;
    private final List<SynchronousClient> clients = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private long sent;

    private OffloadCluster(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Starts the nodes and connects the clients.
     *
     * @param home root of the source tree
     * @param directory emptied first
     * @param configuration of each node
     * @param nodeCount 4 to 13
     * @param clientsMax largest number of clients of a run
     */
    static OffloadCluster start(Path home, Path directory, Configuration configuration, int nodeCount, int clientsMax)
            throws IOException, InterruptedException {
        WorkDirectory.empty(directory);
        List<String> testnetOptions = new ArrayList<>();
        for (String property : configuration.nodeProperties()) {
            testnetOptions.addAll(List.of("--node-property", property));
        }
        LocalCluster nodes = LocalCluster.prepare(ClusterPlan.of(
                        home,
                        directory,
                        LocalCluster.freeBasePort(nodeCount),
                        nodeCount,
                        Collections.nCopies(clientsMax, SCHEME),
                        List.of(SynchronousClient.INSTRUMENT))
                .withTestnetOptions(testnetOptions)
                .withShape(NodeShape.EXPERIMENT));
        OffloadCluster started = new OffloadCluster(nodes);
        try {
            nodes.start();
            nodes.awaitReady(READY_TIMEOUT);
            for (int i = 0; i < clientsMax; i++) {
                started.clients.add(new SynchronousClient(nodes.genesis(), directory, i + 1, i % nodeCount));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    /**
     * Lets some of the clients work and returns the figures of the run's middle third.
     *
     * @param clientCount 1 to the number of clients
     * @param passes of the counter loop for each request
     * @param seconds length of the run
     * @throws IOException if a request was lost, results differ, or a process ended
     */
    AnswerSeries.Window run(int clientCount, int passes, int seconds) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        long durationNs = Duration.ofSeconds(seconds).toNanos();
        AnswerSeries series = new AnswerSeries(startNs, durationNs);
        ExecutorService threads = Executors.newFixedThreadPool(clientCount);
        try {
            List<Future<Long>> runs = new ArrayList<>();
            for (SynchronousClient client : clients.subList(0, clientCount)) {
                runs.add(threads.submit(
                        () -> client.runUntil(() -> System.nanoTime() - startNs >= durationNs, passes + 1L, series)));
            }
            for (Future<Long> run : runs) {
                sent += run.get();
            }
        } catch (ExecutionException e) {
            cluster.checkProcesses(); // A process that ended explains more than the client that misses it.
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
        check();
        return series.middleThird();
    }

    private void check() throws IOException, InterruptedException {
        long lastBlock =
                clients.stream().mapToLong(SynchronousClient::lastBlock).max().orElseThrow();
        cluster.awaitQuiet(lastBlock, QUIET_TIMEOUT);
        List<URI> metrics = new ClusterPorts(cluster.genesis(), false).metricsAddresses();
        NodeStatus first = status(0);
        for (int node = 0; node < cluster.size(); node++) {
            NodeStatus status = status(node);
            if (!status.getResultDigest().equals(first.getResultDigest())) {
                throw new IOException("node " + node + " differs from node 0 at block " + status.getLastExecuted());
            }
            double committed = MeterReadings.scrape(http, metrics.get(node)).of("sealbook_node_committed_orders_total");
            if (committed != sent) {
                throw new IOException("node " + node + " committed " + committed + " orders, " + sent + " were sent");
            }
        }
    }

    private NodeStatus status(int node) throws IOException {
        return cluster.nodeStatus(node).orElseThrow(() -> new IOException("node " + node + " does not answer"));
    }

    @Override
    public void close() {
        clients.forEach(SynchronousClient::close);
        http.close();
        cluster.close();
    }
}
