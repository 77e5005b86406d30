package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
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
    private final Transport transport = new Transport();
    private final ReportFollower<Long> follower = follower(feed, transport, Long.MAX_VALUE);

    @Test
    void shouldBeLookedAtForItsBrokerOnly() {
        feed.last = 1;
        follower.onFlushed(OTHER);
        assertThat(looks).isEmpty();

        follower.onFlushed(BROKER);
        look();

        assertThat(transport.sent).containsExactly(1L);
        follower.onFlushed(OTHER);
        assertThat(looks).isEmpty();
    }

    /** Else the stream of a broker that has stopped trading and reading would keep its place. */
    @Test
    void shouldBeLookedAtForAnyBrokerWhileReportsWait() {
        transport.isReady = false;
        feed.last = 1;
        follower.onFlushed(BROKER);
        look();

        follower.onFlushed(OTHER);
        assertThat(looks).hasSize(1);
        transport.isReady = true;
        look();

        assertThat(transport.sent).containsExactly(1L);
        follower.onFlushed(OTHER);
        assertThat(looks).isEmpty();
    }

    /** A stream of digests is so small that its transport has room for the whole history. */
    @Test
    void shouldLetTheOthersHaveTheirTurns() {
        Transport greedy = new Transport();
        Feed history = new Feed();
        history.last = 10_000;
        follower(history, greedy, Long.MAX_VALUE).signal();
        feed.last = 1;
        follower.onFlushed(BROKER);

        look();
        assertThat(greedy.sent).hasSize(ReportFollower.FRAMES_PER_TURN);
        look();
        assertThat(transport.sent).containsExactly(1L);

        while (!looks.isEmpty()) {
            int before = greedy.sent.size();
            look();
            assertThat(greedy.sent.size() - before).isLessThanOrEqualTo(ReportFollower.FRAMES_PER_TURN);
        }
        assertThat(greedy.sent).hasSize(10_000);
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

        assertThat(transport.sent).hasSize(10_000);
    }

    private ReportFollower<Long> follower(Feed of, Transport to, long lagMax) {
        EngineSettings.Reports limits = new EngineSettings.Reports(1, 1, 1, 1, 1, lagMax, STALL_MS);
        return new ReportFollower<>(BROKER, of, to, looks::add, limits, ended -> {});
    }

    private void look() {
        looks.remove().run();
    }

    private static final class Feed implements ReportFeed<Long> {
        private long next = 1;
        private long last;

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
            return Optional.of(next++);
        }

        @Override
        public long first() {
            return 1;
        }
    }

    /** A stream whose transport has room or has not. */
    private static final class Transport extends ServerCallStreamObserver<Long> {
        private final List<Long> sent = new ArrayList<>();
        private boolean isReady = true;

        @Override
        public boolean isReady() {
            return isReady;
        }

        @Override
        public void onNext(Long frame) {
            sent.add(frame);
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
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
