package io.sealbook.engine.marketdata;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.sealbook.engine.fixture.TestTransport;
import io.sealbook.protocol.v1.Depth;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Which books a reader sees whose transport has less room than there is news. */
class DepthFollowerTest {
    private static final List<Integer> INSTRUMENTS = List.of(1, 2, 3, 4, 5);
    private static final long NEVER_MS = 3_600_000;

    private final DepthBoard board = new DepthBoard(INSTRUMENTS);
    /** Passes that the pool has not run yet. */
    private final Queue<Runnable> pool = new ArrayDeque<>();

    private final List<Integer> instruments = new ArrayList<>(INSTRUMENTS);
    private final TestTransport<Depth> transport = new TestTransport<>();
    private final DepthFollower<Depth> follower = new DepthFollower<>(
            board,
            () -> List.copyOf(instruments),
            view -> MarketDataMessages.depth(view, 1),
            transport,
            new Delivery(pool::add, NEVER_MS, ended -> {}));

    @Test
    void shouldSendEachBookToASlowReader() {
        for (int pass = 0; pass < 4; pass++) {
            changeAll();
            pass(2);
        }

        assertThat(transport.sent()).extracting(Depth::getInstrumentId).containsExactly(1, 2, 3, 4, 5, 1, 2, 3);
    }

    @Test
    void shouldSendEachChangeOnce() {
        pass(INSTRUMENTS.size() + 1);
        board.put(DepthView.empty(4));
        pass(3);
        pass(3);

        assertThat(transport.sent()).extracting(Depth::getInstrumentId).containsExactly(1, 2, 3, 4, 5, 4);
    }

    /** Else it would wait for ever, and keep its place. */
    @Test
    void shouldEndAStreamWhoseMessageDoesNotFitInTheHeap() {
        List<Follower<?>> ended = new ArrayList<>();
        Follower<Depth> failing = new DepthFollower<>(
                board,
                () -> {
                    throw new OutOfMemoryError("Java heap space");
                },
                view -> MarketDataMessages.depth(view, 1),
                transport,
                new Delivery(pool::add, NEVER_MS, ended::add));
        failing.signal();
        pool.remove().run();

        assertThat(ended).containsExactly(failing);
        assertThat(transport.end().getCode()).isEqualTo(Status.Code.INTERNAL);
    }

    @Test
    void shouldSendABookThatComesWhileAPassIsUnderWay() {
        pass(3);
        instruments.add(6);
        board.put(DepthView.empty(6));
        pass(10);

        assertThat(transport.sent()).extracting(Depth::getInstrumentId).containsExactly(1, 2, 3, 4, 5, 6);
    }

    private void changeAll() {
        INSTRUMENTS.forEach(id -> board.put(DepthView.empty(id)));
    }

    /** Lets the follower look once, with room for so many messages. */
    private void pass(int room) {
        transport.setRoom(room);
        follower.signal();
        while (!pool.isEmpty()) {
            pool.poll().run();
        }
    }
}
