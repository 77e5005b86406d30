package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.book.LevelSink;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.Int2IntHashMap;

/**
 * Copies the best levels of the books that changed from the core to the depth board, between blocks, on the loop's
 * thread. Noting a change allocates nothing: it happens for every report.
 */
final class DepthCapture {
    private static final int MISSING = -1;

    private final DepthBoard board;
    private final int levelsMax;
    private final int[] instrumentIds;
    private final Int2IntHashMap positions;
    /** By position: whether it is among the first {@link #changedCount} of {@link #changed}. */
    private final boolean[] isChanged;

    private final int[] changed;
    private int changedCount;
    private final LevelSink levels = this::onLevel;
    private final long[] prices;
    private final long[] quantities;
    private final int[] orderCounts;
    private int count;

    /**
     * Makes a capture without changes.
     *
     * @param board has all of the instruments
     * @param levelsMax levels copied of each side, at least 1
     * @param instrumentIds every instrument of the core, each once
     */
    DepthCapture(DepthBoard board, int levelsMax, List<Integer> instrumentIds) {
        this.board = board;
        this.levelsMax = levelsMax;
        this.instrumentIds = instrumentIds.stream().mapToInt(Integer::intValue).toArray();
        this.positions = new Int2IntHashMap(MISSING);
        for (int position = 0; position < this.instrumentIds.length; position++) {
            positions.put(this.instrumentIds[position], position);
        }
        isChanged = new boolean[this.instrumentIds.length];
        changed = new int[this.instrumentIds.length];
        prices = new long[levelsMax];
        quantities = new long[levelsMax];
        orderCounts = new int[levelsMax];
    }

    /**
     * Notes that an instrument's book may differ from its published depth; ids that are no instrument's are ignored.
     */
    void onChanged(int instrumentId) {
        int position = positions.get(instrumentId);
        if (position != MISSING && !isChanged[position]) {
            isChanged[position] = true;
            changed[changedCount++] = position;
        }
    }

    void onAllChanged() {
        for (int instrumentId : instrumentIds) {
            onChanged(instrumentId);
        }
    }

    /** Publishes the changes since the last call, in the order of the first change. */
    void publish(MatchingCore core) {
        if (changedCount == 0) {
            return;
        }
        for (int i = 0; i < changedCount; i++) {
            int position = changed[i];
            isChanged[position] = false;
            publish(core, instrumentIds[position]);
        }
        changedCount = 0;
        board.announce();
    }

    private void publish(MatchingCore core, int instrumentId) {
        count = 0;
        core.bids(instrumentId, levelsMax, levels);
        DepthView.Levels bids = captured();
        count = 0;
        core.asks(instrumentId, levelsMax, levels);
        board.put(new DepthView(instrumentId, core.lastSequence(), core.lastBlockTimeNs(), bids, captured()));
    }

    private DepthView.Levels captured() {
        return new DepthView.Levels(
                Arrays.copyOf(prices, count), Arrays.copyOf(quantities, count), Arrays.copyOf(orderCounts, count));
    }

    private void onLevel(long price, long quantity, int orderCount) {
        prices[count] = price;
        quantities[count] = quantity;
        orderCounts[count] = orderCount;
        count++;
    }
}
