package io.sealbook.engine.marketdata;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.sealbook.engine.fixture.TestTrades;
import io.sealbook.engine.fixture.TestTransport;
import io.sealbook.protocol.v1.TradePrint;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Who is to blame when trades leave the tape before a stream has them. */
class TradeFollowerTest {
    private static final int CAPACITY = 4;
    private static final long NEVER_MS = 3_600_000;

    private final TradeTape tape = new TradeTape(CAPACITY);
    /** Passes that the pool has not run yet. */
    private final Queue<Runnable> pool = new ArrayDeque<>();

    private final TestTransport<TradePrint> transport = new TestTransport<>();
    private final TradeFollower follower =
            new TradeFollower(tape, id -> true, transport, new Delivery(pool::add, NEVER_MS, ended -> {}));

    @Test
    void shouldNotBlameAReaderForAnEngineThatIsLate() {
        print(1);
        runPool();
        print(CAPACITY + 1);
        runPool();

        assertThat(transport.sent()).extracting(TradePrint::getTradeId).containsExactly(1L);
        assertThat(transport.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(transport.end().getDescription())
                .isEqualTo("the engine sends too slowly: trade 2 has left the buffer, the newest is 6");
    }

    @Test
    void shouldNotBlameAReaderThatHasTakenEverythingBefore() {
        print(1);
        transport.setReady(false);
        runPool();
        transport.setReady(true);
        follower.onRoom();
        print(CAPACITY + 1);
        runPool();

        assertThat(transport.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void shouldBlameAReaderThatTakesNothing() {
        transport.setReady(false);
        print(CAPACITY + 1);
        runPool();

        assertThat(transport.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(transport.end().getDescription())
                .isEqualTo("too slow: trade 1 has left the buffer, the newest is 5");
    }

    /** It is as late as one that never took it. */
    @Test
    void shouldBlameAReaderThatTakesTooLate() {
        print(1);
        transport.setReady(false);
        runPool();
        print(CAPACITY);
        transport.setReady(true);
        follower.onRoom();
        runPool();

        assertThat(transport.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    private void print(int count) {
        TestTrades.print(tape, count);
        follower.signal();
    }

    private void runPool() {
        while (!pool.isEmpty()) {
            pool.poll().run();
        }
    }
}
