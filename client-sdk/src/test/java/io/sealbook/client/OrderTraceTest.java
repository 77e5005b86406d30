package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.cluster.ReportBytes;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
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
        return ExecutionReport.builder()
                .reportSequence(2)
                .blockSequence(4)
                .execId(2)
                .clOrdId(22)
                .origClOrdId(21)
                .transactTimeNs(4_000)
                .brokerId(1)
                .accountId(1)
                .instrumentId(1)
                .action(Action.CANCEL)
                .execType(type)
                .ordStatus(OrdStatus.REJECTED)
                .rejectReason(RejectReason.UNKNOWN_ORDER)
                .build();
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
        return ExecutionReport.builder()
                .reportSequence(sequence)
                .blockSequence(4)
                .orderId(orderId)
                .execId(sequence)
                .clOrdId(clOrdId)
                .price(100)
                .quantity(10)
                .leavesQty(10)
                .transactTimeNs(4_000)
                .brokerId(1)
                .accountId(1)
                .instrumentId(1)
                .execType(type)
                .build();
    }

    @Test
    void shouldTakeARefusalIfNothingElseIsKnown() {
        assertThat(trace(refused(ExecType.REJECTED)).status()).hasValue(refused(ExecType.REJECTED));
        assertThat(trace().status()).isEmpty();
    }
}
