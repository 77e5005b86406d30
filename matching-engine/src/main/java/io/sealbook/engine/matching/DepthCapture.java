package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.matching.MatchingCore;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Copies the best levels of the books that changed from the core to the depth board, between blocks, on the loop's thread. */
final class DepthCapture {
    private final DepthBoard board;
    private final int levelsMax;
    private final Set<Integer> changed = new LinkedHashSet<>();
    private final long[] prices;
    private final long[] quantities;
    private final int[] orderCounts;
    private int count;

    DepthCapture(DepthBoard board, int levelsMax) {
        this.board = board;
        this.levelsMax = levelsMax;
        prices = new long[levelsMax];
        quantities = new long[levelsMax];
        orderCounts = new int[levelsMax];
    }

    void onChanged(int instrumentId) {
        changed.add(instrumentId);
    }

    void onAllChanged(List<Integer> instrumentIds) {
        changed.addAll(instrumentIds);
    }

    /** Publishes what changed since the last call. */
    void publish(MatchingCore core) {
        if (changed.isEmpty()) {
            return;
        }
        for (int instrumentId : changed) {
            count = 0;
            core.bids(instrumentId, levelsMax, this::onLevel);
            DepthView.Levels bids = captured();
            count = 0;
            core.asks(instrumentId, levelsMax, this::onLevel);
            board.put(new DepthView(instrumentId, core.lastSequence(), core.lastBlockTimeNs(), bids, captured()));
        }
        changed.clear();
        board.announce();
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
