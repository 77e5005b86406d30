package io.sealbook.engine.meters;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.engine.access.AccessRefusals.Port;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The engine's figures for Prometheus; each description is the question it answers. */
public final class EngineMeters implements MeterBinder {
    private static final double MS_PER_SECOND = 1000;

    private final EngineMonitor monitor;
    private final LongSupplier lastCommitted;
    private final DoubleSupplier freeRatio;
    private final EngineReaders readers;

    /**
     * @param monitor the engine's state
     * @param lastCommitted last block that the node has committed
     * @param freeRatio free share of the output ring, 0 to 1
     * @param readers who reads now
     */
    public EngineMeters(
            EngineMonitor monitor, LongSupplier lastCommitted, DoubleSupplier freeRatio, EngineReaders readers) {
        this.monitor = monitor;
        this.lastCommitted = lastCommitted;
        this.freeRatio = freeRatio;
        this.readers = readers;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(
                registry,
                "sealbook.engine.up",
                "Is the engine executing new blocks, and is no result known to be wrong (1), or not (0)?",
                () -> monitor.isExecuting() ? 1 : 0);
        gauge(
                registry,
                "sealbook.engine.last.executed.block",
                "Which block did it execute last?",
                monitor::lastExecuted);
        gauge(
                registry,
                "sealbook.engine.lag.blocks",
                "How many committed blocks wait for execution?",
                () -> Math.max(0, lastCommitted.getAsLong() - monitor.lastExecuted()));
        gauge(
                registry,
                "sealbook.engine.membership",
                "How many administrative transactions has it executed?",
                monitor::membership);
        counter(
                registry,
                "sealbook.engine.batches",
                "How many batches has it executed?",
                () -> monitor.totals().batches());
        counter(
                registry,
                "sealbook.engine.orders",
                "How many orders, cancels and replaces has it executed?",
                () -> monitor.totals().orders());
        counter(
                registry,
                "sealbook.engine.trades",
                "How many trades has it made?",
                () -> monitor.totals().trades());
        counter(
                registry,
                "sealbook.engine.reports",
                "How many execution reports has it made?",
                () -> monitor.totals().reports());
        for (RejectReason reason : RejectReason.values()) {
            if (reason != RejectReason.NONE && reason != RejectReason.NULL_VAL) {
                FunctionCounter.builder(
                                "sealbook.engine.rejects",
                                monitor,
                                m -> m.totals().rejected(reason))
                        .description("How many entries did it refuse, and why?")
                        .tag("reason", reason.name())
                        .register(registry);
            }
        }
        gauge(
                registry,
                "sealbook.engine.report.followers",
                "How many report streams are open?",
                readers.reportStreams()::getAsInt);
        gauge(
                registry,
                "sealbook.engine.market.data.followers",
                "How many market data readers are there?",
                readers.marketDataStreams()::getAsInt);
        Gauge.builder("sealbook.engine.connections", () -> readers.connections().getAsInt())
                .description("How many connections are open?")
                .tag("port", Port.GRPC.tag())
                .register(registry);
        gauge(
                registry,
                "sealbook.engine.ring.free.ratio",
                "How much of the output ring is free (1 all, 0 the loop waits)?",
                freeRatio::getAsDouble);
        gauge(
                registry,
                "sealbook.engine.rebuilds",
                "How often has it built its state again, because its result was not that of the others?",
                monitor::rebuilds);
        gauge(
                registry,
                "sealbook.engine.snapshot.block",
                "Which block is the newest snapshot of?",
                monitor::lastSnapshot);
        Gauge.builder("sealbook.engine.snapshot.age", monitor, EngineMeters::snapshotAgeSeconds)
                .description("How long ago was the last snapshot written? NaN before this process's first.")
                .baseUnit("seconds")
                .register(registry);
    }

    private static double snapshotAgeSeconds(EngineMonitor monitor) {
        long timeMs = monitor.lastSnapshotTimeMs();
        return timeMs == 0 ? Double.NaN : (System.currentTimeMillis() - timeMs) / MS_PER_SECOND;
    }

    private static void gauge(MeterRegistry registry, String name, String question, Supplier<Number> value) {
        Gauge.builder(name, value).description(question).register(registry);
    }

    private void counter(MeterRegistry registry, String name, String question, LongSupplier value) {
        FunctionCounter.builder(name, monitor, m -> value.getAsLong())
                .description(question)
                .register(registry);
    }
}
