package io.sealbook.engine;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.engine.access.AccessRefusals.Port;
import io.sealbook.engine.console.MarketDataSessions;
import io.sealbook.engine.intake.QueueEnd;
import io.sealbook.engine.marketdata.MarketDataService;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** The engine's figures for Prometheus; each description is the question it answers. */
@Component
class EngineMetrics implements MeterBinder {
    private static final double MS_PER_SECOND = 1000;

    private final EngineMonitor monitor;
    private final QueueEnd queueEnd;
    private final OutputRing ring;
    private final ExecutionReportsService reports;
    private final MarketDataService marketData;
    private final MarketDataSessions sessions;
    private final EngineGrpcServer grpcServer;

    EngineMetrics(
            EngineMonitor monitor,
            QueueEnd queueEnd,
            OutputRing ring,
            ExecutionReportsService reports,
            MarketDataService marketData,
            MarketDataSessions sessions,
            EngineGrpcServer grpcServer) {
        this.monitor = monitor;
        this.queueEnd = queueEnd;
        this.ring = ring;
        this.reports = reports;
        this.marketData = marketData;
        this.sessions = sessions;
        this.grpcServer = grpcServer;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(
                registry,
                "sealbook.engine.up",
                "Is the engine executing new blocks (1) or not (0)?",
                () -> monitor.phase() == EnginePhase.TAILING ? 1 : 0);
        gauge(
                registry,
                "sealbook.engine.last.executed.block",
                "Which block did it execute last?",
                monitor::lastExecuted);
        gauge(
                registry,
                "sealbook.engine.lag.blocks",
                "How many committed blocks wait for execution?",
                () -> Math.max(0, queueEnd.lastSequence() - monitor.lastExecuted()));
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
                reports::followerCount);
        gauge(
                registry,
                "sealbook.engine.market.data.followers",
                "How many market data readers are there?",
                () -> marketData.followerCount() + sessions.count());
        Gauge.builder("sealbook.engine.connections", grpcServer, EngineGrpcServer::connectionCount)
                .description("How many connections are open?")
                .tag("port", Port.GRPC.tag())
                .register(registry);
        gauge(
                registry,
                "sealbook.engine.ring.free.ratio",
                "How much of the output ring is free (1 all, 0 the loop waits)?",
                ring::freeRatio);
        gauge(
                registry,
                "sealbook.engine.snapshot.block",
                "Which block is the newest snapshot of?",
                monitor::lastSnapshot);
        Gauge.builder("sealbook.engine.snapshot.age", monitor, EngineMetrics::snapshotAgeSeconds)
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
