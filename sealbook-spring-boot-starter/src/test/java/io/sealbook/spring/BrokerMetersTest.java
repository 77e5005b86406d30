package io.sealbook.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.client.ClientMetrics;
import io.sealbook.protocol.sbe.ExecType;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BrokerMetersTest {
    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReportDelivery delivery = new ReportDelivery(event -> {});

    @Test
    void shouldShowTheCountsOfTheClient() {
        bind();

        assertThat(List.of(
                        count("batches.submitted"),
                        count("orders.submitted"),
                        count("batches.committed"),
                        count("orders.committed"),
                        count("batches.refused"),
                        count("batches.expired"),
                        count("batches.resubmitted"),
                        count("reconnects"),
                        count("failovers"),
                        count("receipts.ignored"),
                        count("reports"),
                        count("reports.gaps"),
                        count("reports.ignored"),
                        count("slowdowns")))
                .containsExactly(1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14.);
        assertThat(gauge("batches.in.flight")).isEqualTo(15);
        assertThat(gauge("chain.height")).isEqualTo(16);
        assertThat(registry.get("sealbook.client.block.age").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void shouldTimeReportsFromTheirBlock() {
        bind();
        delivery.open(List.of(report -> {}));

        delivery.onReport(SampleReports.report(
                1,
                ExecType.NEW,
                TimeUnit.MILLISECONDS.toNanos(NOW.minusMillis(2_500).toEpochMilli())));

        var delay = registry.get("sealbook.client.reports.delay").timer();
        var handling = registry.get("sealbook.client.reports.handling").timer();
        assertThat(handling.count()).isEqualTo(1);
        assertThat(delay.totalTime(TimeUnit.NANOSECONDS) + handling.totalTime(TimeUnit.NANOSECONDS))
                .isEqualTo(2_500_000_000.);
    }

    @Test
    void shouldShowThatDeliveryHasStopped() {
        bind();
        assertThat(gauge("reports.stopped")).isZero();
        delivery.open(List.of());

        delivery.onStopped(SampleReports.report(1, ExecType.NEW), new IllegalStateException());

        assertThat(gauge("reports.stopped")).isEqualTo(1);
    }

    private void bind() {
        long[] times = {0, TimeUnit.SECONDS.toNanos(3)};
        int[] asked = {0};
        BlockAge age = new BlockAge(() -> 15, () -> times[Math.min(asked[0]++, 1)]);
        new BrokerMeters(
                        () -> new ClientMetrics(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
                        () -> 15,
                        () -> 16,
                        age,
                        delivery,
                        Clock.fixed(NOW, ZoneOffset.UTC))
                .bindTo(registry);
    }

    private double count(String name) {
        return registry.get("sealbook.client." + name).functionCounter().count();
    }

    private double gauge(String name) {
        return registry.get("sealbook.client." + name).gauge().value();
    }
}
