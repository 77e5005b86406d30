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
import io.sealbook.protocol.sbe.RejectReason;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs one block through the core, hands on its outputs and counts them. For the loop's thread. */
final class BlockExecutor implements MatchingOutput {

    private final MatchingCore core;
    private final BlockOutput output;
    private final DepthCapture depth;
    private final UnsafeBuffer batch = new UnsafeBuffer(0, 0);

    private final long[] rejects;
    private long batches;
    private long reports;
    private long trades;
    private long orders;
    private int blockReports;
    private int blockRejects;

    BlockExecutor(MatchingCore core, Totals totals, BlockOutput output, DepthCapture depth) {
        this.core = core;
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
        output.beginBlock(committed.sequence(), block.header().blockTimeNs());
        core.beginBlock(committed.sequence(), block.header().blockTimeNs(), this);
        for (int i = 0; i < block.batchCount(); i++) {
            batch.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            core.onBatch(i, batch, 0, block.batchLength(i));
        }
        core.endBlock();
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
        int reason = report.rejectReason();
        if (reason == RejectReason.NONE.value()) {
            depth.onChanged(report.instrumentId());
        } else {
            rejects[reason]++;
            blockRejects++;
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
