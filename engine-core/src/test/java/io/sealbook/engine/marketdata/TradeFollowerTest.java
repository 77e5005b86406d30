package io.sealbook.engine.marketdata;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.engine.fixture.TestTrades;
import io.sealbook.protocol.v1.TradePrint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Who is to blame when trades leave the tape before a stream has them. */
class TradeFollowerTest {
    private static final int CAPACITY = 4;
    private static final long NEVER_MS = 3_600_000;

    private final TradeTape tape = new TradeTape(CAPACITY);
    /** Passes that the pool has not run yet. */
    private final Queue<Runnable> pool = new ArrayDeque<>();

    private final Transport transport = new Transport();
    private final TradeFollower follower =
            new TradeFollower(tape, id -> true, transport, new Delivery(pool::add, NEVER_MS, ended -> {}));

    @Test
    void shouldNotBlameAReaderForAnEngineThatIsLate() {
        print(1);
        runPool();
        print(CAPACITY + 1);
        runPool();

        assertThat(transport.sent).containsExactly(1L);
        assertThat(transport.end.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(transport.end.getDescription())
                .isEqualTo("the engine sends too slowly: trade 2 has left the buffer, the newest is 6");
    }

    @Test
    void shouldNotBlameAReaderThatHasTakenEverythingBefore() {
        print(1);
        transport.isReady = false;
        runPool();
        transport.isReady = true;
        follower.onRoom();
        print(CAPACITY + 1);
        runPool();

        assertThat(transport.end.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void shouldBlameAReaderThatTakesNothing() {
        transport.isReady = false;
        print(CAPACITY + 1);
        runPool();

        assertThat(transport.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(transport.end.getDescription()).isEqualTo("too slow: trade 1 has left the buffer, the newest is 5");
    }

    /** It is as late as one that never took it. */
    @Test
    void shouldBlameAReaderThatTakesTooLate() {
        print(1);
        transport.isReady = false;
        runPool();
        print(CAPACITY);
        transport.isReady = true;
        follower.onRoom();
        runPool();

        assertThat(transport.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
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

    /** A stream whose transport has room or has not. */
    private static final class Transport extends ServerCallStreamObserver<TradePrint> {
        private final List<Long> sent = new ArrayList<>();
        private boolean isReady = true;
        private Status end;

        @Override
        public boolean isReady() {
            return isReady;
        }

        @Override
        public void onNext(TradePrint trade) {
            sent.add(trade.getTradeId());
        }

        @Override
        public void onError(Throwable failure) {
            end = Status.fromThrowable(failure);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void onCompleted() {}

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public void setCompression(String compression) {}

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean isEnabled) {}

        @Override
        public void disableAutoInboundFlowControl() {}
    }
}
