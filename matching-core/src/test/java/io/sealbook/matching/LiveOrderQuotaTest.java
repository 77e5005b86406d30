package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.market;
import static io.sealbook.matching.Batch.replace;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.TimeInForce;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A broker that has as many live orders as it may is refused another one, and nobody else is. */
class LiveOrderQuotaTest {
    private static final int GOOG = Markets.GOOG;
    private static final MarketConfig CONFIG = MarketConfig.of(
            Batch.CHAIN_ID,
            Markets.two().instruments(),
            List.of(new BrokerConfig(1, AccountRanges.ALL, 3), new BrokerConfig(2, AccountRanges.ALL, 100)),
            64,
            100);

    private CoreDriver exchange = new CoreDriver(CONFIG);
    private long number;

    private List<String> send(int brokerId, Batch.Request... requests) {
        return exchange.block(Batch.of(brokerId, ++number, exchange.core.lastSequence() + 1, requests));
    }

    private void fill() {
        assertThat(send(1, bid(11), bid(12), bid(13), bid(14), bid(15)))
                .containsExactly(
                        "b1 #11 NEW leaves 5",
                        "b1 #12 NEW leaves 5",
                        "b1 #13 NEW leaves 5",
                        "b1 #14 REJECTED LIVE_ORDER_QUOTA",
                        "b1 #15 REJECTED LIVE_ORDER_QUOTA");
        assertThat(exchange.core.liveOrderCount(1)).isEqualTo(3);
    }

    @Test
    void shouldRefuseOneOrderMoreThanTheQuota() {
        fill();

        assertThat(send(2, bid(21))).containsExactly("b2 #21 NEW leaves 5");
        assertThat(exchange.core.liveOrderCount(2)).isEqualTo(1);
        assertThat(exchange.bids(GOOG)).containsExactly("20@100");
    }

    @Test
    void shouldMakeRoomByEveryEndOfAnOrder() {
        fill();

        assertThat(send(1, cancel(16, 11, GOOG), bid(17), bid(18)))
                .containsExactly("b1 #16 CANCELED leaves 0", "b1 #17 NEW leaves 5", "b1 #18 REJECTED LIVE_ORDER_QUOTA");
        assertThat(send(2, limit(21, GOOG, SELL, 100, 7))).hasSize(5);
        assertThat(exchange.core.liveOrderCount(1))
                .as("one of them is used up, one has a rest")
                .isEqualTo(2);
        assertThat(exchange.core.liveOrderCount(2)).isZero();
        assertThat(send(1, bid(19))).containsExactly("b1 #19 NEW leaves 5");
        exchange.block(exchange.core.lastBlockTimeNs() + 24 * 3_600 * CoreDriver.SECOND_NS);
        assertThat(exchange.core.liveOrderCount(1)).as("good for the day").isZero();
    }

    @Test
    void shouldAdmitWhatCannotRestAndWhatRestsAlready() {
        fill();
        send(2, limit(21, GOOG, SELL, 200, 5));

        assertThat(send(1, limit(16, GOOG, BUY, 100, 5, TimeInForce.IMMEDIATE_OR_CANCEL)))
                .containsExactly("b1 #16 NEW leaves 5", "b1 #16 CANCELED leaves 0");
        assertThat(send(1, market(17, GOOG, BUY, 1))).hasSize(3);
        assertThat(send(1, replace(18, 11, GOOG, BUY, 100, 4), replace(19, 12, GOOG, BUY, 90, 9)))
                .containsExactly("b1 #18 REPLACED leaves 4", "b1 #19 REPLACED leaves 9");
        assertThat(exchange.core.liveOrderCount(1)).isEqualTo(3);
        assertThat(send(1, limit(20, GOOG, BUY, 200, 1)))
                .as("judged before it is matched, though it would be filled")
                .containsExactly("b1 #20 REJECTED LIVE_ORDER_QUOTA");
    }

    @Test
    void shouldCountOnFromASnapshot() throws IOException {
        fill();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        exchange.core.writeSnapshot(out);

        exchange = new CoreDriver(MatchingCore.readSnapshot(CONFIG, new ByteArrayInputStream(out.toByteArray())));

        assertThat(exchange.core.liveOrderCount(1)).isEqualTo(3);
        assertThat(send(1, bid(16), cancel(17, 12, GOOG), bid(18), bid(19)))
                .containsExactly(
                        "b1 #16 REJECTED LIVE_ORDER_QUOTA",
                        "b1 #17 CANCELED leaves 0",
                        "b1 #18 NEW leaves 5",
                        "b1 #19 REJECTED LIVE_ORDER_QUOTA");
    }

    @Test
    void shouldNotReadASnapshotUnderOtherQuotas() throws IOException {
        fill();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        exchange.core.writeSnapshot(out);
        MarketConfig other = MarketConfig.of(
                Batch.CHAIN_ID,
                CONFIG.instruments(),
                List.of(BrokerConfig.of(1), CONFIG.brokers().get(1)),
                64,
                100);

        assertThatThrownBy(() -> MatchingCore.readSnapshot(other, new ByteArrayInputStream(out.toByteArray())))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("another configuration");
    }

    private static Batch.Request bid(long clOrdId) {
        return limit(clOrdId, GOOG, BUY, 100, 5);
    }
}
