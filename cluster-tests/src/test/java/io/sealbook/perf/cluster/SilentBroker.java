package io.sealbook.perf.cluster;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;

/** A program with resting orders, which sets their time, prints {@code ready} and goes on until it is killed. */
final class SilentBroker {
    static final int ORDERS = 20;
    static final long PRICE = 10_000;

    private SilentBroker() {}

    /** Returns bids of broker 1, larger than what a test sells. */
    static List<Order> bids(long firstId) {
        return LongStream.range(firstId, firstId + ORDERS)
                .mapToObj(id ->
                        Order.limit(id, 1, 1, Side.BUY, PRICE, 100_000).withTimeInForce(TimeInForce.GOOD_TILL_CANCEL))
                .toList();
    }

    public static void main(String[] args) throws Exception {
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(Path.of(args[0])))
                .connectTimeout(Duration.ofMinutes(5))
                .connect()) {
            client.submit(bids(1_000)).get();
            client.cancelAfter(Duration.ofSeconds(2)).get();
            System.out.println("ready");
            new CountDownLatch(1).await();
        }
    }
}
