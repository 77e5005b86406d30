package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DepthPaceTest {
    private static final boolean READ = true;
    private static final long START_NS = Long.MAX_VALUE - 7;
    private static final int CONFLATION_MS = 50;

    private final DepthPace pace = new DepthPace(CONFLATION_MS, START_NS);

    @Test
    void shouldPublishForReadersAsOftenAsItMay() {
        blockEvery(10, 100);
        assertThat(dueInMs(READ, 49)).isEqualTo(1);
        assertThat(dueInMs(READ, 50)).isZero();

        pace.onPublished(after(60));
        assertThat(dueInMs(READ, 100)).isEqualTo(10);
        assertThat(dueInMs(READ, 120)).isEqualTo(-10);
    }

    @Test
    void shouldPublishOncePerSecondForNobody() {
        pace.onBlock(after(990));
        assertThat(dueInMs(!READ, 999)).isEqualTo(1);
        assertThat(dueInMs(!READ, 1_000)).isZero();

        DepthPace slow = new DepthPace(3_000, START_NS);
        slow.onBlock(after(2_990));
        assertThat(slow.dueInNs(!READ, after(2_999))).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void shouldPublishForWhoeverComesAfterAPauseOfTheMarket() {
        pace.onPublished(after(100));
        pace.onBlock(after(110));
        assertThat(dueInMs(!READ, 120)).isEqualTo(40);
        pace.onBlock(after(130));
        assertThat(dueInMs(!READ, 160)).isEqualTo(20);
        assertThat(dueInMs(!READ, 180)).isZero();
    }

    @Test
    void shouldPublishEachBlockOfAReaderThatWantsNoConflation() {
        DepthPace each = new DepthPace(0, START_NS);
        each.onBlock(after(1));
        each.onPublished(after(1));
        assertThat(each.dueInNs(!READ, after(1))).isZero();
    }

    private void blockEvery(int ms, int lastMs) {
        for (int at = ms; at <= lastMs; at += ms) {
            pace.onBlock(after(at));
        }
    }

    private long dueInMs(boolean isRead, long ms) {
        return TimeUnit.NANOSECONDS.toMillis(pace.dueInNs(isRead, after(ms)));
    }

    private static long after(long ms) {
        return START_NS + TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
