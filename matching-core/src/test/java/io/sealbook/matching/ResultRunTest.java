package io.sealbook.matching;

import static io.sealbook.matching.Batch.limit;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that end within the reports of one entry; {@link CoreDriver} makes the reports of each block from its runs. */
class ResultRunTest {
    private static final int RUN_MAX = 256;

    private final CoreDriver market = new CoreDriver(Markets.two());
    private long number;

    /** With 254 to 256 fills, the last fill or the cancel of the rest is the first report of another run. */
    @ParameterizedTest
    @ValueSource(ints = {1, 253, 254, 255, 256, 257, 510, 511, 512, 600})
    void shouldGoOnInAnotherRunWithinAnEntry(int fills) {
        rest(fills, 100);

        block(2, order(1, Action.NEW, 0, Side.BUY, 100, fills + 5, TimeInForce.IMMEDIATE_OR_CANCEL));

        assertThat(market.trades).hasSize(fills);
        assertThat(market.reports.getLast().execType()).isEqualTo(ExecType.CANCELED);
        assertThat(market.core.lastReportSequence(2)).isEqualTo(fills + 2);
        assertThat(market.runCount).isEqualTo(2 * runs(fills) + runs(fills + 2));
    }

    /** The order has traded before it is replaced, so that its history counts. */
    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256, 300})
    void shouldGoOnWithAReplacedOrder(int fills) {
        rest(1, 90);
        block(2, order(1, Action.NEW, 0, Side.BUY, 90, 3, TimeInForce.GOOD_TILL_CANCEL));
        rest(fills, 100);

        block(2, order(2, Action.REPLACE, 1, Side.BUY, 100, fills + 9, TimeInForce.GOOD_TILL_CANCEL));

        assertThat(market.trades).hasSize(1 + fills);
        Report last = market.reports.get(market.reports.size() - 2);
        assertThat(last.cumQty()).isEqualTo(1 + fills);
        assertThat(last.cumValue()).isEqualTo(90 + 100L * fills);
    }

    @Test
    void shouldKeepTheIncomingOrderInHandWhileItMeetsItsBrokersOwn() {
        Batch.Request[] requests = new Batch.Request[20];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = limit(100 + i, 1, Side.SELL, 100, 1);
        }
        block(2, requests);
        block(2, order(1, Action.NEW, 0, Side.BUY, 100, 25, TimeInForce.IMMEDIATE_OR_CANCEL));

        assertThat(market.trades).hasSize(20);
        assertThat(market.core.lastReportSequence(2)).isEqualTo(20 + 1 + 2 * 20 + 1);
    }

    /** Broker 1 offers so many lots in orders of one. */
    private void rest(int count, long price) {
        Batch[] batches = new Batch[(count + 49) / 50];
        for (int i = 0; i < batches.length; i++) {
            Batch.Request[] requests = new Batch.Request[Math.min(50, count - 50 * i)];
            for (int k = 0; k < requests.length; k++) {
                requests[k] = limit(++number, 1, Side.SELL, price, 1);
            }
            batches[i] = Batch.of(1, ++number, market.core.lastSequence() + 1, requests);
        }
        market.block(batches);
    }

    private void block(int broker, Batch.Request... requests) {
        market.block(Batch.of(broker, ++number, market.core.lastSequence() + 1, requests));
    }

    private static Batch.Request order(
            long clOrdId, Action action, long origClOrdId, Side side, long price, long quantity, TimeInForce tif) {
        return new Batch.Request(clOrdId, origClOrdId, price, quantity, 9, 1, action, side, OrdType.LIMIT, tif);
    }

    private static int runs(int reports) {
        return (reports + RUN_MAX - 1) / RUN_MAX;
    }
}
