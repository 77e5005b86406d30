package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.BrokerDigest;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.RunTree;
import java.util.Optional;
import java.util.function.LongFunction;

/** Reads the runs of a store in order, each once, from the first one of a block on. One thread at a time. */
final class BlockRunReader {
    private final int brokerId;
    private final LongFunction<Optional<byte[]>> runs;
    private final RunTree tree = new RunTree();
    private long next;
    /** The run that begins with the next report, if it has been read. */
    private Optional<byte[]> ahead = Optional.empty();

    /**
     * @param brokerId whose runs they are
     * @param runs reads the run that has a report; returns nothing if it is no longer kept
     */
    BlockRunReader(int brokerId, LongFunction<Optional<byte[]>> runs) {
        this.brokerId = brokerId;
        this.runs = runs;
    }

    /** Returns a reader of a store. */
    static BlockRunReader of(ReportStore store) {
        return new BlockRunReader(
                store.brokerId(), sequence -> sequence < store.first() ? Optional.empty() : store.run(sequence));
    }

    /**
     * Goes to the first report of the block of a report.
     *
     * @return false if it is no longer kept
     */
    boolean moveToBlockOf(long sequence) {
        Optional<byte[]> run = runs.apply(sequence);
        long block = run.map(bytes -> ReportRun.block(bytes, 0)).orElse(0L);
        while (run.isPresent() && ReportRun.block(run.get(), 0) == block) {
            next = ReportRun.first(run.get(), 0);
            ahead = run;
            if (next == 1) {
                return true;
            }
            run = runs.apply(next - 1);
        }
        return run.isPresent();
    }

    /**
     * Reads the next run.
     *
     * @param last report of a whole block, at or after the next one: no later one is read
     * @return empty if it is no longer kept
     */
    Optional<StoredRun> take(long last) {
        Optional<byte[]> bytes = ahead.isPresent() ? ahead : runs.apply(next);
        ahead = Optional.empty();
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        byte[] run = bytes.get();
        ReportRun.Header header = ReportRun.header(run, 0, run.length);
        next = header.end();
        return Optional.of(new StoredRun(header, run, isLast(header, last)));
    }

    /** A run that is not full is the last of its block; after a full one the next run decides. */
    private boolean isLast(ReportRun.Header header, long last) {
        if (header.count() < ReportRun.COUNT_MAX || header.end() > last) {
            return true;
        }
        ahead = runs.apply(header.end());
        return ahead.map(following -> ReportRun.block(following, 0) != header.block())
                .orElse(false);
    }

    /**
     * Computes the digest over the reports of the next block, which it reads.
     *
     * @param last as of {@link #take}
     * @return empty if some of them are no longer kept
     */
    Optional<BrokerDigest> digest(long last) {
        long first = next;
        tree.reset();
        Optional<StoredRun> run;
        do {
            run = take(last);
            if (run.isEmpty()) {
                return Optional.empty();
            }
            tree.add(run.get().bytes());
        } while (!run.get().isLast());
        return Optional.of(new BrokerDigest(brokerId, first, (int) (next - first), tree.take()));
    }
}
