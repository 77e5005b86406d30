package io.sealbook.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.output.OutputMessages;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class RecentOrdersTest {
    private static final int CAPACITY = 16;

    private final RecentOrders orders = new RecentOrders(CAPACITY);
    private long execId;

    @Test
    void shouldTellTheLastReportOfAnOrderOfThatBroker() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(2, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 7, ExecType.TRADE, OrdStatus.FILLED);

        assertThat(status(1, 7)).isEqualTo("FILLED");
        assertThat(status(2, 7)).isEqualTo("NEW");
        assertThat(orders.find(3, 7)).isEmpty();
        assertThat(orders.find(1, 8)).isEmpty();
    }

    @Test
    void shouldNotLetARefusedEntryHideALivingOrder() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 7, ExecType.REJECTED, OrdStatus.REJECTED);
        report(1, 8, ExecType.REJECTED, OrdStatus.REJECTED);

        assertThat(status(1, 7)).isEqualTo("NEW");
        assertThat(status(1, 8)).isEqualTo("REJECTED");
    }

    /** Against a map that remembers the order of entry. */
    @Test
    void shouldKeepTheOrdersThatEnteredLast() {
        Random random = new Random(11);
        LinkedHashMap<List<Long>, String> expected = new LinkedHashMap<>();
        for (int i = 0; i < 5_000; i++) {
            long brokerId = 1 + random.nextInt(3);
            long clOrdId = random.nextInt(4) == 0 ? Long.MAX_VALUE - random.nextInt(10) : random.nextInt(10);
            OrdStatus status = random.nextBoolean() ? OrdStatus.PARTIALLY_FILLED : OrdStatus.FILLED;
            report(brokerId, clOrdId, ExecType.TRADE, status);
            expected.put(List.of(brokerId, clOrdId), status.name());
            if (expected.size() > CAPACITY) {
                expected.remove(expected.keySet().iterator().next());
            }

            for (Map.Entry<List<Long>, String> order : expected.entrySet()) {
                assertThat(status(order.getKey().get(0), order.getKey().get(1))).isEqualTo(order.getValue());
            }
            List<String> newest = new ArrayList<>(expected.values()).reversed();
            assertThat(orders.newest(CAPACITY)).extracting(OrderView::ordStatus).isEqualTo(newest);
        }
    }

    private String status(long brokerId, long clOrdId) {
        return orders.find(brokerId, clOrdId).orElseThrow().ordStatus();
    }

    private void report(long brokerId, long clOrdId, ExecType execType, OrdStatus status) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[OutputMessages.REPORT_LENGTH]);
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .execId(++execId)
                .brokerId(brokerId)
                .clOrdId(clOrdId)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY)
                .execType(execType)
                .ordStatus(status)
                .rejectReason(RejectReason.NONE);
        ExecutionReportDecoder decoder =
                new ExecutionReportDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        orders.onReport(0, decoder, buffer, 0);
    }
}
