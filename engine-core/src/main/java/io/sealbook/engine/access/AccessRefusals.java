package io.sealbook.engine.access;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.access.RefusalLog;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs what the limits of the two ports have refused. Any thread; no method waits. */
public final class AccessRefusals implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AccessRefusals.class);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("refusal-log").daemon().factory());
    private final Map<Port, Kind> connections = new EnumMap<>(Port.class);
    private final Map<Port, Kind> reads = new EnumMap<>(Port.class);
    private final Map<Port, Kind> rates = new EnumMap<>(Port.class);

    /** A port of the engine; its name in lower case is the tag {@code port} of the metrics. */
    public enum Port {
        GRPC,
        HTTP;

        /** Returns the value of the tag {@code port}. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Kind(Counter counter, RefusalLog lines) {}

    /** Registers the counters, all of them 0. */
    public AccessRefusals(MeterRegistry registry) {
        for (Port port : Port.values()) {
            connections.put(
                    port, kind(registry, port, "connections", "How many connections were closed at the limit?"));
            reads.put(port, kind(registry, port, "reads", "How many streams and requests were refused at the limit?"));
            rates.put(port, kind(registry, port, "rates", "Do some call or send faster than they may?"));
        }
    }

    private Kind kind(MeterRegistry registry, Port port, String what, String question) {
        Counter counter = Counter.builder("sealbook.engine.refused." + what)
                .description(question)
                .tag("port", port.tag())
                .register(registry);
        RefusalLog lines = new RefusalLog(
                port + " " + what,
                "sealbook_engine_refused_" + what + "_total",
                log::warn,
                (task, delayMs) -> timer.schedule(task, delayMs, TimeUnit.MILLISECONDS));
        return new Kind(counter, lines);
    }

    /**
     * Counts a connection that was closed because of a limit.
     *
     * @param port that it came to
     * @param remote its address, for the log
     * @param reason which limit, for the log
     */
    public void connectionRefused(Port port, Object remote, String reason) {
        count(connections.get(port), remote, reason);
    }

    /**
     * Counts a stream or a request that was refused because of a limit.
     *
     * @param port that it came to
     * @param remote its address, for the log
     * @param reason which limit, for the log
     */
    public void readRefused(Port port, Object remote, String reason) {
        count(reads.get(port), remote, reason);
    }

    /**
     * Counts a call, request or message of a caller that was faster than it may be.
     *
     * @param port that it came to
     * @param remote its address, for the log
     * @param reason which rate, for the log
     */
    public void rateRefused(Port port, Object remote, String reason) {
        count(rates.get(port), remote, reason);
    }

    private static void count(Kind kind, Object remote, String reason) {
        kind.counter().increment();
        kind.lines().refused(remote, reason);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
