package io.sealbook.archive.order;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.BlockSource;
import io.sealbook.archive.MalformedBlockException;
import java.util.Optional;

/**
 * Searches blocks for orders, from the oldest to the newest, so that an order comes before its cancel. It reads every
 * block of the range: the archive keeps no index by order. A range of time narrows it, see {@link #firstAtOrAfter}. One
 * thread for each search; the source stays the caller's.
 */
public final class OrderSearch {
    private final BlockSource source;
    private final BlockOrders orders = new BlockOrders();

    public OrderSearch(BlockSource source) {
        this.source = source;
    }

    /** Is notified while a search runs, on its thread. */
    public interface Listener {
        /** An order that the query asks for. */
        void onOrder(ArchivedOrder order);

        /**
         * A block could not be read: the search cannot say that an order is not in it.
         *
         * @param sequence of the block
         * @param fact what is wrong with it; names the block
         */
        void onUnreadable(long sequence, String fact);

        /** A block has been searched, or could not be. */
        void onSearched(long sequence);
    }

    /**
     * Searches a range of blocks.
     *
     * @param from first block; a block that the source no longer has is passed over
     * @param to last block, included; the source's last if that is lower
     * @param query which orders
     * @param listener is notified of each
     */
    public void search(long from, long to, OrderQuery query, Listener listener) {
        long last = Math.min(to, source.lastSequence());
        for (long sequence = Math.max(from, source.firstSequence()); sequence <= last; sequence++) {
            try {
                source.read(sequence).ifPresent(bytes -> orders.matching(Block.wrap(bytes), query, listener::onOrder));
            } catch (BlockDamagedException e) {
                listener.onUnreadable(sequence, e.getMessage());
            } catch (MalformedBlockException e) {
                listener.onUnreadable(sequence, "block " + sequence + ": " + e.getMessage());
            }
            listener.onSearched(sequence);
        }
    }

    /**
     * Returns the first block whose time is not before an instant. Block times never decrease, so that it takes about
     * as many reads as the number of blocks has binary digits.
     *
     * @param timeNs nanoseconds since 1970
     * @return {@code lastSequence() + 1} if all blocks are earlier
     */
    public long firstAtOrAfter(long timeNs) {
        long low = source.firstSequence();
        long high = source.lastSequence() + 1;
        while (low < high) {
            long middle = low + (high - low) / 2;
            long readable = middle;
            Optional<Long> time = time(readable);
            while (time.isEmpty() && readable + 1 < high) {
                readable++;
                time = time(readable);
            }
            if (time.isPresent() && time.get() < timeNs) {
                low = readable + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the time of a block; empty if it cannot be read. */
    private Optional<Long> time(long sequence) {
        try {
            return source.read(sequence).map(bytes -> Block.wrap(bytes).header().blockTimeNs());
        } catch (BlockDamagedException | MalformedBlockException e) {
            return Optional.empty();
        }
    }
}
