package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.cluster.ReportBytes;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTraceTest {
    private static OrderTrace trace(ExecutionReport... reports) {
        return new OrderTrace(
                21,
                9,
                true,
                List.<OrderTrace.Step>copyOf(
                        List.of(reports).stream().map(OrderTrace.Result::new).toList()));
    }

    private static ExecutionReport accepted() {
        ByteBuffer bytes =
                ByteBuffer.wrap(ReportBytes.accepted(1, 3, 1, 0, 0, 21)).order(ByteOrder.LITTLE_ENDIAN);
        return ExecutionReportDecoder.decode(bytes, 0);
    }

    private static ExecutionReport refused(ExecType type) {
        return new ExecutionReport(
                2,
                4,
                0,
                2,
                0,
                22,
                21,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                4_000,
                1,
                1,
                1,
                0,
                0,
                Action.CANCEL,
                Side.BUY,
                OrdType.LIMIT,
                TimeInForce.DAY,
                type,
                OrdStatus.REJECTED,
                RejectReason.UNKNOWN_ORDER);
    }

    @Test
    void shouldTakeTheStatusOfTheOrderFromItsLastReportThatChangedIt() {
        assertThat(trace(accepted(), refused(ExecType.CANCEL_REJECT)).status()).hasValue(accepted());
    }

    /** The first order has a later report, under the ClOrdID that a replace gave it. */
    @Test
    void shouldTakeTheStatusOfTheOrderThatHadTheIdLast() {
        ExecutionReport first = ofOrder(1, 1, 21, ExecType.NEW);
        ExecutionReport replaced = ofOrder(2, 1, 22, ExecType.REPLACED);
        ExecutionReport second = ofOrder(3, 2, 21, ExecType.NEW);
        ExecutionReport filled = ofOrder(4, 1, 22, ExecType.TRADE);

        assertThat(trace(first, replaced).status()).hasValue(replaced);
        assertThat(trace(first, replaced, second, filled).status()).hasValue(second);
    }

    private static ExecutionReport ofOrder(long sequence, long orderId, long clOrdId, ExecType type) {
        return new ExecutionReport(
                sequence,
                4,
                orderId,
                sequence,
                0,
                clOrdId,
                0,
                100,
                10,
                0,
                0,
                10,
                0,
                0,
                4_000,
                1,
                1,
                1,
                0,
                0,
                Action.NEW,
                Side.BUY,
                OrdType.LIMIT,
                TimeInForce.DAY,
                type,
                OrdStatus.NEW,
                RejectReason.NONE);
    }

    @Test
    void shouldTakeARefusalIfNothingElseIsKnown() {
        assertThat(trace(refused(ExecType.REJECTED)).status()).hasValue(refused(ExecType.REJECTED));
        assertThat(trace().status()).isEmpty();
    }
}
