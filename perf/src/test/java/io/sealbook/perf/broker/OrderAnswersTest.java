package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.TimeInForce;
import org.junit.jupiter.api.Test;

class OrderAnswersTest {
    private final OrderAnswers answers = new OrderAnswers();

    @Test
    void shouldTakeOneAnswerOfEachOrder() {
        hear(ExecType.NEW, 1, 0);
        hear(ExecType.NEW, 2, 0);
        hear(ExecType.TRADE, 2, 0);
        hear(ExecType.TRADE, 1, 0);
        hear(ExecType.CANCELED, 2, 0);
        hear(ExecType.CANCELED, 3, 1);
        hear(ExecType.EXPIRED, 1, 0);

        assertThat(answers.fault()).isEmpty();
        assertThat(answers.last()).isEqualTo(3);
    }

    @Test
    void shouldNameAnOrderThatIsExecutedTwice() {
        hear(ExecType.NEW, 1, 0);
        hear(ExecType.NEW, 2, 0);

        hear(ExecType.NEW, 1, 0);

        assertThat(answers.fault()).contains("order 1 was executed again in block 7, after order 2");
        assertThat(answers.last()).isEqualTo(2);
    }

    @Test
    void shouldNameACancelThatIsExecutedTwice() {
        hear(ExecType.NEW, 1, 0);
        hear(ExecType.CANCELED, 2, 1);

        hear(ExecType.CANCEL_REJECT, 2, 1);

        assertThat(answers.fault()).contains("order 2 was refused in block 7: UNKNOWN_ORDER");
    }

    @Test
    void shouldNameAnOrderThatIsRefused() {
        hear(ExecType.REJECTED, 1, 0);
        hear(ExecType.NEW, 2, 0);

        assertThat(answers.fault()).contains("order 1 was refused in block 7: UNKNOWN_ORDER");
        assertThat(answers.last()).isEqualTo(2);
    }

    @Test
    void shouldNameAnOrderAfterOneThatIsLeftOut() {
        hear(ExecType.NEW, 1, 0);
        hear(ExecType.NEW, 3, 0);
        hear(ExecType.NEW, 4, 0);

        assertThat(answers.fault()).contains("order 3 was executed in block 7, right after order 1");
    }

    private void hear(ExecType type, long clOrdId, long origClOrdId) {
        boolean isRefusal = type == ExecType.REJECTED || type == ExecType.CANCEL_REJECT;
        answers.onReport(ExecutionReport.builder()
                .reportSequence(1)
                .blockSequence(7)
                .orderId(1)
                .execId(1)
                .clOrdId(clOrdId)
                .origClOrdId(origClOrdId)
                .price(10_000)
                .quantity(100)
                .leavesQty(100)
                .brokerId(1)
                .accountId(1)
                .instrumentId(1)
                .action(origClOrdId == 0 ? Action.NEW : Action.CANCEL)
                .timeInForce(TimeInForce.GOOD_TILL_CANCEL)
                .execType(type)
                .rejectReason(isRefusal ? RejectReason.UNKNOWN_ORDER : RejectReason.NONE)
                .build());
    }
}
