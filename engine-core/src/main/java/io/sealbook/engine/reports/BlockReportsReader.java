package io.sealbook.engine.reports;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.vocabulary.result.ReportRun;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Makes the reports of one broker in one block, in order. One run of them is in memory, however many they are. One
 * thread.
 */
final class BlockReportsReader implements Iterator<byte[]> {
    private final long block;
    private final LongFunction<Optional<byte[]>> runs;
    private final ReportMaker maker = new ReportMaker();
    private long nextRun;
    /** The next report; null after the last. */
    private byte[] next;

    private long nextExecId;

    /**
     * @param block whose reports they are
     * @param first sequence from which on reports belong to this block or to later ones
     * @param runs reads the run that begins with a report; returns nothing after the last report
     */
    BlockReportsReader(long block, long first, LongFunction<Optional<byte[]>> runs) {
        this.block = block;
        this.nextRun = first;
        this.runs = runs;
        advance();
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public byte[] next() {
        if (next == null) {
            throw new NoSuchElementException("block " + block + " has no more reports");
        }
        byte[] report = next;
        advance();
        return report;
    }

    /** Returns the ExecID of the next report, which exists: the order in which the engine made those of a block. */
    long nextExecId() {
        return nextExecId;
    }

    private void advance() {
        next = null;
        if (maker.hasNext() || beginRun()) {
            maker.next();
            next = new byte[ReportStore.RECORD_LENGTH];
            maker.get(next, 0);
            nextExecId = ReportFields.of(next).execId();
        }
    }

    private boolean beginRun() {
        Optional<byte[]> run = runs.apply(nextRun).filter(bytes -> ReportRun.block(bytes, 0) == block);
        run.ifPresent(bytes -> nextRun = maker.begin(bytes, 0, bytes.length).end());
        return run.isPresent();
    }
}
