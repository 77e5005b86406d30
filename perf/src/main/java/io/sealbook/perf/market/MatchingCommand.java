package io.sealbook.perf.market;

import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What does an order cost the matching thread in a market of a given size, from its SBE bytes to its results in the
 * digest? Processor time of the thread, so that other load on the machine counts only as far as it takes the caches.
 *
 * <p>Refuted when an entry is refused, an order is not found where the flow left it, or no order traded.
 */
@Command(
        name = "matching",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the matching core's processor time per order in a market of a given size.")
public final class MatchingCommand implements Callable<Integer>, MatchingOutput {
    private static final int BATCHES_PER_BLOCK = 50;
    private static final int BLOCKS_PER_SAMPLE = 40;
    /** Samples in which blocks are slow because they are the first. */
    private static final int COLD_SAMPLES = 4;

    private static final long BLOCK_TIME_NS = 1_000_000;

    @Option(names = "--books", defaultValue = "2000", description = "Instruments.")
    private int books;

    @Option(names = "--resting", defaultValue = "500000", description = "Orders that rest, in all books together.")
    private int resting;

    @Option(names = "--brokers", defaultValue = "4", description = "Brokers that share the books and take turns.")
    private int brokers;

    @Option(names = "--batch", defaultValue = "30", description = "Orders of a batch.")
    private int batchLength;

    @Option(names = "--warm-up", defaultValue = "2000000", description = "Orders before the first that counts.")
    private long warmUp;

    @Option(names = "--orders", defaultValue = "3000000", description = "Orders that count, at least.")
    private long orders;

    @Option(names = "--seed", defaultValue = "23", description = "Of the flow; equal seeds give equal digests.")
    private long seed;

    @Option(names = "--hash-seed", defaultValue = "23", description = "Where the core places ids in memory.")
    private long hashSeed;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private MarketFlow flow;
    private MatchingCore core;
    private UnsafeBuffer[] batches;
    private long outputCount;
    private long slowestBlockNs;

    @Override
    public Integer call() throws Exception {
        flow = new MarketFlow(seed, books, resting, brokers, batchLength);
        core = new MatchingCore(flow.market(), hashSeed);
        batches = new UnsafeBuffer[BATCHES_PER_BLOCK * BLOCKS_PER_SAMPLE];
        Arrays.setAll(batches, i -> flow.newBatch());
        for (int i = 0; i < COLD_SAMPLES; i++) {
            sample();
        }
        slowestBlockNs = 0;
        while (!flow.isFull() || core.entryCount() < warmUp) {
            sample();
        }
        long slowestGrowingNs = slowestBlockNs;
        slowestBlockNs = 0;
        List<Double> samples = new ArrayList<>();
        long end = core.entryCount() + orders;
        while (core.entryCount() < end) {
            samples.add(sample());
        }
        flow.check(core);
        samples.sort(null);
        report(samples);
        out.printf(
                "slowest block of %,d orders: %.2f ms of processor time, %.2f ms while the market grew%n",
                BATCHES_PER_BLOCK * batchLength, slowestBlockNs / 1e6, slowestGrowingNs / 1e6);
        return 0;
    }

    /** Writes the next blocks, then executes them; returns ns of processor time per order of the execution. */
    private double sample() {
        long sequence = core.lastSequence();
        for (int i = 0; i < batches.length; i++) {
            flow.write(batches[i], sequence + 1 + i / BATCHES_PER_BLOCK);
        }
        long startNs = threads.getCurrentThreadCpuTime();
        long blockNs = startNs;
        for (int first = 0; first < batches.length; first += BATCHES_PER_BLOCK) {
            sequence++;
            core.beginBlock(sequence, sequence * BLOCK_TIME_NS, this);
            for (int i = 0; i < BATCHES_PER_BLOCK; i++) {
                UnsafeBuffer batch = batches[first + i];
                core.onBatch(i, batch, 0, batch.capacity());
            }
            core.endBlock();
            long nowNs = threads.getCurrentThreadCpuTime();
            slowestBlockNs = Math.max(slowestBlockNs, nowNs - blockNs);
            blockNs = nowNs;
        }
        return (blockNs - startNs) / ((double) batches.length * batchLength);
    }

    private void report(List<Double> samples) throws Exception {
        double median = samples.get(samples.size() / 2);
        double fastest = samples.get(0);
        double slowest = samples.get(samples.size() - 1);
        String label = String.format(
                Locale.ROOT, "%,d books, %,d resting orders, batches of %d", books, core.liveOrderCount(), batchLength);
        out.printf(
                "%s: %.0f ns of processor time per order (%.0f..%.0f in %d samples of %,d), %.2f outputs per order%n",
                label,
                median,
                fastest,
                slowest,
                samples.size(),
                batches.length * batchLength,
                (double) outputCount / core.entryCount());
        out.println("result digest " + core.resultDigest().hex() + " after " + core.entryCount() + " orders");
        if (!resultFile.isWanted()) {
            return;
        }
        resultFile.write(
                "The matching core in a market of " + books + " books",
                Home.find(),
                List.of("Processor time of the one thread: median, fastest and slowest of " + samples.size()
                        + " samples; results and digest included. The seed gives the result digest "
                        + core.resultDigest().hex() + "."),
                List.of(ResultRow.of(label)
                        .with(Figure.NANOS_PER_ORDER, median)
                        .with(Figure.FASTEST_NANOS_PER_ORDER, fastest)
                        .with(Figure.SLOWEST_NANOS_PER_ORDER, slowest)));
    }

    @Override
    public void onReport(ReportRecord report) {
        outputCount++;
    }

    @Override
    public void onTrade(DirectBuffer buffer, int offset, int length) {
        outputCount++;
    }
}
