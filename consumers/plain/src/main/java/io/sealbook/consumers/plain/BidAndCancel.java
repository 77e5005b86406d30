package io.sealbook.consumers.plain;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.client.OrderTracker;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.Instrument;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Bids, cancels, and waits for the end of the order in its reports. The argument is a broker's directory. */
public final class BidAndCancel {
    private static final long TIMEOUT_S = 120;

    private BidAndCancel() {}

    public static void main(String[] args) throws Exception {
        run(Path.of(args[0]));
    }

    /** Trades as the broker of a directory, and prints what came of it. */
    public static void run(Path directory) throws Exception {
        BrokerDirectory broker = BrokerDirectory.read(directory);
        Instrument instrument = broker.genesis().genesis().getInstruments(0);
        int account = broker.accounts().lowest();
        long id = System.currentTimeMillis() * 10; // Live orders need different ClOrdIDs.
        OrderTracker orders =
                new OrderTracker(report -> System.out.println(report.reportSequence() + " " + report.execType()), 100);
        try (BrokerClient client = BrokerClient.builder()
                .directory(broker)
                .executionReports(orders)
                .reportsFromNow()
                .connect()) {
            client.submit(Order.limit(
                            id, account, instrument.getInstrumentId(), Side.BUY, instrument.getPriceMin(), 100))
                    .get(TIMEOUT_S, TimeUnit.SECONDS);
            client.submit(Order.cancel(id + 1, id, account, instrument.getInstrumentId(), Side.BUY))
                    .get(TIMEOUT_S, TimeUnit.SECONDS);
            System.out.println("signers " + Signers.findings());
            System.out.println("traded "
                    + orders.whenDone(id).get(TIMEOUT_S, TimeUnit.SECONDS).stage());
        }
    }
}
