package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.engine.snapshot.BookChange;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.book.LevelSink;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.Int2IntHashMap;

/**
 * Copies the best levels of the books that changed from the core to the depth board, between blocks, on the loop's
 * thread. Each depth has the block that changed the book last, whenever it is published: engines that publish at
 * different moments say the same of one state. Noting a change allocates nothing: it happens for every report.
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

    /** By position: the last block that changed the book or the status; 0 if none has. */
    private long[] changeBlocks = {};

    private long[] changeTimesNs = {};
    private long block;
    private long timeNs;

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
        changeBlocks = Arrays.copyOf(changeBlocks, instruments.size());
        changeTimesNs = Arrays.copyOf(changeTimesNs, instruments.size());
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
     * Takes over the last change of each book from the state that an engine starts with.
     *
     * @param changes of all books; empty if the state does not have them
     * @param sequence last block of the state; that of each change if there are none
     * @param blockTimeNs its time, ns since the epoch
     */
    void restore(List<BookChange> changes, long sequence, long blockTimeNs) {
        if (changes.isEmpty()) {
            Arrays.fill(changeBlocks, sequence);
            Arrays.fill(changeTimesNs, timeOf(sequence, blockTimeNs));
        }
        for (BookChange change : changes) {
            int position = positions.get(change.instrumentId());
            if (position != MISSING) {
                changeBlocks[position] = change.blockSequence();
                changeTimesNs[position] = timeOf(change.blockSequence(), change.timeNs());
            }
        }
    }

    /** A book that no block has changed has no time: not that of a market before its first block. */
    private static long timeOf(long sequence, long blockTimeNs) {
        return sequence == 0 ? 0 : blockTimeNs;
    }

    /** Returns the last change of each book. */
    List<BookChange> changes() {
        List<BookChange> changes = new ArrayList<>(instrumentIds.length);
        for (int position = 0; position < instrumentIds.length; position++) {
            changes.add(new BookChange(instrumentIds[position], changeBlocks[position], changeTimesNs[position]));
        }
        return changes;
    }

    /**
     * Begins the block to which the changes belong that are noted next.
     *
     * @param sequence of the block
     * @param blockTimeNs its time, ns since the epoch
     */
    void beginBlock(long sequence, long blockTimeNs) {
        block = sequence;
        timeNs = blockTimeNs;
    }

    /** Notes that the block has changed an instrument's book or status; ids that are no instrument's are ignored. */
    void onChanged(int instrumentId) {
        int position = positions.get(instrumentId);
        if (position != MISSING) {
            changeBlocks[position] = block;
            changeTimesNs[position] = timeNs;
            toPublish(position);
        }
    }

    /** Has all books published next. */
    void publishAll() {
        for (int position = 0; position < instrumentIds.length; position++) {
            toPublish(position);
        }
    }

    private void toPublish(int position) {
        if (!isChanged[position]) {
            isChanged[position] = true;
            changed[changedCount++] = position;
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
                instrumentId, changeBlocks[position], changeTimesNs[position], bids, captured(), isHalted[position]));
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
