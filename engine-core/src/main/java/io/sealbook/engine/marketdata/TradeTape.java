package io.sealbook.engine.marketdata;

import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.protocol.sbe.TradeDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The newest trades of all instruments, by trade id, which counts without gaps. It is the one bounded buffer of every
 * trade stream: each reader keeps its own position, and one that falls off the tape's end is cut.
 *
 * <p>Written by one thread of the output ring, read by any. The state that the engine starts from has trades of which
 * the tape has none; {@link #beginAfter} names the last of them. An engine that executes blocks again puts their trades
 * on the tape, although readers had them before; {@link #beginNewsAfter} names the last of these.
 */
public final class TradeTape implements OutputConsumer {
    private final AtomicReferenceArray<TradePrintView> trades;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile long lastTradeId;
    private volatile long firstTradeId = 1;
    /** 0 before it is known. */
    private volatile long firstNewsId;

    private long announcedTradeId;

    /** @param capacity trades kept */
    public TradeTape(int capacity) {
        trades = new AtomicReferenceArray<>(capacity);
    }

    /**
     * Begins the tape after the trades of the state that the engine starts from. Comes before the first trade, and
     * before readers are served.
     *
     * @param tradeId last trade of that state; 0 if it has none
     */
    public void beginAfter(long tradeId) {
        announcedTradeId = tradeId;
        // The first trade before the last one: a reader that has the new last one has the new first one, too.
        firstTradeId = tradeId + 1;
        lastTradeId = tradeId;
    }

    /**
     * Begins the news: streams have only trades after this one. Comes once the engine executes new blocks, from the
     * thread that executes them; trades before may come on the tape later.
     *
     * @param tradeId last trade that an earlier run had announced, 0 if there is none
     */
    public void beginNewsAfter(long tradeId) {
        firstNewsId = tradeId + 1;
    }

    @Override
    public void onTrade(int index, TradeDecoder trade) {
        long tradeId = trade.tradeId();
        trades.set(
                slot(tradeId),
                new TradePrintView(
                        tradeId,
                        (int) trade.instrumentId(),
                        trade.blockSequence(),
                        trade.tradeTimeNs(),
                        trade.price(),
                        trade.quantity(),
                        trade.aggressorSide()));
        lastTradeId = tradeId;
    }

    @Override
    public void onBlockEnd(BlockEnd end) {
        if (announcedTradeId != lastTradeId) {
            announcedTradeId = lastTradeId;
            listeners.forEach(Runnable::run);
        }
    }

    /** Returns whether the news have begun. */
    public boolean hasNews() {
        return firstNewsId != 0;
    }

    /** Returns the first trade of a stream that begins now: it is news, and has not come yet. */
    public long nextNewsId() {
        return Math.max(firstNewsId, lastTradeId + 1);
    }

    /** Returns the first trade that is news; 0 before they have begun. */
    public long firstNewsId() {
        return firstNewsId;
    }

    /** Returns the newest trade's id, of this process or of the state that it started from; 0 if there is none. */
    public long lastTradeId() {
        return lastTradeId;
    }

    /** Returns the oldest trade's id that is on the tape; that of the next trade if there is none. */
    public long oldestTradeId() {
        return Math.max(firstTradeId, lastTradeId - trades.length() + 1);
    }

    /** Returns a trade, empty when it has not come yet, has left the tape, or was never on it. */
    public Optional<TradePrintView> get(long tradeId) {
        TradePrintView trade = trades.get(slot(tradeId));
        return trade != null && trade.tradeId() == tradeId ? Optional.of(trade) : Optional.empty();
    }

    /**
     * Returns whether the trade has been overwritten by newer ones; of a trade before the first one of this process,
     * whether that one has.
     */
    public boolean hasLeft(long tradeId) {
        long lastOfLeft = lastTradeId - trades.length();
        return Math.max(tradeId, firstTradeId) <= lastOfLeft;
    }

    /**
     * Returns the newest trades of an instrument, newest first.
     *
     * @param instrumentId as in the genesis file
     * @param limit maximum number returned, at least 1
     */
    public List<TradePrintView> newest(int instrumentId, int limit) {
        List<TradePrintView> found = new ArrayList<>();
        for (long id = lastTradeId; id > 0 && !hasLeft(id) && found.size() < limit; id--) {
            Optional<TradePrintView> trade = get(id);
            if (trade.isEmpty()) {
                break;
            }
            if (trade.get().instrumentId() == instrumentId) {
                found.add(trade.get());
            }
        }
        return found;
    }

    /** Adds a listener that is notified on the ring's thread of new trades; it must not wait. */
    void onAnnounced(Runnable listener) {
        listeners.add(listener);
    }

    private int slot(long tradeId) {
        return (int) (tradeId % trades.length());
    }
}
