package io.sealbook.engine.matching;

import io.sealbook.archive.Block;
import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.engine.output.BlockOutput;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import io.sealbook.matching.chain.ChainExecution;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** Runs one block through the core, hands on its outputs and counts them. For the loop's thread. */
final class BlockExecutor implements MatchingOutput {

    private final ChainExecution chain;
    private final MatchingCore core;
    private final BlockOutput output;
    private final DepthCapture depth;

    private final long[] rejects;
    private long batches;
    private long reports;
    private long trades;
    private long orders;
    private int blockReports;
    private int blockRejects;

    BlockExecutor(ChainExecution chain, Totals totals, BlockOutput output, DepthCapture depth) {
        this.chain = chain;
        this.core = chain.core();
        this.output = output;
        this.depth = depth;
        batches = totals.batches();
        orders = totals.orders();
        trades = totals.trades();
        reports = totals.reports();
        rejects = totals.rejects().clone();
    }

    /** Executes the block. Its outputs are handed on, the block not yet ended there. */
    ExecutedBlock execute(CommittedBlock committed) {
        long startNs = System.nanoTime();
        Block block = committed.block();
        blockReports = 0;
        blockRejects = 0;
        depth.beginBlock(committed.sequence(), block.header().blockTimeNs());
        output.beginBlock(committed.sequence(), block.header().blockTimeNs());
        chain.beginBlock(committed.sequence(), block.header().blockTimeNs(), this);
        for (int i = 0; i < block.batchCount(); i++) {
            chain.onBatch(i, block.array(), block.batchOffset(i), block.batchLength(i));
        }
        chain.endBlock();
        batches += block.batchCount();
        orders += core.blockEntryCount();
        trades += core.blockTradeCount();
        reports += blockReports;
        return new ExecutedBlock(
                committed.sequence(),
                block.header().blockTimeNs(),
                nowNs(),
                System.nanoTime() - startNs,
                block.batchCount(),
                core.blockEntryCount(),
                core.blockTradeCount(),
                blockReports,
                blockRejects,
                committed.hash(),
                core.resultDigest());
    }

    Totals totals() {
        return new Totals(batches, orders, trades, reports, rejects.clone());
    }

    @Override
    public void onReport(ReportRecord report) {
        output.add(report);
        blockReports++;
        if (report.isRefusal()) {
            rejects[report.rejectReason()]++;
            blockRejects++;
        } else {
            depth.onChanged(report.instrumentId());
        }
    }

    @Override
    public void onTrade(DirectBuffer buffer, int offset, int length) {
        output.add(buffer, offset, length);
    }

    @Override
    public void onRun(ResultRun run) {
        output.add(run);
    }

    private static long nowNs() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
