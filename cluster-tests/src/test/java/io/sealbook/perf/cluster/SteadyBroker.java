package io.sealbook.perf.cluster;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Broker 2 of a cluster, which places one order after another until it is closed. None of them rests. */
final class SteadyBroker implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** Leaves the processors to what is changed meanwhile. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** One more than may lie, of four nodes and of five. */
    private static final int AGREEING_NODES = 2;

    private final LocalCluster cluster;
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "steady-broker");
    private final CompletableFuture<BrokerClient> connected = new CompletableFuture<>();
    private volatile boolean isEnding;
    private volatile long count;

    SteadyBroker(LocalCluster cluster) {
        this.cluster = cluster;
    }

    void start() {
        thread.start();
    }

    /** Returns how many orders have a receipt. */
    long count() {
        return count;
    }

    /** Returns what no change of others may cause. */
    List<String> faults() {
        return faults;
    }

    /** Waits until the program is connected to this number of gateways and engines, and knows no other. */
    void awaitConnected(int endpoints) throws Exception {
        BrokerClient client = connected.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        Facts.await(endpoints + " endpoints connected", () -> {
            List<ConnectionReport.Endpoint> all = client.connectionReport().endpoints();
            return all.size() == endpoints && all.stream().allMatch(ConnectionReport.Endpoint::isConnected);
        });
    }

    private void run() {
        Path directory = cluster.directory().resolve("broker2");
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(directory))
                .connectTimeout(LIMIT)
                .executionReports(report -> {})
                .connect()) {
            connected.complete(client);
            for (long id = 1; !isEnding; id++) {
                place(client, id);
                LockSupport.parkNanos(PAUSE_NS);
            }
        } catch (Exception e) {
            faults.add(e.toString());
        }
    }

    private void place(BrokerClient client, long id) throws Exception {
        try {
            Receipt receipt = client.submit(new Order(
                            Action.NEW,
                            id,
                            Order.NO_ORDER,
                            2,
                            1,
                            Side.SELL,
                            OrdType.LIMIT,
                            TimeInForce.IMMEDIATE_OR_CANCEL,
                            20_000,
                            1))
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (receipt.agreeingNodes() != AGREEING_NODES) {
                faults.add(receipt + " says that " + receipt.agreeingNodes() + " nodes agree");
            }
            count++;
        } catch (InvalidOrderException e) {
            if (e.reason() != RejectReason.INSTRUMENT_HALTED) {
                throw e;
            }
            Facts.await("the end of the halt", () -> isEnding || isTrading(client));
        }
    }

    private static boolean isTrading(BrokerClient client) {
        return client.terms().getInstruments(0).getStatus() == InstrumentStatus.INSTRUMENT_TRADING;
    }

    @Override
    public void close() throws InterruptedException {
        isEnding = true;
        thread.join();
    }
}
