package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.BrokerDigest;
import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.RunTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Packs one broker's reports in runs, and computes the digest over those of each block. A block's first report begins a
 * run. Packed reports go to the store at once. One thread.
 */
final class RunPacker {
    private final ReportStore store;
    private final RecordPacker packer = new RecordPacker(ReportStore.RECORD_LENGTH);
    private final byte[] run = new byte[RunTree.RUN_MAX * packer.packedLengthMax() + RecordPacker.SLACK];
    private final RunTree digest = new RunTree();
    private final List<PackedRun> runs = new ArrayList<>();
    private int runLength;
    private int runCount;
    private int blockCount;

    /** Takes the store, which stays the caller's. */
    RunPacker(ReportStore store) {
        this.store = store;
    }

    /**
     * Takes the next report.
     *
     * @param sequence of the report, the last one's plus 1
     * @param bytes contain the SBE message; not kept
     * @param offset where the message begins
     */
    void append(long sequence, byte[] bytes, int offset) {
        boolean isAlone = runCount == 0;
        if (isAlone) {
            packer.reset();
        }
        int from = runLength;
        runLength = packer.pack(bytes, offset, run, from);
        store.appendPacked(sequence, 1, isAlone, run, from, runLength - from);
        runCount++;
        blockCount++;
        if (runCount == RunTree.RUN_MAX) {
            closeRun(false);
        }
    }

    /** Ends a block; the store gets the digest over its reports, if there are any. */
    void endBlock() {
        if (blockCount == 0) {
            return;
        }
        if (runCount > 0) {
            closeRun(true);
        } else {
            PackedRun last = runs.removeLast();
            runs.add(new PackedRun(last.first(), last.count(), last.packed(), true));
        }
        long first = store.appended() - blockCount + 1;
        store.onBlockEnd(new BrokerDigest(store.brokerId(), first, blockCount, digest.take()), List.copyOf(runs));
        runs.clear();
        blockCount = 0;
    }

    private void closeRun(boolean isLast) {
        digest.add(run, 0, runLength);
        runs.add(new PackedRun(store.appended() - runCount + 1, runCount, Arrays.copyOf(run, runLength), isLast));
        runCount = 0;
        runLength = 0;
    }
}
