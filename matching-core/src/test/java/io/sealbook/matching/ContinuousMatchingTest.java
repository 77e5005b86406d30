package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.market;
import static io.sealbook.matching.Batch.replace;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order kinds of continuous trading, by example. */
class ContinuousMatchingTest {
    private static final int GOOG = 1;

    private final CoreDriver market = new CoreDriver(Markets.two());
    private long number;

    private List<String> broker(int brokerId, Batch.Request... requests) {
        long sequence = market.core.lastSequence() + 1;
        return market.block(Batch.of(brokerId, ++number, sequence, requests));
    }

    @Test
    void shouldTradeAtTheRestingPriceAndReportTheAggressorFirst() {
        broker(1, limit(11, GOOG, SELL, 100, 50));

        assertThat(broker(2, limit(21, GOOG, BUY, 105, 80)))
                .containsExactly(
                        "b2 #21 NEW leaves 80",
                        "b2 #21 TRADE 50@100 leaves 30 PARTIALLY_FILLED",
                        "b1 #11 TRADE 50@100 leaves 0 FILLED");

        assertThat(market.trades).hasSize(1);
        TradeRecord trade = market.trades.get(0);
        assertThat(trade.aggressorSide()).isEqualTo(AggressorSide.BUY);
        assertThat(trade.buyBrokerId()).isEqualTo(2);
        assertThat(trade.sellBrokerId()).isEqualTo(1);
        assertThat(market.bids(GOOG)).containsExactly("30@105");
        assertThat(market.asks(GOOG)).isEmpty();
    }

    @Test
    void shouldFillTheBetterPriceFirstAndAtOnePriceTheEarlierOrder() {
        broker(1, limit(11, GOOG, SELL, 102, 10), limit(12, GOOG, SELL, 101, 10), limit(13, GOOG, SELL, 101, 10));

        assertThat(broker(2, limit(21, GOOG, BUY, 102, 25)))
                .containsExactly(
                        "b2 #21 NEW leaves 25",
                        "b2 #21 TRADE 10@101 leaves 15 PARTIALLY_FILLED",
                        "b1 #12 TRADE 10@101 leaves 0 FILLED",
                        "b2 #21 TRADE 10@101 leaves 5 PARTIALLY_FILLED",
                        "b1 #13 TRADE 10@101 leaves 0 FILLED",
                        "b2 #21 TRADE 5@102 leaves 0 FILLED",
                        "b1 #11 TRADE 5@102 leaves 5 PARTIALLY_FILLED");
    }

    @Test
    void shouldCancelTheRestOfAMarketOrder() {
        broker(1, limit(11, GOOG, BUY, 99, 10), limit(12, GOOG, BUY, 1, 10));

        assertThat(broker(2, market(21, GOOG, SELL, 30)))
                .containsExactly(
                        "b2 #21 NEW leaves 30",
                        "b2 #21 TRADE 10@99 leaves 20 PARTIALLY_FILLED",
                        "b1 #11 TRADE 10@99 leaves 0 FILLED",
                        "b2 #21 TRADE 10@1 leaves 10 PARTIALLY_FILLED",
                        "b1 #12 TRADE 10@1 leaves 0 FILLED",
                        "b2 #21 CANCELED leaves 0");
    }

    @Test
    void shouldCancelTheRestOfAnImmediateOrder() {
        broker(1, limit(11, GOOG, SELL, 100, 10), limit(12, GOOG, SELL, 101, 10));

        assertThat(broker(2, limit(21, GOOG, BUY, 100, 15, TimeInForce.IMMEDIATE_OR_CANCEL)))
                .containsExactly(
                        "b2 #21 NEW leaves 15",
                        "b2 #21 TRADE 10@100 leaves 5 PARTIALLY_FILLED",
                        "b1 #11 TRADE 10@100 leaves 0 FILLED",
                        "b2 #21 CANCELED leaves 0");
    }

    @Test
    void shouldFillOrKillOnlyAsAWhole() {
        broker(1, limit(11, GOOG, SELL, 100, 10), limit(12, GOOG, SELL, 101, 10));

        assertThat(broker(2, limit(21, GOOG, BUY, 101, 21, TimeInForce.FILL_OR_KILL)))
                .containsExactly("b2 #21 NEW leaves 21", "b2 #21 CANCELED leaves 0");
        assertThat(broker(2, limit(22, GOOG, BUY, 101, 20, TimeInForce.FILL_OR_KILL)))
                .contains("b2 #22 TRADE 10@101 leaves 0 FILLED");
    }

    @Test
    void shouldCancelByOriginalId() {
        broker(1, limit(11, GOOG, SELL, 100, 10));

        assertThat(broker(1, cancel(12, 11, GOOG), cancel(13, 11, GOOG)))
                .containsExactly("b1 #12 CANCELED leaves 0", "b1 #13 CANCEL_REJECT UNKNOWN_ORDER");

        Report report = market.reports.get(1);
        assertThat(report.origClOrdId()).isEqualTo(11);
        assertThat(market.asks(GOOG)).isEmpty();
    }

    @Test
    void shouldKeepThePlaceWhenAReplaceOnlyReduces() {
        broker(1, limit(11, GOOG, SELL, 100, 10), limit(12, GOOG, SELL, 100, 10));

        assertThat(broker(1, replace(13, 11, GOOG, SELL, 100, 4))).containsExactly("b1 #13 REPLACED leaves 4");

        assertThat(market.asks(GOOG)).containsExactly("14@100");
        assertThat(broker(2, limit(21, GOOG, BUY, 100, 5)))
                .contains("b1 #13 TRADE 4@100 leaves 0 FILLED", "b1 #12 TRADE 1@100 leaves 9 PARTIALLY_FILLED");
    }

    @Test
    void shouldLoseThePlaceWhenAReplaceRaisesTheQuantityOrTheRuleSaysSo() {
        broker(1, limit(11, GOOG, SELL, 100, 10), limit(12, GOOG, SELL, 100, 10));
        broker(1, replace(13, 11, GOOG, SELL, 100, 11));
        assertThat(broker(2, limit(21, GOOG, BUY, 100, 1))).contains("b1 #12 TRADE 1@100 leaves 9 PARTIALLY_FILLED");

        broker(1, limit(31, Markets.STRICT, SELL, 100, 10), limit(32, Markets.STRICT, SELL, 100, 10));
        broker(1, replace(33, 31, Markets.STRICT, SELL, 100, 4));
        assertThat(broker(2, limit(22, Markets.STRICT, BUY, 100, 1)))
                .contains("b1 #32 TRADE 1@100 leaves 9 PARTIALLY_FILLED");
    }

    @Test
    void shouldTradeWhenAReplaceCrosses() {
        broker(1, limit(11, GOOG, SELL, 100, 10), limit(12, GOOG, SELL, 103, 10));
        broker(2, limit(21, GOOG, BUY, 100, 4));

        broker(2, limit(22, GOOG, BUY, 99, 20));
        assertThat(broker(2, replace(23, 22, GOOG, BUY, 103, 14)))
                .containsExactly(
                        "b2 #23 REPLACED leaves 14",
                        "b2 #23 TRADE 6@100 leaves 8 PARTIALLY_FILLED",
                        "b1 #11 TRADE 6@100 leaves 0 FILLED",
                        "b2 #23 TRADE 8@103 leaves 0 FILLED",
                        "b1 #12 TRADE 8@103 leaves 2 PARTIALLY_FILLED");
    }

    @Test
    void shouldExpireDayOrdersOnANewTradingDayInPriorityOrder() {
        broker(
                1,
                limit(11, GOOG, SELL, 101, 10),
                limit(12, GOOG, SELL, 100, 10, TimeInForce.GOOD_TILL_CANCEL),
                limit(13, GOOG, SELL, 100, 10),
                limit(14, GOOG, BUY, 90, 10));

        assertThat(market.block(CoreDriver.GENESIS_TIME_NS + 86_400L * CoreDriver.SECOND_NS))
                .containsExactly("b1 #14 EXPIRED leaves 0", "b1 #13 EXPIRED leaves 0", "b1 #11 EXPIRED leaves 0");

        assertThat(market.asks(GOOG)).containsExactly("10@100");
    }
}
