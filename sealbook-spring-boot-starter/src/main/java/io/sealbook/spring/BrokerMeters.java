package io.sealbook.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.client.ClientMetrics;
import io.sealbook.client.ExecutionReport;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Meters of the broker's client below {@code sealbook.client}. */
final class BrokerMeters implements MeterBinder {
    private final Supplier<ClientMetrics> metrics;
    private final LongSupplier inFlight;
    private final LongSupplier chainHeight;
    private final BlockAge blockAge;
    private final ReportDelivery delivery;
    private final Clock clock;

    /**
     * Makes a binder.
     *
     * @param metrics the client's counts
     * @param inFlight batches without a result
     * @param chainHeight highest block that is known, -1 if none is
     * @param blockAge age of the last block
     * @param delivery whose reports are timed
     * @param clock the broker's, compared with the time of blocks
     */
    BrokerMeters(
            Supplier<ClientMetrics> metrics,
            LongSupplier inFlight,
            LongSupplier chainHeight,
            BlockAge blockAge,
            ReportDelivery delivery,
            Clock clock) {
        this.metrics = metrics;
        this.inFlight = inFlight;
        this.chainHeight = chainHeight;
        this.blockAge = blockAge;
        this.delivery = delivery;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(
                registry,
                "batches.submitted",
                "batches that were given a place in flight",
                ClientMetrics::submittedBatches);
        counter(registry, "batches.committed", "batches with an agreed receipt", ClientMetrics::committedBatches);
        counter(registry, "batches.refused", "batches that a node refused", ClientMetrics::refused);
        counter(registry, "batches.expired", "batches that ended without a result", ClientMetrics::expired);
        counter(registry, "batches.resubmitted", "times a batch was sent again", ClientMetrics::resubmitted);
        counter(registry, "orders.submitted", "orders in submitted batches", ClientMetrics::submittedOrders);
        counter(registry, "orders.committed", "orders in committed batches", ClientMetrics::committedOrders);
        counter(registry, "reports", "execution reports that were handled", ClientMetrics::reports);
        counter(registry, "reports.gaps", "times an engine skipped a report", ClientMetrics::reportGaps);
        counter(
                registry,
                "reports.ignored",
                "reports that differed from the agreed ones",
                ClientMetrics::reportsIgnored);
        counter(
                registry,
                "receipts.ignored",
                "receipts that differed from the agreed ones",
                ClientMetrics::receiptsIgnored);
        counter(registry, "reconnects", "times a lost connection was taken up again", ClientMetrics::reconnects);
        counter(registry, "failovers", "times the home node changed", ClientMetrics::failovers);
        counter(registry, "slowdowns", "times it was faster than the broker may be", ClientMetrics::slowedDown);
        Gauge.builder("sealbook.client.batches.in.flight", inFlight::getAsLong)
                .description("batches without a result")
                .register(registry);
        Gauge.builder("sealbook.client.chain.height", chainHeight::getAsLong)
                .description("highest block that f + 1 nodes report")
                .register(registry);
        TimeGauge.builder("sealbook.client.block.age", () -> blockAge.get().toNanos(), TimeUnit.NANOSECONDS)
                .description("time since the last block")
                .register(registry);
        Gauge.builder("sealbook.client.reports.stopped", () -> delivery.isStopped() ? 1 : 0)
                .description("1 if no more reports are delivered, see the health")
                .register(registry);
        Timer delay = Timer.builder("sealbook.client.reports.delay")
                .description("from the time of the block to the call of the first listener")
                .register(registry);
        Timer handling = Timer.builder("sealbook.client.reports.handling")
                .description("time that all listeners take for a report")
                .register(registry);
        delivery.times((report, startedNs, endedNs) -> {
            handling.record(endedNs - startedNs, TimeUnit.NANOSECONDS);
            delay.record(delayNs(report) - (endedNs - startedNs), TimeUnit.NANOSECONDS);
        });
    }

    private long delayNs(ExecutionReport report) {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - report.transactTimeNs();
    }

    private void counter(
            MeterRegistry registry, String name, String description, ToDoubleFunction<ClientMetrics> count) {
        FunctionCounter.builder("sealbook.client." + name, metrics, each -> count.applyAsDouble(each.get()))
                .description(description)
                .register(registry);
    }
}
