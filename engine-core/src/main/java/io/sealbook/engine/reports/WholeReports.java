package io.sealbook.engine.reports;

import com.google.protobuf.UnsafeByteOperations;
import io.sealbook.protocol.v1.ReportFrame;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A broker's reports as whole SBE messages. */
final class WholeReports implements ReportFeed<ReportFrame> {
    private final ReportStore store;
    private final int frameReportsMax;
    private long next;

    /**
     * @param store stays the caller's
     * @param from first report wanted
     * @param frameReportsMax reports in one frame
     */
    WholeReports(ReportStore store, long from, int frameReportsMax) {
        this.store = store;
        this.frameReportsMax = frameReportsMax;
        this.next = from;
    }

    @Override
    public long next() {
        return next;
    }

    @Override
    public long last() {
        return store.last();
    }

    @Override
    public long first() {
        return store.first();
    }

    @Override
    public Optional<ReportFrame> take() {
        int wanted = (int) Math.min(frameReportsMax, store.last() - next + 1);
        ByteBuffer records = ByteBuffer.allocate(wanted * ReportStore.RECORD_LENGTH);
        int count = store.read(next, records);
        if (count == 0) {
            return Optional.empty();
        }
        ReportFrame frame = ReportFrame.newBuilder()
                .setFirstSequence(next)
                .setCount(count)
                .setReports(UnsafeByteOperations.unsafeWrap(records.flip()))
                .build();
        next += count;
        return Optional.of(frame);
    }
}
