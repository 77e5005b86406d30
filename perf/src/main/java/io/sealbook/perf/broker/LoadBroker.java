package io.sealbook.perf.broker;

import io.sealbook.client.Order;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.crypto.KeyFile;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A closed-loop load: keeps a fixed number of batches of {@link LoadOrders} in flight until it must stop.
 *
 * <p>{@link #runUntil} occupies the thread that calls it.
 */
public final class LoadBroker implements AutoCloseable {
    private final int brokerId;
    private final int ordersPerBatch;
    private final CommitSeries series;
    private final LoadOrders orders;
    private final BrokerClient client;
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong submittedOrders = new AtomicLong();
    private final AtomicLong lastBlock = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * Connects a broker of a local cluster.
     *
     * @param firstClOrdId ids count from here: a broker's live ids must not meet again
     */
    public LoadBroker(
            GenesisFile genesis,
            Path clusterDirectory,
            int brokerId,
            int homeNode,
            int ordersPerBatch,
            int inFlightMax,
            long firstClOrdId,
            CommitSeries series)
            throws IOException {
        this.brokerId = brokerId;
        this.ordersPerBatch = ordersPerBatch;
        this.series = series;
        this.orders = new LoadOrders(brokerId * 31L + ordersPerBatch, brokerId, brokerId, firstClOrdId);
        this.client = BrokerClient.builder()
                .genesis(genesis)
                .brokerId(brokerId)
                .keyId(1)
                .signer(KeyFile.readSigner(
                        clusterDirectory.resolve("broker" + brokerId).resolve("broker.key")))
                .inFlightMax(inFlightMax)
                .homeNode(homeNode)
                .connect();
    }

    /** Returns the instrument of a load broker in the form that the testnet command takes. */
    public static String instrument(int brokerId) {
        return brokerId + ":LOAD" + brokerId + ":2:" + LoadOrders.PRICE_MIN + ":" + LoadOrders.PRICE_MAX + ":"
                + LoadOrders.QUANTITY_MAX;
    }

    /**
     * Submits until it must stop, then waits for the batches in flight.
     *
     * @param isStopped true if it must stop; asked before each batch
     * @param pauseMs ms between two batches; 0 keeps {@code inFlightMax} batches in flight
     */
    public void runUntil(BooleanSupplier isStopped, long pauseMs) throws InterruptedException {
        while (!isStopped.getAsBoolean() && failure.get() == null) {
            submit();
            if (pauseMs > 0) {
                Thread.sleep(pauseMs);
            }
        }
        while (unanswered.get() > 0 && failure.get() == null) {
            Thread.sleep(1);
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("broker " + brokerId + ": " + failed.getMessage(), failed);
        }
    }

    public long submittedOrders() {
        return submittedOrders.get();
    }

    /** Returns the first id that this broker has not used. */
    public long nextClOrdId() {
        return orders.nextClOrdId();
    }

    public long lastBlock() {
        return lastBlock.get();
    }

    @Override
    public void close() {
        client.close();
    }

    private void submit() {
        List<Order> batch = new ArrayList<>(ordersPerBatch);
        for (int i = 0; i < ordersPerBatch; i++) {
            batch.add(orders.next());
        }
        long startNs = System.nanoTime();
        unanswered.incrementAndGet();
        submittedOrders.addAndGet(ordersPerBatch);
        client.submit(batch).whenComplete((receipt, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            } else {
                long nowNs = System.nanoTime();
                series.onCommitted(nowNs, ordersPerBatch, nowNs - startNs);
                lastBlock.accumulateAndGet(receipt.blockSequence(), Math::max);
            }
            unanswered.decrementAndGet();
        });
    }
}
