package io.sealbook.consensus.follow;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** The follower's meters. Each exists for an operator's question, written as its description. Any thread. */
final class FollowerMeters {
    /** Of the names of all. */
    static final String PREFIX = "sealbook.follower.";

    private final MeterRegistry registry;
    private final Counter cutReaders;
    private final Counter refusedConnections;
    private final Counter refusedReads;
    private final Counter refusedRates;

    FollowerMeters(MeterRegistry registry) {
        this.registry = registry;
        cutReaders = counter("cut.readers", "Are there readers too slow to be served?");
        refusedConnections = counter("refused.connections", "Do some hold more connections than they may?");
        refusedReads = counter("refused.reads", "Do some follow more than they may?");
        refusedRates = counter("refused.rates", "Do some call or send faster than they may?");
    }

    /** Adds the gauges of the follower's state. */
    void state(Supplier<FollowerState> state) {
        gauge("last.block", "What is the last stored block?", () -> state.get().lastBlock());
        gauge(
                "last.certified",
                "What is the last certified block?",
                () -> state.get().lastCertified());
        gauge(
                "lag.blocks",
                "How many blocks do the members have that are not here?",
                () -> state.get().lagBlocks());
        gauge(
                "held.blocks",
                "How many blocks wait for their confirmation?",
                () -> state.get().heldBlocks());
        gauge(
                "has.source",
                "Does it have a source of blocks that has answered (1) or not (0)?",
                () -> state.get().source().isEmpty() ? 0 : 1);
        gauge(
                "faulty.sources",
                "How many sources sent what does not verify?",
                () -> state.get().faults().size());
    }

    /** Adds the gauges of the engine beside the follower. */
    void engine(EngineJudge judge) {
        gauge("engine.right.to", "Up to which certified block is the engine's result proven?", judge::lastRight);
        gauge("engine.wrong.at", "At which certified block does the engine differ (0: at none)?", judge::wrongAt);
    }

    /**
     * Adds a gauge that is read at each scrape.
     *
     * @param name without the prefix
     * @param question of an operator that it answers
     * @param value read on the thread that scrapes
     */
    void gauge(String name, String question, Supplier<Number> value) {
        Gauge.builder(PREFIX + name, value).description(question).register(registry);
    }

    private Counter counter(String name, String question) {
        return Counter.builder(PREFIX + name).description(question).register(registry);
    }

    void readerCut() {
        cutReaders.increment();
    }

    void connectionRefused() {
        refusedConnections.increment();
    }

    void readRefused() {
        refusedReads.increment();
    }

    void rateRefused() {
        refusedRates.increment();
    }
}
