package io.sealbook.engine.history;

import io.sealbook.archive.order.ArchivedOrder;
import java.util.List;

/**
 * What a search of the blocks found.
 *
 * @param entries the order, its cancels and its replaces, the oldest first; at most {@link HistorySearch#ENTRIES_MAX}
 * @param searchedFrom first block that was searched; after {@code searchedTo} if there was none
 * @param searchedTo last block that was searched
 * @param isComplete whether the search reached the order's first entry or the begin of its window; false if it ended at
 *     its limit, or at an entry whose outcome is not known, so that earlier blocks may hold more
 * @param unreadable blocks of the window that the disk has damaged
 */
record OrderHistory(
        List<ArchivedOrder> entries, long searchedFrom, long searchedTo, boolean isComplete, List<Long> unreadable) {}
