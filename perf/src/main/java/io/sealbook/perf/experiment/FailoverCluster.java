package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.broker.Pace;
import io.sealbook.perf.cluster.ExecutionCheck;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A cluster under a steady load whose primary is lost again and again. One thread drives it. */
final class FailoverCluster implements AutoCloseable {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LONGEST_LOAD = Duration.ofHours(4);
    private static final String VOTING = "NORMAL";
    private static final int NO_NODE = -1;
    private static final long CALM_MS = 3_000;
    private static final long POLL_MS = 20;
    /** The interruption is over when this many receipts have come after the view change. */
    private static final int RECEIPTS_AFTER = 50;

    private final LoadOptions load;
    private final LocalCluster cluster;
    private final List<LoadBroker> brokers = new ArrayList<>();
    private final List<Future<?>> submissions = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ReceiptTimes receipts = new ReceiptTimes();
    private LoadRun run;

    /**
     * What one loss led to.
     *
     * @param lostNode the primary
     * @param view that the others went on in
     * @param pauseNs ns from the loss to the first receipt after the interruption
     */
    record Failover(int lostNode, long view, long pauseNs) {}

    /**
     * What brokers have submitted.
     *
     * @param orders of all batches, each of which every engine has executed once
     * @param batchesPerSecond from the begin of the load to its end, interruptions included
     */
    record Held(long orders, double batchesPerSecond) {
        /** Returns what orders in batches of one size come to. */
        static Held of(long orders, int ordersPerBatch, long durationNs) {
            return new Held(orders, (double) orders / ordersPerBatch * 1e9 / durationNs);
        }
    }

    private FailoverCluster(LoadOptions load, LocalCluster cluster) {
        this.load = load;
        this.cluster = cluster;
    }

    /**
     * Starts a cluster and its load, and waits for the warm-up.
     *
     * @param load options of cluster and brokers
     * @param orders in a batch
     * @param batchesPerSecond of all brokers together
     */
    static FailoverCluster start(LoadOptions load, int orders, int batchesPerSecond)
            throws IOException, InterruptedException {
        WorkDirectory.empty(load.directory());
        FailoverCluster started = new FailoverCluster(load, LocalCluster.prepare(LoadedCluster.plan(load, List.of())));
        try {
            started.cluster.start();
            started.cluster.awaitReady(READY_TIMEOUT);
            started.submit(orders, batchesPerSecond);
            Thread.sleep(Duration.ofSeconds(load.warmUpSeconds));
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private void submit(int orders, int batchesPerSecond) throws IOException {
        for (int brokerId = 1; brokerId <= load.brokerSchemes.size(); brokerId++) {
            brokers.add(new LoadBroker(
                    cluster.genesis(), cluster.directory(), load.market(), brokerId, load.inFlight, false));
        }
        run = LoadRun.begin(orders, LONGEST_LOAD, receipts::add);
        double intervalNs = 1e9 * brokers.size() / batchesPerSecond;
        for (int i = 0; i < brokers.size(); i++) {
            LoadBroker broker = brokers.get(i);
            Pace pace = Pace.openLoop(run.startNs() + (long) (intervalNs * i / brokers.size()), intervalNs);
            submissions.add(threads.submit(() -> {
                broker.submit(run, pace);
                return null;
            }));
        }
    }

    boolean isTrained() {
        return cluster.isTrained();
    }

    /**
     * Has the primary fail, waits until the others have gone on, and starts it again.
     *
     * @param fault of the primary's process
     * @throws IOException if a batch was lost, a process ended, or the cluster does not recover
     */
    Failover failOver(PrimaryFault fault) throws IOException, InterruptedException {
        NodeStatus before = awaitCalm();
        int primary = before.getPrimary();
        receipts.clear();
        long lostNs = System.nanoTime();
        switch (fault) {
            case KILL -> cluster.killNode(primary);
            case STOP -> cluster.node(primary).pause();
        }
        long view = awaitOthers(primary, before.getView());
        receipts.awaitFurther(RECEIPTS_AFTER, READY_TIMEOUT);
        long pauseNs = receipts.endOfLongestPauseAfter(lostNs) - lostNs;
        cluster.killNode(primary);
        cluster.startNode(primary);
        return new Failover(primary, view, pauseNs);
    }

    /** Waits until all members vote in one view, and a while longer. */
    private NodeStatus awaitCalm() throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (System.nanoTime() < deadlineNs) {
            checkSubmissions();
            List<NodeStatus> nodes = statuses();
            if (isCalm(nodes)) {
                Thread.sleep(CALM_MS);
                return cluster.nodeStatus(nodes.getFirst().getPrimary())
                        .orElseThrow(() -> new IOException("the primary does not answer"));
            }
            Thread.sleep(POLL_MS);
        }
        throw new IOException("not all nodes vote in one view within " + READY_TIMEOUT);
    }

    private boolean isCalm(List<NodeStatus> nodes) {
        return nodes.size() == cluster.size()
                && nodes.stream()
                        .allMatch(node -> node.getReady() && node.getState().equals(VOTING))
                && nodes.stream().mapToLong(NodeStatus::getView).distinct().count() == 1;
    }

    /** Waits until another node has entered a later view; returns the view. */
    private long awaitOthers(int lostNode, long viewBefore) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (System.nanoTime() < deadlineNs) {
            checkSubmissions();
            Optional<NodeStatus> later = statusesWithout(lostNode).stream()
                    .filter(node -> node.getState().equals(VOTING))
                    .filter(node -> node.getView() > viewBefore)
                    .findAny();
            if (later.isPresent()) {
                return later.get().getView();
            }
            Thread.sleep(POLL_MS);
        }
        throw new IOException("no view change within " + READY_TIMEOUT + " after the primary was lost");
    }

    private List<NodeStatus> statuses() {
        return statusesWithout(NO_NODE);
    }

    /** A process that stands still would not answer. */
    private List<NodeStatus> statusesWithout(int lostNode) {
        List<NodeStatus> nodes = new ArrayList<>();
        for (int node = 0; node < cluster.size(); node++) {
            if (node != lostNode && cluster.node(node).isRunning()) {
                cluster.nodeStatus(node).ifPresent(nodes::add);
            }
        }
        return nodes;
    }

    /**
     * Ends the load, waits until all nodes have the same last block, the node of the last fail-over among them, and
     * checks what became of the orders.
     *
     * @return the orders and their rate
     * @throws IOException if a batch was lost, a process ended, the cluster does not come to rest, or engines are not
     *     as {@link ExecutionCheck} says
     */
    Held settle() throws IOException, InterruptedException {
        long durationNs = System.nanoTime() - run.startNs();
        run.end();
        for (Future<?> submission : submissions) {
            while (!submission.isDone()) {
                Thread.sleep(POLL_MS);
                cluster.checkProcesses();
            }
        }
        checkSubmissions();
        long submitted = brokers.stream().mapToLong(LoadBroker::submittedOrders).sum();
        long lastBlock = brokers.stream().mapToLong(LoadBroker::lastBlock).max().orElseThrow();
        new ExecutionCheck()
                .check(
                        cluster.awaitQuiet(lastBlock, READY_TIMEOUT),
                        submitted,
                        load.market().mustTrade(submitted));
        return Held.of(submitted, run.ordersPerBatch(), durationNs);
    }

    private void checkSubmissions() throws IOException, InterruptedException {
        for (Future<?> submission : submissions) {
            if (submission.isDone()) {
                try {
                    submission.get();
                } catch (ExecutionException e) {
                    throw new IOException("a broker failed: " + e.getCause().getMessage(), e.getCause());
                }
            }
        }
    }

    @Override
    public void close() {
        if (run != null) {
            run.end();
        }
        threads.shutdownNow();
        brokers.forEach(LoadBroker::close);
        cluster.close();
    }
}
