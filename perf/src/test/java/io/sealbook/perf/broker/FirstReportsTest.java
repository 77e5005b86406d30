package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.TimeInForce;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FirstReportsTest {
    private static final int CAPACITY = 1 << 19;

    private final FirstReports reports = new FirstReports();
    private final LoadRun run = LoadRun.begin(2, Duration.ofHours(1));

    @BeforeEach
    void begin() {
        reports.begin(run);
    }

    @Test
    void shouldMissAnOrderUntilItsFirstReport() {
        expect(1);
        expect(2);

        reports.onReport(report(1));
        reports.onReport(report(1));

        assertThat(reports.missing()).isOne();
    }

    @Test
    void shouldTakeNoOrderWhoseSlotStillWaits() {
        expect(1);

        assertThat(reports.expect(1 + CAPACITY, 0, false)).isFalse();
        assertThat(reports.missing()).isOne();
    }

    @Test
    void shouldNotTakeALateReportOfAnOldOrderForTheFirstOfANewOne() {
        expect(1);
        reports.onReport(report(1));
        expect(1 + CAPACITY);

        reports.onReport(report(1));

        assertThat(reports.missing()).isOne();
    }

    @Test
    void shouldCountABatchWhenItsLastOrderHasAReport() {
        LoadRun running = LoadRun.begin(2, Duration.ofSeconds(3));
        reports.begin(running);
        reports.expect(1, System.nanoTime(), false);
        reports.expect(2, System.nanoTime(), true);

        reports.onReport(report(1));
        assertThat(running.reports().total()).isZero();

        reports.onReport(report(2));
        assertThat(running.reports().total()).isEqualTo(2);
    }

    private void expect(long clOrdId) {
        assertThat(reports.expect(clOrdId, System.nanoTime(), false)).isTrue();
    }

    private static ExecutionReport report(long clOrdId) {
        return ExecutionReport.builder()
                .reportSequence(1)
                .blockSequence(1)
                .orderId(1)
                .execId(1)
                .clOrdId(clOrdId)
                .price(10_000)
                .quantity(100)
                .leavesQty(100)
                .brokerId(1)
                .accountId(1)
                .instrumentId(1)
                .timeInForce(TimeInForce.GOOD_TILL_CANCEL)
                .build();
    }
}
