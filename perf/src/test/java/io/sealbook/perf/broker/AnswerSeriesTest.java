package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.broker.AnswerSeries.Window;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnswerSeriesTest {
    private static final long START_NS = 1_000;

    @Test
    void shouldGiveRateAndLatenciesOfEachInterval() {
        AnswerSeries series = series(6);
        for (int second = 0; second < 6; second++) {
            for (int i = 0; i <= second; i++) {
                series.onAnswered(at(second), 10, TimeUnit.MILLISECONDS.toNanos(second + 1));
            }
        }

        List<Window> intervals = series.intervals(2);

        assertThat(intervals).extracting(Window::ordersPerSecond).containsExactly(15.0, 35.0, 55.0);
        assertThat(intervals).extracting(Window::slowestSecond).containsExactly(10.0, 30.0, 50.0);
        assertThat(intervals).extracting(Window::fastestSecond).containsExactly(20.0, 40.0, 60.0);
        assertThat(intervals)
                .extracting(window -> Math.round(window.latencies().getMaxValue() / 1e6))
                .containsExactly(2L, 4L, 6L);
        assertThat(series.middleThird().ordersPerSecond()).isEqualTo(35.0);
    }

    @Test
    void shouldFileALatencyUnderTheTimeAtWhichItsBatchWasDue() {
        AnswerSeries series = series(30);

        series.onAnswered(START_NS + TimeUnit.MILLISECONDS.toNanos(20_700), 30, TimeUnit.MILLISECONDS.toNanos(1_200));

        assertThat(series.middleThird().latencies().getTotalCount()).isOne();
        assertThat(series.middleThird().ordersPerSecond()).isZero();
        assertThat(series.intervals(10)).extracting(Window::ordersPerSecond).containsExactly(0.0, 0.0, 3.0);
    }

    @Test
    void shouldKeepTheLatencyOfWhatIsAnsweredAfterTheRun() {
        AnswerSeries series = series(3);

        series.onAnswered(at(5), 10, TimeUnit.SECONDS.toNanos(3));

        assertThat(series.intervals(1))
                .extracting(window -> window.latencies().getTotalCount())
                .containsExactly(0L, 0L, 1L);
        assertThat(series.total()).isZero();
    }

    @Test
    void shouldLeaveOutTheLatencyOfWhatWasDueBeforeTheRun() {
        AnswerSeries series = series(1);

        series.onAnswered(at(0), 10, TimeUnit.SECONDS.toNanos(1));

        assertThat(series.intervals(1).getFirst().latencies().getTotalCount()).isZero();
        assertThat(series.total()).isEqualTo(10);
    }

    @Test
    void shouldLeaveOutAnIntervalThatIsNotWhole() {
        AnswerSeries series = series(5);
        series.onAnswered(at(4), 10, 1);

        assertThat(series.intervals(2))
                .hasSize(2)
                .extracting(Window::ordersPerSecond)
                .containsOnly(0.0);
    }

    /** 36,000 tenths of a second share histograms, in intervals of a minute without overlap. */
    @Test
    void shouldKeepFewHistogramsOfALongRun() {
        AnswerSeries series = series(3_600);
        for (int second = 0; second < 3_600; second++) {
            series.onAnswered(at(second), 1, TimeUnit.MILLISECONDS.toNanos(1 + second / 60));
        }

        List<Window> intervals = series.intervals(60);

        assertThat(intervals).hasSize(60);
        for (int minute = 0; minute < 60; minute++) {
            assertThat(intervals.get(minute).latencies().getTotalCount()).isEqualTo(60);
            assertThat(Math.round(intervals.get(minute).latencies().getMinValue() / 1e6))
                    .isEqualTo(minute + 1);
        }
        assertThat(series.middleThird().latencies().getTotalCount()).isEqualTo(1_200);
    }

    private static AnswerSeries series(int seconds) {
        return new AnswerSeries(START_NS, TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Returns a time in the middle of a second: what is answered then was due in the same second. */
    private static long at(int second) {
        return START_NS + TimeUnit.SECONDS.toNanos(second) + TimeUnit.MILLISECONDS.toNanos(500);
    }
}
