package io.sealbook.perf.broker;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * A client with one request in flight: the next one leaves after f + 1 equal receipts of the last. A request is a batch
 * of one order. {@link #runUntil} occupies the thread that calls it.
 */
public final class SynchronousClient implements AutoCloseable {
    /** The only instrument, in the form that the testnet command takes. */
    public static final String INSTRUMENT = "1:WORK:0:1:1:1000001";

    private static final int INSTRUMENT_ID = 1;
    private static final long PRICE = 1;

    private final int brokerId;
    private final BrokerClient client;
    private long nextClOrdId = 1;
    private long lastBlock;

    /**
     * Connects a client of a local cluster.
     *
     * @param genesis of the cluster
     * @param clusterDirectory has the directory of each broker
     * @param brokerId from 1
     * @param homeNode that takes its requests, from 0
     */
    public SynchronousClient(GenesisFile genesis, Path clusterDirectory, int brokerId, int homeNode)
            throws IOException {
        this.brokerId = brokerId;
        this.client = BrokerClient.builder()
                .directory(BrokerDirectory.read(clusterDirectory.resolve("broker" + brokerId)))
                .inFlightMax(1)
                .homeNode(homeNode)
                .connect();
    }

    /**
     * Sends requests until it must stop.
     *
     * @param isStopped true if it must stop; asked before each request
     * @param quantity of each order, 1 to 1,000,001
     * @param series gets each request
     * @return number of requests
     * @throws IOException if a request failed
     */
    public long runUntil(BooleanSupplier isStopped, long quantity, AnswerSeries series)
            throws IOException, InterruptedException {
        long requests = 0;
        while (!isStopped.getAsBoolean()) {
            Order order = Order.limit(nextClOrdId++, brokerId, INSTRUMENT_ID, Side.BUY, PRICE, quantity);
            long startNs = System.nanoTime();
            try {
                lastBlock = client.submit(order).get().blockSequence();
            } catch (ExecutionException e) {
                throw new IOException("client " + brokerId + ": " + e.getCause().getMessage(), e.getCause());
            }
            long nowNs = System.nanoTime();
            series.onAnswered(nowNs, 1, nowNs - startNs);
            requests++;
        }
        return requests;
    }

    /** Returns the block of the last request. */
    public long lastBlock() {
        return lastBlock;
    }

    @Override
    public void close() {
        client.close();
    }
}
