package io.sealbook.engine.reports;

import com.google.protobuf.UnsafeByteOperations;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.protocol.v1.BlockReportsFrame;
import io.sealbook.vocabulary.result.BrokerDigest;
import java.util.Optional;

/** A broker's reports block by block: as runs, or as a digest over those of a block. */
final class ReportsByBlock implements ReportFeed<BlockReportsFrame> {
    private final ReportStore store;
    private final boolean areDigestsEnough;
    private final int frameReportsMax;
    private long next;
    /** Reads the runs from {@code next} on; made when they are needed. */
    private Optional<BlockRunReader> runs = Optional.empty();

    /**
     * @param store stays the caller's
     * @param from the first block sent is that of this report
     * @param areDigestsEnough whether a digest is sent in place of reports
     * @param frameReportsMax reports that are read for one frame, exceeded by less than a run or, of digests, a block
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
            int more = areDigestsEnough ? addDigest(frame, last) : addRun(frame, last);
            if (more == 0) {
                return Optional.empty();
            }
            count += more;
        }
        return Optional.of(frame.build());
    }

    /** Adds the digest of the next block; returns how many reports were read for it, at least 1, or 0 without them. */
    private int addDigest(BlockReportsFrame.Builder frame, long last) {
        Optional<BrokerDigest> remembered = store.digestOf(next);
        if (remembered.isPresent()) {
            runs = Optional.empty();
        }
        Optional<BrokerDigest> digest = remembered.or(() -> reader().flatMap(reader -> reader.digest(last)));
        if (digest.isEmpty()) {
            return 0;
        }
        next = digest.get().end();
        frame.addBlocks(BlockReports.newBuilder()
                .setFirstSequence(digest.get().firstSequence())
                .setCount(digest.get().count())
                .setDigest(UnsafeByteOperations.unsafeWrap(digest.get().digest().bytes()))
                .setIsLast(true));
        return remembered.isPresent() ? 1 : digest.get().count();
    }

    /** Adds the next run; returns how many reports it has, 0 if it is no longer kept. */
    private int addRun(BlockReportsFrame.Builder frame, long last) {
        Optional<StoredRun> taken = reader().flatMap(reader -> reader.take(last));
        if (taken.isEmpty()) {
            return 0;
        }
        StoredRun run = taken.get();
        next = run.header().end();
        frame.addBlocks(BlockReports.newBuilder()
                .setFirstSequence(run.header().first())
                .setCount(run.header().count())
                .addRuns(UnsafeByteOperations.unsafeWrap(run.bytes()))
                .setIsLast(run.isLast()));
        return run.header().count();
    }

    /** Returns the reader at the next report; empty if its block is no longer kept whole. */
    private Optional<BlockRunReader> reader() {
        if (runs.isEmpty()) {
            BlockRunReader reader = BlockRunReader.of(store);
            if (reader.moveToBlockOf(next)) {
                runs = Optional.of(reader);
            }
        }
        return runs;
    }
}
