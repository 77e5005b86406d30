package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.v1.EngineState;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutionCheckTest {
    private final ExecutionCheck check = new ExecutionCheck();

    @Test
    void shouldAcceptEachRunOfEqualEngines() throws Exception {
        check.check(both(state(100, 10, 0)), 100, true);

        check.check(both(state(150, 12, 0)), 50, true);

        assertThat(check.reached().getOrders()).isEqualTo(150);
    }

    @Test
    void shouldNameAnEngineThatExecutedAnotherNumberOfOrders() {
        assertThatIOException()
                .isThrownBy(() -> check.check(List.of(state(100, 10, 0), state(130, 10, 0)), 100, true))
                .withMessage("engine 1 executed 130 orders, 100 were committed");
    }

    @Test
    void shouldNotCountRefusedOrdersAsWork() throws Exception {
        check.check(both(state(100, 10, 0)), 100, true);

        assertThatIOException()
                .isThrownBy(() -> check.check(both(state(200, 20, 40)), 100, true))
                .withMessage("engine 0 refused 40 of 100 orders");
        assertThat(check.reached().getOrders()).isEqualTo(100);
    }

    @Test
    void shouldExpectTradesOfEachRunThatMustHaveThem() throws Exception {
        check.check(both(state(1, 0, 0)), 1, false);

        assertThatIOException()
                .isThrownBy(() -> check.check(both(state(1_001, 0, 0)), 1_000, true))
                .withMessage("engine 0 made no trade of 1000 orders");
        assertThatNoException().isThrownBy(() -> check.check(both(state(1_001, 7, 0)), 1_000, true));
    }

    @Test
    void shouldNameAnEngineWithAnotherResult() {
        EngineState other = state(100, 10, 0).toBuilder()
                .setResultDigest(ByteString.copyFromUtf8("other"))
                .build();

        assertThatIOException()
                .isThrownBy(() -> check.check(List.of(state(100, 10, 0), other), 100, true))
                .withMessage("engine 1 differs from engine 0 at block 9");
    }

    private static List<EngineState> both(EngineState state) {
        return List.of(state, state);
    }

    private static EngineState state(long orders, long trades, long rejected) {
        return EngineState.newBuilder()
                .setLastExecuted(9)
                .setResultDigest(ByteString.copyFromUtf8("result"))
                .setOrders(orders)
                .setTrades(trades)
                .setRejected(rejected)
                .build();
    }
}
