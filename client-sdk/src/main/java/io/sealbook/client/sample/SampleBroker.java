package io.sealbook.client.sample;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.OrderTracker;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.Instrument;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Buys, improves the price, cancels, and prints its reports. The argument is a broker's directory made by testnet. */
public final class SampleBroker {
    private static final long FIRST = System.currentTimeMillis() * 10; // Live orders need different ClOrdIDs.

    public static void main(String[] args) throws Exception {
        BrokerDirectory broker = BrokerDirectory.read(Path.of(args[0]));
        Instrument instrument = broker.genesis().genesis().getInstruments(0);
        int id = instrument.getInstrumentId();
        int account = broker.accounts().lowest();
        long price = instrument.getPriceMin(); // Too low for the market: the bid rests.
        OrderTracker orders = new OrderTracker(SampleBroker::print, 100);
        try (BrokerClient client = BrokerClient.builder()
                .directory(broker)
                .executionReports(orders)
                .reportsFromNow()
                .connect()) {
            Receipt bought = client.submit(Order.limit(FIRST, account, id, Side.BUY, price, 100))
                    .get();
            System.out.println("bid: " + bought);
            Receipt changed = client.submit(List.of(
                            Order.replace(FIRST + 1, FIRST, account, id, Side.BUY, price + 1, 100),
                            Order.cancel(FIRST + 2, FIRST + 1, account, id, Side.BUY)))
                    .get();
            System.out.println("change: " + changed);
            System.out.println("end: " + orders.whenDone(FIRST).get(10, TimeUnit.SECONDS));
        }
    }

    private static void print(ExecutionReport report) {
        System.out.println(report.clOrdId() + " " + report.execType() + ", filled " + report.cumQty());
    }
}
