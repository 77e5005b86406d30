package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderCapture;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * The state of a core between two blocks on its way to a stream, while the core goes on: most orders are written in
 * portions, by {@link #advance}; one that a block changes is written just before. A block under another configuration
 * writes all that are left when it begins. Belongs to the thread of the core.
 *
 * <p>A stream that fails ends the snapshot, not the core: {@link #advance} throws then.
 */
public final class CoreSnapshot {
    private final OutputStream stream;
    private final SnapshotOutput out;
    private final SnapshotCodec codec;
    private final OrderCapture orders;
    private Optional<IOException> failure = Optional.empty();
    private boolean areOrdersWritten;
    private boolean isWhole;

    CoreSnapshot(SnapshotCodec codec, SnapshotCodec.Progress progress, OrderBooks books, OutputStream stream)
            throws IOException {
        this.codec = codec;
        this.stream = stream;
        this.out = new SnapshotOutput(stream);
        codec.writeHead(progress, out);
        this.orders = books.capture(this::save);
    }

    private void save(int slot, int previous) {
        if (failure.isEmpty()) {
            try {
                codec.writeOrder(slot, previous, out);
            } catch (IOException e) {
                failure = Optional.of(e);
                orders.end();
            }
        }
    }

    /**
     * Writes a portion.
     *
     * @param orderCountMax about how many orders, above 0
     * @return whether the snapshot is whole; nothing is written by further calls
     * @throws IOException if the stream has failed, in this call or since the one before
     */
    public boolean advance(int orderCountMax) throws IOException {
        if (isWhole) {
            return true;
        }
        if (!areOrdersWritten && failure.isEmpty()) {
            areOrdersWritten = orders.advance(orderCountMax);
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (areOrdersWritten) {
            stream.write(out.finish());
            isWhole = true;
        }
        return isWhole;
    }

    /** Writes all orders that are left. */
    void writeOrders() {
        if (!areOrdersWritten && failure.isEmpty()) {
            areOrdersWritten = orders.advance(Integer.MAX_VALUE);
        }
    }

    /** Gives the snapshot up unless it is whole: the stream has a part of it, and gets no more. */
    public void abandon() {
        if (!isWhole && failure.isEmpty()) {
            failure = Optional.of(new IOException("the snapshot was given up"));
            orders.end();
        }
    }
}
