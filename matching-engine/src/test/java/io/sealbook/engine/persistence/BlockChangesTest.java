package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What reports change in the database. */
class BlockChangesTest {
    private final BlockChanges changes = new BlockChanges();

    private void report(long orderId, Action action, ExecType type, OrdStatus status, RejectReason reason) {
        byte[] bytes = new byte[256];
        UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .orderId(orderId)
                .clOrdId(7)
                .action(action)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY)
                .execType(type)
                .ordStatus(status)
                .rejectReason(reason);
        ExecutionReportDecoder report =
                new ExecutionReportDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        changes.onReport(0, report, bytes, 0);
    }

    @Test
    void shouldEndTheOrdersOfAMassCancelAndMakeNoneOfItsReport() {
        report(5, Action.NEW, ExecType.CANCELED, OrdStatus.CANCELED, RejectReason.MASS_CANCEL);
        report(0, Action.MASS_CANCEL, ExecType.MASS_CANCEL_REPORT, OrdStatus.CANCELED, RejectReason.NONE);
        report(0, Action.CANCEL_AFTER, ExecType.MASS_CANCEL_REPORT, OrdStatus.NEW, RejectReason.NONE);

        assertThat(changes.changedOrders.values())
                .extracting(OrderRecord::ordStatus)
                .containsExactly(OrdStatus.CANCELED);
        assertThat(changes.newOrders).isEmpty();
        assertThat(changes.refusals).isEmpty();
    }

    @Test
    void shouldKeepARefusedMassCancelAsARefusal() {
        report(0, Action.MASS_CANCEL, ExecType.CANCEL_REJECT, OrdStatus.REJECTED, RejectReason.MASS_CANCEL_LIMIT);

        assertThat(changes.refusals).extracting(RefusalRecord::action).containsExactly(Action.MASS_CANCEL);
        assertThat(changes.changedOrders).isEmpty();
    }
}
