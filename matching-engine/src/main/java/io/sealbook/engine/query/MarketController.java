package io.sealbook.engine.query;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.engine.marketdata.TradePrintView;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.persistence.TradeRecord;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Instruments, their depth and their trades. Prices are in ticks; an instrument's priceDecimals is the number of
 * decimal places.
 */
@RestController
class MarketController {
    private final AgreedMarket market;
    private final DepthBoard board;
    private final TradeTape tape;
    private final BooksAccess books;
    private final int levelsMax;

    MarketController(
            AgreedMarket market, DepthBoard board, TradeTape tape, BooksAccess books, EngineSettings settings) {
        this.market = market;
        this.board = board;
        this.tape = tape;
        this.books = books;
        levelsMax = settings.marketData().levelsMax();
    }

    /** @param status TRADING or HALTED */
    record InstrumentView(
            long instrumentId,
            String symbol,
            int priceDecimals,
            long priceMin,
            long priceMax,
            long quantityMax,
            String status) {}

    record LevelView(long price, long quantity, int orderCount) {}

    /** @param status TRADING or HALTED */
    record DepthAnswer(
            long instrumentId,
            long blockSequence,
            long timeNs,
            List<LevelView> bids,
            List<LevelView> asks,
            String status) {}

    /** @param aggressorSide BUY, SELL or NEITHER */
    record TradeView(
            long tradeId,
            long instrumentId,
            long blockSequence,
            long timeNs,
            long price,
            long quantity,
            String aggressorSide) {
        static TradeView of(TradePrintView trade) {
            return new TradeView(
                    trade.tradeId(),
                    Integer.toUnsignedLong(trade.instrumentId()),
                    trade.blockSequence(),
                    trade.timeNs(),
                    trade.price(),
                    trade.quantity(),
                    trade.aggressorSide().name());
        }

        static TradeView of(TradeRecord trade) {
            return new TradeView(
                    trade.tradeId(),
                    trade.instrumentId(),
                    trade.blockSequence(),
                    trade.timeNs(),
                    trade.price(),
                    trade.quantity(),
                    trade.aggressorSide().name());
        }
    }

    @GetMapping("/api/instruments")
    List<InstrumentView> instruments() {
        return market.present().getInstrumentsList().stream()
                .map(instrument -> new InstrumentView(
                        Integer.toUnsignedLong(instrument.getInstrumentId()),
                        instrument.getSymbol(),
                        instrument.getPriceDecimals(),
                        instrument.getPriceMin(),
                        instrument.getPriceMax(),
                        instrument.getQuantityMax(),
                        status(instrument.getStatus() == InstrumentStatus.INSTRUMENT_HALTED)))
                .toList();
    }

    /** Returns the book as of the last block that changed it; 409 if that is before the wanted block. */
    @GetMapping("/api/depth/{instrument}")
    DepthAnswer depth(
            @PathVariable String instrument,
            @RequestParam(defaultValue = "10") int levels,
            @RequestParam(defaultValue = "0") long fromBlock) {
        int instrumentId = instrument(instrument);
        if (levels < 1 || levels > levelsMax) {
            throw Requests.badRequest("levels is " + levels + ", expected 1.." + levelsMax);
        }
        DepthView view = board.of(instrumentId).orElseThrow();
        if (view.blockSequence() < fromBlock) {
            throw Requests.conflict("the depth of instrument " + instrument + " is of block " + view.blockSequence()
                    + ", before block " + fromBlock);
        }
        return new DepthAnswer(
                Integer.toUnsignedLong(instrumentId),
                view.blockSequence(),
                view.timeNs(),
                side(view.bids(), levels),
                side(view.asks(), levels),
                status(view.isHalted()));
    }

    private static String status(boolean isHalted) {
        return isHalted ? "HALTED" : "TRADING";
    }

    /**
     * Returns the newest trades, from memory as far as they reach, then from the database. It returns those in memory
     * without a database, if it does not answer, and while it lacks a trade that is in memory no more.
     */
    @GetMapping("/api/trades")
    List<TradeView> trades(@RequestParam String instrument, @RequestParam(defaultValue = "100") int limit) {
        int instrumentId = instrument(instrument);
        List<TradeView> trades = new ArrayList<>();
        tape.newest(instrumentId, Requests.limit(limit)).forEach(trade -> trades.add(TradeView.of(trade)));
        // After the trades were taken: the tape goes on, and the database must reach what they reach back to.
        long lastBefore = tape.oldestTradeId() - 1;
        if (trades.size() < limit && (lastBefore > 0 || tape.lastTradeId() == 0)) {
            long before = trades.isEmpty() ? Long.MAX_VALUE : trades.getLast().tradeId();
            books.ask(known -> Optional.of(known.trades(
                            Integer.toUnsignedLong(instrumentId), before, limit - trades.size(), lastBefore)))
                    .orElse(List.of())
                    .forEach(trade -> trades.add(TradeView.of(trade)));
        }
        return trades;
    }

    private int instrument(String text) {
        int instrumentId = (int) Requests.id("instrument", text);
        if (!market.hasInstrument(instrumentId)) {
            throw Requests.notFound("instrument " + text + " does not exist");
        }
        return instrumentId;
    }

    private static List<LevelView> side(DepthView.Levels shown, int levels) {
        List<LevelView> side = new ArrayList<>();
        for (int i = 0; i < Math.min(levels, shown.count()); i++) {
            side.add(new LevelView(shown.prices()[i], shown.quantities()[i], shown.orderCounts()[i]));
        }
        return side;
    }
}
