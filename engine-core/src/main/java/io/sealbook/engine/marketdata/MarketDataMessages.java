package io.sealbook.engine.marketdata;

import io.sealbook.protocol.v1.BestPrice;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.PriceLevel;
import io.sealbook.protocol.v1.TradePrint;

/** Views as protobuf messages. */
final class MarketDataMessages {
    private MarketDataMessages() {}

    /** A side without orders has price 0 and quantity 0. */
    static BestPrice bestPrice(DepthView view) {
        BestPrice.Builder best = BestPrice.newBuilder()
                .setInstrumentId(view.instrumentId())
                .setBlockSequence(view.blockSequence())
                .setTimeNs(view.timeNs())
                .setHalted(view.isHalted());
        if (view.bids().count() > 0) {
            best.setBidPrice(view.bids().prices()[0]).setBidQuantity(view.bids().quantities()[0]);
        }
        if (view.asks().count() > 0) {
            best.setAskPrice(view.asks().prices()[0]).setAskQuantity(view.asks().quantities()[0]);
        }
        return best.build();
    }

    static Depth depth(DepthView view, int levels) {
        Depth.Builder depth = Depth.newBuilder()
                .setInstrumentId(view.instrumentId())
                .setBlockSequence(view.blockSequence())
                .setTimeNs(view.timeNs())
                .setHalted(view.isHalted());
        for (int i = 0; i < Math.min(levels, view.bids().count()); i++) {
            depth.addBids(level(view.bids(), i));
        }
        for (int i = 0; i < Math.min(levels, view.asks().count()); i++) {
            depth.addAsks(level(view.asks(), i));
        }
        return depth.build();
    }

    static TradePrint tradePrint(TradePrintView trade) {
        return TradePrint.newBuilder()
                .setInstrumentId(trade.instrumentId())
                .setTradeId(trade.tradeId())
                .setBlockSequence(trade.blockSequence())
                .setTimeNs(trade.timeNs())
                .setPrice(trade.price())
                .setQuantity(trade.quantity())
                .setAggressorSide(String.valueOf((char) trade.aggressorSide().value()))
                .build();
    }

    private static PriceLevel level(DepthView.Levels side, int i) {
        return PriceLevel.newBuilder()
                .setPrice(side.prices()[i])
                .setQuantity(side.quantities()[i])
                .setOrderCount(side.orderCounts()[i])
                .build();
    }
}
