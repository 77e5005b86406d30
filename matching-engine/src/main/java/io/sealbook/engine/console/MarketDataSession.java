package io.sealbook.engine.console;

import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.engine.marketdata.TradePrintView;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription of one WebSocket client: one instrument, a number of levels. At most one message is on its way;
 * meanwhile depth is conflated and trades wait on the tape, whose end cuts the subscription: the client is to blame if
 * a trade left while a message was on its way, this engine otherwise. Nothing is sent before the engine executes new
 * blocks. Used by the sending thread only, but for {@link #subscribe} and {@link #tell}.
 */
final class MarketDataSession {
    private static final Logger log = LoggerFactory.getLogger(MarketDataSession.class);

    private static final int PROBLEMS_MAX = 16;

    private final Session session;
    private final AtomicBoolean isSending = new AtomicBoolean();
    private final AtomicBoolean isPinging = new AtomicBoolean();
    /** Messages that the sender sends before the next update. */
    private final BlockingQueue<String> problems = new ArrayBlockingQueue<>(PROBLEMS_MAX);

    /** The client's newest. */
    private volatile Subscription subscription;
    /** The one that the last message was made for. Of the sender, or of the thread that notes that it was taken. */
    private Subscription served;

    /** A subscription and how far it has been served. */
    private static final class Subscription {
        final int instrumentId;
        final int levels;
        DepthView sent;
        long nextTradeId;
        /** Whether a trade left the tape while the client did not take a message. */
        volatile boolean isClientLate;

        Subscription(int instrumentId, int levels, long nextTradeId) {
            this.instrumentId = instrumentId;
            this.levels = levels;
            this.nextTradeId = nextTradeId;
        }

        /** Goes on where another one has been served to. */
        void takeOver(Subscription before) {
            nextTradeId = before.nextTradeId;
            isClientLate = before.isClientLate;
        }
    }

    /** A message to a client; parts without news are null. */
    record Update(String type, long instrumentId, BestPrice bestPrice, Depth depth, List<Trade> trades) {}

    record Level(long price, long quantity, int orderCount) {}

    /** A side without orders is null. */
    record BestPrice(Level bid, Level ask) {}

    /** @param isHalted whether the instrument takes only cancels */
    record Depth(long blockSequence, long timeNs, List<Level> bids, List<Level> asks, boolean isHalted) {}

    record Trade(long tradeId, long blockSequence, long timeNs, long price, long quantity, String aggressorSide) {}

    MarketDataSession(Session session) {
        this.session = session;
    }

    /**
     * Takes the place of the subscription before. One of the same instrument goes on where that one is: the trades that
     * wait are not lost.
     *
     * @param instrumentId of the market
     * @param levels of each side that are sent
     * @param nextTradeId from which on the client gets the trades of another instrument
     */
    void subscribe(int instrumentId, int levels, long nextTradeId) {
        subscription = new Subscription(instrumentId, levels, nextTradeId);
    }

    /** Sends the client an error after the messages before it. Any thread. */
    void tell(String problem) {
        if (!problems.offer(problem)) {
            close(CloseReason.CloseCodes.VIOLATED_POLICY, PROBLEMS_MAX + " errors wait to be read");
        }
    }

    /**
     * Sends what is new, if the last message has gone out. The sender's thread only: two texts at once are one too
     * many.
     */
    void send(MarketDataSessions source) {
        if (isSending.get()) {
            return;
        }
        String problem = problems.poll();
        if (problem != null) {
            send(problem, source);
            return;
        }
        Subscription current = current(source);
        if (current == null) {
            return;
        }
        if (source.tape().hasLeft(current.nextTradeId)) {
            close(
                    CloseReason.CloseCodes.TRY_AGAIN_LATER,
                    current.isClientLate ? "too slow" : "the engine sends too slowly");
            return;
        }
        DepthView view = source.board().of(current.instrumentId).orElseThrow();
        List<Trade> trades = newTrades(source, current);
        if (view == current.sent && trades.isEmpty()) {
            return;
        }
        boolean isChanged = view != current.sent;
        current.sent = view;
        String update = source.json(new Update(
                "update",
                Integer.toUnsignedLong(current.instrumentId),
                isChanged ? bestPrice(view) : null,
                isChanged ? depth(view, current.levels) : null,
                trades.isEmpty() ? null : trades));
        send(update, source);
    }

    /** Returns the subscription to be served; null if there is none, or the engine executes blocks again. */
    private Subscription current(MarketDataSessions source) {
        Subscription current = subscription;
        if (current == null || !source.tape().hasNews()) {
            return null;
        }
        if (current != served) {
            if (served != null && served.instrumentId == current.instrumentId) {
                current.takeOver(served);
            }
            served = current;
        }
        current.nextTradeId = Math.max(current.nextTradeId, source.tape().firstNewsId());
        return current;
    }

    private void send(String text, MarketDataSessions source) {
        isSending.set(true);
        try {
            session.getAsyncRemote().sendText(text, result -> {
                noteTaken(source);
                isSending.set(false);
                if (!result.isOK()) {
                    log.debug(
                            "WebSocket session {}: {}",
                            session.getId(),
                            result.getException().toString());
                }
            });
        } catch (IllegalStateException closed) {
            log.debug("WebSocket session {} is closed: {}", session.getId(), closed.getMessage());
        }
    }

    /** Any thread; the sender changes nothing before the message has been taken. */
    private void noteTaken(MarketDataSessions source) {
        Subscription waiting = current(source);
        if (waiting != null && source.tape().hasLeft(waiting.nextTradeId)) {
            waiting.isClientLate = true;
        }
    }

    /**
     * Asks the client for a sign of life, unless the last question is still on its way. Never waits: a client that
     * reads nothing holds a virtual thread until the time of the container is over, and loses its connection.
     */
    void ping() {
        if (!isPinging.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name("websocket-ping").start(() -> {
            try {
                session.getBasicRemote().sendPing(ByteBuffer.allocate(0));
            } catch (IOException | IllegalStateException failure) {
                log.debug("WebSocket session {}: no ping: {}", session.getId(), failure.toString());
                close(CloseReason.CloseCodes.GOING_AWAY, "cannot send");
            } finally {
                isPinging.set(false);
            }
        });
    }

    void close(CloseReason.CloseCode code, String reason) {
        try {
            session.close(new CloseReason(code, reason));
        } catch (IOException e) {
            log.debug("WebSocket session {}: {}", session.getId(), e.toString());
        }
    }

    private static List<Trade> newTrades(MarketDataSessions source, Subscription current) {
        List<Trade> trades = new ArrayList<>();
        long last = source.tape().lastTradeId();
        while (current.nextTradeId <= last) {
            TradePrintView trade = source.tape().get(current.nextTradeId).orElse(null);
            if (trade == null) {
                break;
            }
            if (trade.instrumentId() == current.instrumentId) {
                trades.add(new Trade(
                        trade.tradeId(),
                        trade.blockSequence(),
                        trade.timeNs(),
                        trade.price(),
                        trade.quantity(),
                        trade.aggressorSide().name()));
            }
            current.nextTradeId++;
        }
        return trades;
    }

    private static BestPrice bestPrice(DepthView view) {
        return new BestPrice(first(view.bids()), first(view.asks()));
    }

    private static Level first(DepthView.Levels side) {
        return side.count() == 0 ? null : level(side, 0);
    }

    private static Level level(DepthView.Levels side, int i) {
        return new Level(side.prices()[i], side.quantities()[i], side.orderCounts()[i]);
    }

    private static Depth depth(DepthView view, int levels) {
        return new Depth(
                view.blockSequence(),
                view.timeNs(),
                side(view.bids(), levels),
                side(view.asks(), levels),
                view.isHalted());
    }

    private static List<Level> side(DepthView.Levels shown, int levels) {
        List<Level> side = new ArrayList<>();
        for (int i = 0; i < Math.min(levels, shown.count()); i++) {
            side.add(level(shown, i));
        }
        return side;
    }
}
