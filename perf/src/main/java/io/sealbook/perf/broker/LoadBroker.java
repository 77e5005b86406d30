package io.sealbook.perf.broker;

import io.sealbook.client.BrokerClient;
import io.sealbook.client.Order;
import io.sealbook.crypto.KeyFile;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A closed-loop load: keeps a fixed number of batches in flight until it is told to stop. Orders are drawn from a
 * seed: half rest on one side of a price, half take from the other side what is there and leave nothing behind, so that nearly all trade and
 * the book stays small however long it goes on.
 *
 * <p>{@link #runUntil} occupies the thread that calls it.
 */
public final class LoadBroker implements AutoCloseable {
    private static final long PRICE_MIN = 9_000;
    private static final long PRICE_MAX = 11_000;
    private static final long QUANTITY_MAX = 100_000;
    private static final long PRICE_MIDDLE = 10_000;
    private static final int PRICE_SPREAD = 12;
    private static final long LOT = 100;

    private final int brokerId;
    private final int instrumentId;
    private final int ordersPerBatch;
    private final CommitSeries series;
    private final SplittableRandom random;
    private final BrokerClient client;
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong submittedOrders = new AtomicLong();
    private final AtomicLong lastBlock = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private long clOrdIds;

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
        this.instrumentId = brokerId;
        this.ordersPerBatch = ordersPerBatch;
        this.series = series;
        this.clOrdIds = firstClOrdId;
        this.random = new SplittableRandom(brokerId * 31L + ordersPerBatch);
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
        return brokerId + ":LOAD" + brokerId + ":2:" + PRICE_MIN + ":" + PRICE_MAX + ":" + QUANTITY_MAX;
    }

    /**
     * Submits until told to stop, then waits for what is in flight.
     *
     * @param pauseMs between two batches; 0 keeps the whole of {@code inFlightMax} under way
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
        return clOrdIds;
    }

    public long lastBlock() {
        return lastBlock.get();
    }

    @Override
    public void close() {
        client.close();
    }

    private void submit() {
        List<Order> orders = new ArrayList<>(ordersPerBatch);
        for (int i = 0; i < ordersPerBatch; i++) {
            orders.add(nextOrder());
        }
        long startNs = System.nanoTime();
        unanswered.incrementAndGet();
        submittedOrders.addAndGet(ordersPerBatch);
        client.submit(orders).whenComplete((receipt, failed) -> {
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

    private Order nextOrder() {
        boolean isBuy = random.nextBoolean();
        boolean isTaking = random.nextBoolean();
        int distance = isTaking ? PRICE_SPREAD : -1 - random.nextInt(PRICE_SPREAD);
        return new Order(
                Action.NEW,
                clOrdIds++,
                Order.NO_ORDER,
                brokerId,
                instrumentId,
                isBuy ? Side.BUY : Side.SELL,
                OrdType.LIMIT,
                isTaking ? TimeInForce.IMMEDIATE_OR_CANCEL : TimeInForce.GOOD_TILL_CANCEL,
                PRICE_MIDDLE + (isBuy ? distance : -distance),
                LOT * (1 + random.nextInt(5)));
    }
}
