package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.client.codec.OrderBatchEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What the load does to the matching core alone. */
class LoadOrdersTest {
    private static final int BATCHES = 20_000;
    private static final int ORDERS_PER_BATCH = 30;

    private final Set<Long> live = new HashSet<>();
    private int liveMax;
    private long trades;
    private long reports;

    @Test
    void shouldTradeAsOnRecordedDaysAndLeaveTheBookSmall() {
        execute(new LoadOrders(5, 1, 1, 256), BATCHES, ORDERS_PER_BATCH);

        double count = BATCHES * ORDERS_PER_BATCH;
        assertThat(trades / count).isBetween(0.1, 0.25);
        assertThat(reports / count).isBetween(1.2, 1.6);
        assertThat(liveMax).isBetween(256, 5_000);
    }

    @Test
    void shouldTradeInEachBookOfAShortRun() {
        assertThat(new LoadMarket(4, 2_000, 4).mustTrade(4L * LoadMarket.BOOK_ORDERS_MIN))
                .isTrue();
        assertThat(new LoadMarket(4, 2_000, 4).mustTrade(4L * LoadMarket.BOOK_ORDERS_MIN - 1))
                .isFalse();
        for (int seed = 0; seed < 200; seed++) {
            trades = 0;

            execute(new LoadOrders(seed, 1, 1, 256), 1, LoadMarket.BOOK_ORDERS_MIN);

            assertThat(trades).as("seed %d", seed).isPositive();
        }
    }

    /** At its limit the load cancels and adds in turn: who asks when one is missing must not wait for the next. */
    @Test
    void shouldStayFilled() {
        LoadOrders orders = new LoadOrders(5, 1, 1, 8);
        assertThat(orders.hasFilled()).isFalse();
        int drawn = 0;
        while (!orders.hasFilled()) {
            orders.next();
            assertThat(++drawn).isLessThan(1_000);
        }
        for (int i = 0; i < 1_000; i++) {
            orders.next();
            assertThat(orders.hasFilled()).isTrue();
        }
    }

    private void execute(LoadOrders orders, int batches, int ordersPerBatch) {
        MatchingCore core = new MatchingCore(MarketConfig.of(genesis()));
        OrderBatchEncoder encoder = new OrderBatchEncoder(ordersPerBatch);
        MatchingOutput output = new MatchingOutput() {
            @Override
            public void onReport(ReportRecord report) {
                byte[] bytes = new byte[ReportRecord.LENGTH];
                report.get(bytes, 0);
                LoadOrdersTest.this.onReport(
                        ExecutionReportDecoder.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0));
            }

            @Override
            public void onTrade(DirectBuffer buffer, int offset, int length) {
                trades++;
            }
        };
        for (int batch = 1; batch <= batches; batch++) {
            encoder.begin(
                    9, 1, 1, SignatureScheme.SM2_SM3, new BatchPosition(0, batch + 1, Digest.ZERO), batch + 100, 0);
            for (int i = 0; i < ordersPerBatch; i++) {
                encoder.add(orders.next());
            }
            int length = encoder.finish();
            core.beginBlock(batch, 1_000_000_000L * batch, output);
            core.onBatch(0, new UnsafeBuffer(encoder.array(), 0, length), 0, length);
            core.endBlock();
        }
    }

    private void onReport(ExecutionReport report) {
        assertThat(report.rejectReason()).isEqualTo(RejectReason.NONE);
        reports++;
        if (report.leavesQty() > 0) {
            live.add(report.orderId());
        } else {
            live.remove(report.orderId());
        }
        liveMax = Math.max(liveMax, live.size());
    }

    private static Genesis genesis() {
        return GenesisFile.withDefaults(Genesis.newBuilder()
                .setChainId(9)
                .setParameters(Parameters.newBuilder()
                        .setOrderCountMax(256)
                        .setValidityBlocksMax(10_000)
                        .setSessionsPerBroker(16))
                .addBrokers(Broker.newBuilder()
                        .setBrokerId(1)
                        .addAccounts(AccountRange.newBuilder().setFirst(1))
                        .addKeys(BrokerKey.newBuilder()
                                .setKeyId(1)
                                .setKey(PublicKey.newBuilder().setPoint(ByteString.copyFrom(new byte[64])))))
                .addInstruments(Instrument.newBuilder()
                        .setInstrumentId(1)
                        .setSymbol("LOAD")
                        .setPriceDecimals(2)
                        .setPriceMin(LoadMarket.PRICE_MIN)
                        .setPriceMax(LoadMarket.PRICE_MAX)
                        .setQuantityMax(LoadMarket.QUANTITY_MAX))
                .build());
    }
}
