package io.sealbook.engine.history;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockWindow;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.order.OrderSearch;
import io.sealbook.engine.history.OrderBegins.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;

/**
 * One search, from the newest block of its window back, until the order's first entry, the window's begin, a number of
 * bytes, or {@link #ENTRIES_MAX}: a broker may send one ClOrdID again and again. A block whose entries do not fit
 * beside those of later ones is left to the next search; of one that alone has more, the newest are returned. One
 * thread.
 */
final class HistorySearch implements OrderSearch.Listener {
    /** Entries of one answer, at most: a few MB. */
    static final int ENTRIES_MAX = 4_096;

    private static final Comparator<ArchivedOrder> OLDEST_FIRST = Comparator.comparingLong(
                    (ArchivedOrder order) -> order.place().sequence())
            .thenComparingInt(order -> order.place().batchIndex())
            .thenComparingInt(order -> order.place().orderIndex());
    private static final byte NEW = 'D';

    private final ArchiveReader archive;
    private final OrderQuery query;
    private final List<ArchivedOrder> entries = new ArrayList<>();
    /** The newest of the block that is searched. */
    private final ArrayDeque<ArchivedOrder> ofBlock = new ArrayDeque<>();

    private final List<Long> unreadable = new ArrayList<>();
    private final LongFunction<Outcome> begins;
    private boolean isEntered;
    private boolean isCut;

    /**
     * Makes a search that takes the newest entry of an order for its first one, whether it was accepted or not.
     *
     * @param archive stays the caller's
     * @param query which order
     */
    HistorySearch(ArchiveReader archive, OrderQuery query) {
        this(archive, query, block -> Outcome.ACCEPTED);
    }

    /**
     * @param archive stays the caller's
     * @param query which order
     * @param begins whether the order begins in a block that enters it: the search goes on past one that was refused,
     *     and ends without its begin at one whose outcome is not known
     */
    HistorySearch(ArchiveReader archive, OrderQuery query, LongFunction<Outcome> begins) {
        this.archive = archive;
        this.query = query;
        this.begins = begins;
    }

    /**
     * Runs the search.
     *
     * @param window which blocks
     * @param bytesMax the search ends with the block that reaches this number of bytes read; opening the archive counts
     */
    OrderHistory run(BlockWindow window, long bytesMax) {
        long first = window.first(archive);
        long last = window.last(archive);
        OrderSearch search = new OrderSearch(archive);
        // At most half, so that each search gets on.
        long bytes = Math.min(archive.scannedBytes(), bytesMax / 2);
        long sequence = last;
        Outcome begin = Outcome.REFUSED;
        while (sequence >= first && bytes < bytesMax && begin == Outcome.REFUSED && !isCut) {
            ofBlock.clear();
            isEntered = false;
            search.search(sequence, sequence, query, this);
            if (!entries.isEmpty() && entries.size() + ofBlock.size() > ENTRIES_MAX) {
                isCut = true;
            } else {
                entries.addAll(ofBlock);
                bytes += bytesRead(sequence);
                begin = isEntered ? begins.apply(sequence) : begin;
                sequence--;
            }
        }
        entries.sort(OLDEST_FIRST);
        boolean isComplete = !isCut && (begin == Outcome.ACCEPTED || sequence < first);
        return new OrderHistory(List.copyOf(entries), sequence + 1, last, isComplete, unreadable);
    }

    /** Returns the length of a block that was searched; 0 if its index entry is damaged, so that it was not read. */
    private int bytesRead(long sequence) {
        try {
            return archive.facts(sequence).map(BlockFacts::length).orElse(0);
        } catch (BlockDamagedException e) {
            return 0;
        }
    }

    @Override
    public void onOrder(ArchivedOrder order) {
        if (ofBlock.size() == ENTRIES_MAX) {
            ofBlock.removeFirst();
            isCut = true;
        }
        ofBlock.addLast(order);
        isEntered |=
                order.fields().clOrdId() == query.clOrdId() && order.fields().action() == NEW;
    }

    @Override
    public void onUnreadable(long sequence, String fact) {
        unreadable.add(sequence);
    }

    @Override
    public void onSearched(long sequence) {
        // Progress is of no use to a request that is answered at its end.
    }
}
