package io.sealbook.perf.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ExecutionReport;
import io.sealbook.perf.flow.FlowCommand.Kind;
import io.sealbook.perf.flow.FlowStep.ExpectedLevels;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.Side;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowOracleTest {
    private static final int DEPTH = 5;

    private final FlowOracle oracle = new FlowOracle(new OrderFlow(
            "two bids", "ABC", 2, 1, 1_000, 1_000, List.of(bid(1, 100, new long[] {100, 7}), bid(2, 101, new long[] {
                101, 7, 100, 7
            }))));

    /** README lets a reader run a program of the same broker beside the flow. */
    @Test
    void shouldPassOverEntriesOfAnotherProgramOfTheBroker() {
        oracle.onReport(bought(1, 100));
        oracle.onReport(bought(900, 1));
        oracle.onReport(bought(2, 101));
        oracle.onReport(bought(901, 2));
        oracle.finish();

        assertThat(oracle.verdict().agrees()).as(oracle.verdict().toString()).isTrue();
    }

    @Test
    void shouldDifferIfAnEntryIsMissing() {
        oracle.onReport(bought(1, 100));
        oracle.onReport(bought(900, 1));
        oracle.finish();

        assertThat(oracle.verdict().agrees()).isFalse();
        assertThat(oracle.executedCount()).isEqualTo(1);
    }

    @Test
    void shouldDifferIfEntriesChangeTheirOrder() {
        oracle.onReport(bought(2, 101));
        oracle.onReport(bought(1, 100));
        oracle.finish();

        assertThat(oracle.verdict().differences()).isNotEmpty();
    }

    private static FlowStep bid(long clOrdId, long price, long[] bids) {
        return new FlowStep(
                List.of(new FlowCommand(Kind.LIMIT, clOrdId, 0, true, price, 7)),
                List.of(),
                new ExpectedLevels(DEPTH, bids, new long[0]));
    }

    /** Each in a block of its own. */
    private static ExecutionReport bought(long clOrdId, long price) {
        return ExecutionReport.builder()
                .blockSequence(clOrdId)
                .orderId(clOrdId)
                .clOrdId(clOrdId)
                .price(price)
                .quantity(7)
                .leavesQty(7)
                .side(Side.BUY)
                .execType(ExecType.NEW)
                .ordStatus(OrdStatus.NEW)
                .build();
    }
}
