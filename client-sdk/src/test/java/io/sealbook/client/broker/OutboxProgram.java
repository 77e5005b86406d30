package io.sealbook.client.broker;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A broker's program that is killed: each batch of its session has one order, whose id is the number of the batch. Goes
 * on where its outbox ends.
 */
public final class OutboxProgram {
    private OutboxProgram() {}

    /** @param args directory of the broker, directory of the outbox, number of the last batch */
    public static void main(String[] args) throws IOException {
        long last = Long.parseLong(args[2]);
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(Path.of(args[0])))
                .outbox(Path.of(args[1]))
                .inFlightMax(16)
                .connectTimeout(Duration.ofMinutes(2))
                .submitTimeout(Duration.ofMinutes(2))
                .closeTimeout(Duration.ofMinutes(2))
                .connect()) {
            System.out.println("connected");
            client.resent().forEach(batch -> batch.receipt().join());
            for (long number = client.firstPosition().number(); number <= last; number++) {
                client.submit(List.of(Order.limit(number, 1, 1, Side.BUY, 100, 10)));
                System.out.println(number);
            }
        }
    }
}
