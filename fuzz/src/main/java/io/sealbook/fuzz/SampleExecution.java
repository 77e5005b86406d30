package io.sealbook.fuzz;

import io.sealbook.archive.Block;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import io.sealbook.matching.chain.ChainExecution;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** What an engine makes of the sample chain. */
final class SampleExecution {
    private final List<byte[]> runs = new ArrayList<>();
    private final List<byte[]> reports = new ArrayList<>();
    private final List<byte[]> trades = new ArrayList<>();
    private final ChainExecution execution = ChainExecution.of(SampleChain.GENESIS.genesis());

    private SampleExecution(int blockCount) {
        SampleChain.blocks().stream().limit(blockCount).forEach(this::execute);
    }

    private void execute(Block block) {
        execution.beginBlock(block.header().sequence(), block.header().blockTimeNs(), new Output());
        for (int i = 0; i < block.batchCount(); i++) {
            execution.onBatch(i, block.array(), block.batchOffset(i), block.batchLength(i));
        }
        execution.endBlock();
    }

    /** Returns the runs of the broker, one for each block with orders. */
    static List<byte[]> runs() {
        return new SampleExecution(4).runs;
    }

    /** Returns reports, and reports with a trade after them. */
    static List<byte[]> messages() {
        SampleExecution executed = new SampleExecution(4);
        byte[] reports = Sealing.joined(executed.reports.toArray(byte[][]::new));
        return List.of(Sealing.joined(reports, executed.trades.getFirst()), reports);
    }

    /** Returns the state of the core while orders rest and a cancel-after runs. */
    static byte[] snapshot() {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try {
            new SampleExecution(2).execution.core().writeSnapshot(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stream.toByteArray();
    }

    /** Returns the terms after a transaction, which are in effect from the next block on. */
    static byte[] termsAfterChange() {
        return new SampleExecution(3).execution.terms().encode();
    }

    private final class Output implements MatchingOutput {
        @Override
        public void onReport(ReportRecord report) {
            byte[] bytes = new byte[ReportRecord.LENGTH];
            report.get(bytes, 0);
            reports.add(bytes);
        }

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            trades.add(bytes);
        }

        @Override
        public void onRun(ResultRun run) {
            byte[] bytes = new byte[run.length()];
            run.get(bytes, 0);
            runs.add(bytes);
        }
    }
}
