package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Reports are read without the schema: both must read the same. */
class ResultFieldsContractTest {
    private final Random random = new Random(6);

    @Test
    void shouldReadAReportAsTheSchemaDoes() {
        byte[] message = new byte[ReportFields.MESSAGE_LENGTH];
        random.nextBytes(message);
        UnsafeBuffer buffer = new UnsafeBuffer(message);
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .side(Side.SELL)
                .execType(ExecType.REPLACED)
                .ordStatus(OrdStatus.PARTIALLY_FILLED)
                .rejectReason(RejectReason.TOO_LATE);
        ExecutionReportDecoder expected =
                new ExecutionReportDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());

        ReportFields report = ReportFields.of(message);

        assertThat(MessageHeaderDecoder.ENCODED_LENGTH + ExecutionReportDecoder.BLOCK_LENGTH)
                .isEqualTo(ReportFields.MESSAGE_LENGTH);
        assertThat(report)
                .isEqualTo(new ReportFields(
                        expected.reportSequence(),
                        expected.blockSequence(),
                        expected.orderId(),
                        expected.execId(),
                        expected.tradeId(),
                        expected.clOrdId(),
                        expected.origClOrdId(),
                        expected.price(),
                        expected.quantity(),
                        expected.lastPx(),
                        expected.lastQty(),
                        expected.leavesQty(),
                        expected.cumQty(),
                        expected.transactTimeNs(),
                        (int) expected.brokerId(),
                        (int) expected.accountId(),
                        (int) expected.instrumentId(),
                        expected.batchIndex(),
                        expected.orderIndex(),
                        expected.sideRaw(),
                        expected.execTypeRaw(),
                        expected.ordStatusRaw(),
                        expected.rejectReasonRaw()));
    }

    @Test
    void shouldNameCodesAsTheSchemaDoes() {
        for (ExecType type : ExecType.values()) {
            if (type != ExecType.NULL_VAL) {
                assertThat(FixNames.execType(type.value())).isEqualTo(type.name());
            }
        }
        for (OrdStatus status : OrdStatus.values()) {
            if (status != OrdStatus.NULL_VAL) {
                assertThat(FixNames.ordStatus(status.value())).isEqualTo(status.name());
            }
        }
        for (RejectReason reason : RejectReason.values()) {
            if (reason != RejectReason.NULL_VAL) {
                assertThat(FixNames.rejectReason(reason.value())).isEqualTo(reason.name());
            }
        }
    }
}
