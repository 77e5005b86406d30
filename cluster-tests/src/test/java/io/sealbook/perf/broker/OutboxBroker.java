package io.sealbook.perf.broker;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.sbe.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A broker's program that a test kills: each batch of its session has two orders, whose ids follow from the number of
 * the batch. It goes on where its outbox ends and prints each number that it submits.
 */
public final class OutboxBroker {
    /** A killed node and a change of view fit into it on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private OutboxBroker() {}

    /** @param args directory of the broker, directory of the outbox, number of the last batch */
    public static void main(String[] args) throws IOException {
        long last = Long.parseLong(args[2]);
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(Path.of(args[0])))
                .outbox(Path.of(args[1]))
                .inFlightMax(16)
                .connectTimeout(PATIENCE)
                .submitTimeout(PATIENCE)
                .closeTimeout(PATIENCE)
                .connect()) {
            client.resent().forEach(batch -> batch.receipt().join());
            for (long number = client.firstPosition().number(); number <= last; number++) {
                client.submit(List.of(order(2 * number - 1), order(2 * number)));
                System.out.println(number);
            }
        }
    }

    private static Order order(long clOrdId) {
        return Order.limit(clOrdId, 1, 1, Side.BUY, LoadMarket.PRICE_MIDDLE, 1);
    }
}
