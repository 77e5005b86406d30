package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.sealbook.engine.fixture.TestTransport;
import io.sealbook.engine.setup.EngineSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** For which blocks a report stream is looked at. */
class ReportSignalsTest {
    private static final int BROKER = 2;
    private static final int OTHER = 3;
    private static final long STALL_MS = 3_600_000;

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private final Feed feed = new Feed();
    private final TestTransport<Long> transport = new TestTransport<>();
    private final ReportFollower<Long> follower = follower(feed, transport, Long.MAX_VALUE);

    @Test
    void shouldBeLookedAtForItsBrokerOnly() {
        feed.last = 1;
        follower.onFlushed(OTHER);
        assertThat(looks).isEmpty();

        follower.onFlushed(BROKER);
        look();

        assertThat(transport.sent()).containsExactly(1L);
        follower.onFlushed(OTHER);
        assertThat(looks).isEmpty();
    }

    /** Else the stream of a broker that has stopped trading and reading would keep its place. */
    @Test
    void shouldBeLookedAtForAnyBrokerWhileReportsWait() {
        transport.setReady(false);
        feed.last = 1;
        follower.onFlushed(BROKER);
        look();

        follower.onFlushed(OTHER);
        assertThat(looks).hasSize(1);
        transport.setReady(true);
        look();

        assertThat(transport.sent()).containsExactly(1L);
        follower.onFlushed(OTHER);
        assertThat(looks).isEmpty();
    }

    /** A stream of digests is so small that its transport has room for the whole history. */
    @Test
    void shouldLetTheOthersHaveTheirTurns() {
        TestTransport<Long> greedy = new TestTransport<>();
        Feed history = new Feed();
        history.last = 10_000;
        follower(history, greedy, Long.MAX_VALUE).signal();
        feed.last = 1;
        follower.onFlushed(BROKER);

        look();
        assertThat(greedy.sent()).hasSize(ReportFollower.FRAMES_PER_TURN);
        look();
        assertThat(transport.sent()).containsExactly(1L);

        while (!looks.isEmpty()) {
            int before = greedy.sent().size();
            look();
            assertThat(greedy.sent().size() - before).isLessThanOrEqualTo(ReportFollower.FRAMES_PER_TURN);
        }
        assertThat(greedy.sent()).hasSize(10_000);
    }

    @Test
    void shouldNotCutAReaderThatWaitsForItsTurn() {
        ReportFollower<Long> live = follower(feed, transport, 1);
        live.signal();
        look();
        feed.last = 10_000;
        live.signal();

        while (!looks.isEmpty()) {
            look();
        }

        assertThat(transport.sent()).hasSize(10_000);
    }

    /** Else it would wait for ever, and keep its place. */
    @Test
    void shouldEndAStreamWhoseFrameDoesNotFitInTheHeap() {
        List<ReportFollower<?>> ended = new ArrayList<>();
        ReportFollower<Long> failing = new ReportFollower<>(
                BROKER,
                feed,
                transport,
                looks::add,
                new EngineSettings.Reports(1, 1, 1, 1, 1, Long.MAX_VALUE, STALL_MS),
                ended::add);
        feed.last = 1;
        feed.failure = new OutOfMemoryError("Java heap space");
        failing.signal();
        look();

        assertThat(ended).containsExactly(failing);
        assertThat(transport.end().getCode()).isEqualTo(Status.Code.INTERNAL);
    }

    private ReportFollower<Long> follower(Feed of, TestTransport<Long> to, long lagMax) {
        EngineSettings.Reports limits = new EngineSettings.Reports(1, 1, 1, 1, 1, lagMax, STALL_MS);
        return new ReportFollower<>(BROKER, of, to, looks::add, limits, ended -> {
            throw new AssertionError("a stream ends");
        });
    }

    private void look() {
        looks.remove().run();
    }

    private static final class Feed implements ReportFeed<Long> {
        private long next = 1;
        private long last;
        private Error failure;

        @Override
        public long next() {
            return next;
        }

        @Override
        public long last() {
            return last;
        }

        @Override
        public Optional<Long> take() {
            if (failure != null) {
                throw failure;
            }
            return Optional.of(next++);
        }

        @Override
        public long first() {
            return 1;
        }
    }
}
