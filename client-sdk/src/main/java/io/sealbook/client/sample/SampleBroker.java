package io.sealbook.client.sample;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.sbe.Side;
import java.nio.file.Path;
import java.util.List;

/** Buys, improves the price, cancels, and prints each report. The argument is a broker's directory made by testnet. */
public final class SampleBroker {
    private static final int ACCOUNT = 1;
    private static final int INSTRUMENT = 1;

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(directory))
                .outbox(directory.resolve("outbox"))
                .executionReports(SampleBroker::print)
                .connect()) {
            client.resent().forEach(batch -> System.out.println("sent again: " + batch.clOrdIds()));
            long id = System.currentTimeMillis() * 10; // Live orders need different ids.
            Receipt bought = client.submit(Order.limit(id, ACCOUNT, INSTRUMENT, Side.BUY, 10_000, 100))
                    .get();
            System.out.println("bid: " + bought);
            Receipt changed = client.submit(List.of(
                            Order.replace(id + 1, id, ACCOUNT, INSTRUMENT, Side.BUY, 10_001, 100),
                            Order.cancel(id + 2, id + 1, ACCOUNT, INSTRUMENT, Side.BUY)))
                    .get();
            System.out.println("change: " + changed);
            Thread.sleep(1_000); // Engines report shortly after the receipts.
        }
    }

    private static void print(ExecutionReport report) {
        System.out.println(report.clOrdId() + " " + report.execType() + ", filled " + report.cumQty());
    }
}
