package io.sealbook.engine.reports;

import com.google.protobuf.UnsafeByteOperations;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.protocol.v1.BlockReportsFrame;
import io.sealbook.vocabulary.result.BrokerDigest;
import java.util.ArrayDeque;
import java.util.Optional;

/** A broker's reports block by block: packed, or a digest over those of a block in place of them. */
final class ReportsByBlock implements ReportFeed<BlockReportsFrame> {
    private final ReportStore store;
    private final boolean areDigestsEnough;
    private final int frameReportsMax;
    private long next;
    /** Of the block in hand, if it is in memory. */
    private final ArrayDeque<PackedRun> inMemory = new ArrayDeque<>();
    /** Reads the reports from files; made when some are to be sent that are not in memory. */
    private Optional<BlockRunReader> runs = Optional.empty();

    private boolean isWithinBlock;

    /**
     * @param store stays the caller's
     * @param from the first block sent is that of this report
     * @param areDigestsEnough whether a digest is sent in place of reports where it is remembered
     * @param frameReportsMax reports in one frame, exceeded by less than a run
     */
    ReportsByBlock(ReportStore store, long from, boolean areDigestsEnough, int frameReportsMax) {
        this.store = store;
        this.next = from;
        this.areDigestsEnough = areDigestsEnough;
        this.frameReportsMax = frameReportsMax;
    }

    @Override
    public long next() {
        return next;
    }

    @Override
    public long last() {
        return store.lastOfBlocks();
    }

    @Override
    public long first() {
        return store.first();
    }

    @Override
    public Optional<BlockReportsFrame> take() {
        long last = last();
        BlockReportsFrame.Builder frame = BlockReportsFrame.newBuilder();
        int count = 0;
        while (count < frameReportsMax && next <= last) {
            Optional<BrokerDigest> digest =
                    areDigestsEnough && !isWithinBlock ? store.digestOf(next) : Optional.empty();
            if (digest.isPresent()) {
                frame.addBlocks(digestOf(digest.get()));
                count++;
                continue;
            }
            Optional<PackedRun> run = run(last);
            if (run.isEmpty()) {
                return Optional.empty();
            }
            frame.addBlocks(reportsOf(run.get()));
            count += run.get().count();
        }
        return Optional.of(frame.build());
    }

    private BlockReports digestOf(BrokerDigest digest) {
        next = digest.end();
        runs = Optional.empty();
        return BlockReports.newBuilder()
                .setFirstSequence(digest.firstSequence())
                .setCount(digest.count())
                .setDigest(UnsafeByteOperations.unsafeWrap(digest.digest().bytes()))
                .setIsLast(true)
                .build();
    }

    private Optional<PackedRun> run(long last) {
        if (!isWithinBlock) {
            store.runsOf(next).ifPresent(inMemory::addAll);
        }
        if (!inMemory.isEmpty()) {
            runs = Optional.empty(); // It is before the block, and would begin with it again.
            return Optional.of(inMemory.remove());
        }
        if (runs.isEmpty()) {
            BlockRunReader reader = new BlockRunReader(store);
            if (!reader.moveToBlockOf(next)) {
                return Optional.empty();
            }
            runs = Optional.of(reader);
        }
        return runs.get().take(last);
    }

    private BlockReports reportsOf(PackedRun run) {
        next = run.end();
        isWithinBlock = !run.isLast();
        return BlockReports.newBuilder()
                .setFirstSequence(run.first())
                .setCount(run.count())
                .addRuns(UnsafeByteOperations.unsafeWrap(run.packed()))
                .setIsLast(run.isLast())
                .build();
    }
}
