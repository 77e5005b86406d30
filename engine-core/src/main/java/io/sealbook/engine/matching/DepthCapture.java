package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.book.LevelSink;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
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
    private final Int2IntHashMap positions = new Int2IntHashMap(MISSING);
    private int[] instrumentIds = {};
    private boolean[] isHalted = {};
    /** By position: whether it is among the first {@link #changedCount} of {@link #changed}. */
    private boolean[] isChanged = {};

    private int[] changed = {};
    private int changedCount;
    private final LevelSink levels = this::onLevel;
    private final long[] prices;
    private final long[] quantities;
    private final int[] orderCounts;
    private int count;

    /**
     * Makes a capture without changes.
     *
     * @param board gets the depth
     * @param levelsMax levels copied of each side, at least 1
     * @param instruments of the market
     */
    DepthCapture(DepthBoard board, int levelsMax, List<Instrument> instruments) {
        this.board = board;
        this.levelsMax = levelsMax;
        prices = new long[levelsMax];
        quantities = new long[levelsMax];
        orderCounts = new int[levelsMax];
        cover(instruments);
    }

    /**
     * Goes on with further instruments, and notes those that are new, halted or traded again as changed.
     *
     * @param instruments begin with those of before
     */
    void cover(List<Instrument> instruments) {
        int before = instrumentIds.length;
        instrumentIds = Arrays.copyOf(instrumentIds, instruments.size());
        isHalted = Arrays.copyOf(isHalted, instruments.size());
        isChanged = Arrays.copyOf(isChanged, instruments.size());
        changed = Arrays.copyOf(changed, instruments.size());
        for (int position = 0; position < instruments.size(); position++) {
            Instrument instrument = instruments.get(position);
            boolean halted = instrument.getStatus() == InstrumentStatus.INSTRUMENT_HALTED;
            boolean isNews = position >= before || halted != isHalted[position];
            instrumentIds[position] = instrument.getInstrumentId();
            isHalted[position] = halted;
            positions.put(instrument.getInstrumentId(), position);
            if (isNews) {
                onChanged(instrument.getInstrumentId());
            }
        }
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

    /** Returns whether any book may differ from its published depth. */
    boolean hasChanged() {
        return changedCount > 0;
    }

    /** Publishes the changes since the last call, in the order of the first change. */
    void publish(MatchingCore core) {
        if (!hasChanged()) {
            return;
        }
        board.awaitReader();
        for (int i = 0; i < changedCount; i++) {
            int position = changed[i];
            isChanged[position] = false;
            publish(core, position);
        }
        changedCount = 0;
        board.announce();
    }

    private void publish(MatchingCore core, int position) {
        int instrumentId = instrumentIds[position];
        count = 0;
        core.bids(instrumentId, levelsMax, levels);
        DepthView.Levels bids = captured();
        count = 0;
        core.asks(instrumentId, levelsMax, levels);
        board.put(new DepthView(
                instrumentId, core.lastSequence(), core.lastBlockTimeNs(), bids, captured(), isHalted[position]));
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
