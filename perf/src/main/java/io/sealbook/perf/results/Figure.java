package io.sealbook.perf.results;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a number in a result is: its key in the file, its heading with the unit, and how many decimals count. */
public enum Figure {
    ORDERS_PER_BATCH("ordersPerBatch", "orders per batch", 0),
    BATCHES_IN_FLIGHT("batchesInFlight", "batches in flight", 0),
    BATCHES_PER_BLOCK("batchesPerBlock", "batches per block", 0),
    BLOCK_WAIT_MS("blockWaitMs", "block wait ms", 0),
    PROPOSALS_IN_FLIGHT("proposalsInFlight", "proposals in flight", 0),
    VERIFICATION_LANES("verificationLanes", "verification lanes", 0),
    LINK_DELAY_MS("linkDelayMs", "link delay ms", 0),
    MEMBER_MEGABYTES_PER_SECOND("memberMegabytesPerSecond", "MB/s from each member", 0),
    WARM_UP_SECONDS("warmUpSeconds", "warm-up s", 0),
    FROM_SECONDS("fromSeconds", "from s", 0),
    THREADS("threads", "threads", 0),
    CLIENTS("clients", "clients", 0),
    LOOP_PASSES("loopPasses", "loop passes", 0),
    NODES("nodes", "nodes", 0),
    REQUESTS_PER_SECOND("requestsPerSecond", "requests/s", 0),
    SLOWEST_SECOND_REQUESTS("slowestSecondRequests", "slowest s, requests", 0),
    FASTEST_SECOND_REQUESTS("fastestSecondRequests", "fastest s, requests", 0),
    SUBMITTED_PER_SECOND("submittedPerSecond", "submitted orders/s", 0),
    ORDERS_PER_SECOND("ordersPerSecond", "orders/s", 0),
    SLOWEST_SECOND("slowestSecond", "slowest s, orders", 0),
    FASTEST_SECOND("fastestSecond", "fastest s, orders", 0),
    BATCHES_PER_SECOND("batchesPerSecond", "batches/s", 0),
    VERIFICATIONS_PER_SECOND("verificationsPerSecond", "verifications/s", 0),
    SLOWEST_SECOND_BATCHES("slowestSecondBatches", "slowest s, batches", 0),
    FASTEST_SECOND_BATCHES("fastestSecondBatches", "fastest s, batches", 0),
    MEAN_MS("meanMs", "mean ms", 1),
    P50_MS("p50Ms", "p50 ms", 1),
    P99_MS("p99Ms", "p99 ms", 1),
    WORST_MS("worstMs", "worst ms", 1),
    REPORT_P50_MS("reportP50Ms", "to report p50 ms", 1),
    REPORT_P99_MS("reportP99Ms", "to report p99 ms", 1),
    MESSAGE_BYTES("messageBytes", "message bytes", 0),
    P50_MICROS("p50Micros", "p50 µs", 2),
    P99_MICROS("p99Micros", "p99 µs", 2),
    PACKING_MS("packingMs", "packing ms", 2),
    AGREEMENT_MS("agreementMs", "agreement ms", 2),
    COMMIT_MS("commitMs", "commit ms", 2),
    EXECUTION_MS("executionMs", "execution ms", 2),
    PACKING_PERCENT("packingPercent", "packing %", 1),
    AGREEMENT_PERCENT("agreementPercent", "agreement with execution %", 1),
    COMMIT_PERCENT("commitPercent", "commit %", 1),
    DECODED_PER_BATCH("decodedPerBatch", "decoded per batch", 2),
    NODE_MICROS("nodeMicros", "nodes µs/order", 2),
    ENGINE_MICROS("engineMicros", "engines µs/order", 2),
    BROKER_MICROS("brokerMicros", "brokers µs/order", 2),
    ASSEMBLY_MICROS("assemblyMicros", "assembly µs", 2),
    ENCODING_MICROS("encodingMicros", "encoding µs", 2),
    SIGNING_MICROS("signingMicros", "signing µs", 2),
    NANOS_PER_ORDER("nanosPerOrder", "ns/order", 0),
    FASTEST_NANOS_PER_ORDER("fastestNanosPerOrder", "fastest, ns/order", 0),
    SLOWEST_NANOS_PER_ORDER("slowestNanosPerOrder", "slowest, ns/order", 0),
    BLOCKS("blocks", "blocks", 0),
    BLOCK_KIBIBYTES("blockKibibytes", "mean block KiB", 1),
    BLOCKS_PER_SECOND("blocksPerSecond", "blocks/s", 0),
    SLOWEST_SECOND_BLOCKS("slowestSecondBlocks", "slowest s, blocks", 0),
    MEBIBYTES_PER_SECOND("mebibytesPerSecond", "MiB/s", 1),
    READ_P50_MICROS("readP50Micros", "read p50 µs", 1),
    READ_P99_MICROS("readP99Micros", "read p99 µs", 1),
    MEMBER_CORES("memberCores", "nodes and engines, cores", 3),
    BROKER_CORES("brokerCores", "brokers, cores", 3),
    MEMBER_WAKE_UPS("memberWakeUps", "nodes and engines, wake-ups/s", 0),
    BROKER_WAKE_UPS("brokerWakeUps", "brokers, wake-ups/s", 0),
    MEMBER_PREEMPTIONS("memberPreemptions", "nodes and engines, preemptions/s", 0),
    MEMBER_BATCH_WAKE_UPS("memberBatchWakeUps", "nodes and engines, wake-ups per batch", 1),
    MEMBER_READS("memberReads", "nodes and engines, reads/s", 0),
    MEMBER_WRITES("memberWrites", "nodes and engines, writes/s", 0),
    BATCH_CORE_MS("batchCoreMs", "processor ms per batch, all", 2),
    MEMBER_FRAMES("memberFrames", "frames between nodes/s", 0),
    LIVE_HEAP_MEBIBYTES("liveHeapMebibytes", "live heap MiB", 0),
    ANONYMOUS_MEBIBYTES("anonymousMebibytes", "anonymous memory MiB", 0),
    DESCRIPTORS("descriptors", "descriptors", 0),
    ARCHIVE_MEBIBYTES("archiveMebibytes", "archives MiB", 0),
    OTHER_FILE_MEBIBYTES("otherFileMebibytes", "other files MiB", 0),
    STOLEN_PERCENT("stolenPercent", "host took %", 1),
    NODE_LAG_BLOCKS("nodeLagBlocks", "node lag, blocks", 0),
    ENGINE_LAG_BLOCKS("engineLagBlocks", "engine lag, blocks", 0),
    DATABASE_LAG_BLOCKS("databaseLagBlocks", "database lag, blocks", 0),
    MISSING_REPORTS("missingReports", "orders without report", 0),
    PERCENT("percent", "%", 0),
    THROUGHPUT_GAIN_PERCENT("throughputGainPercent", "throughput gain %", 0),
    LATENCY_GAIN_PERCENT("latencyGainPercent", "latency gain %", 0),
    RATIO("ratio", "ratio", 2),
    RATIO_SPREAD("ratioSpread", "± ratio", 2),
    MICROS_RATIO("microsRatio", "µs/order ratio", 2),
    MICROS_RATIO_SPREAD("microsRatioSpread", "± µs/order ratio", 2);

    private final String key;
    private final String heading;
    private final int decimals;

    Figure(String key, String heading, int decimals) {
        this.key = key;
        this.heading = heading;
        this.decimals = decimals;
    }

    /** Returns the name in files. */
    public String key() {
        return key;
    }

    /** Returns the heading of its column, with the unit. */
    public String heading() {
        return heading;
    }

    /** Returns a value with separators of thousands and the decimals that count. */
    String format(double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** Returns the figure of a key; empty if there is none. */
    public static Optional<Figure> of(String key) {
        return Stream.of(values()).filter(figure -> figure.key.equals(key)).findFirst();
    }
}
