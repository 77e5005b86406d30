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
                .setTimeNs(view.timeNs());
        if (view.bidPrices().length > 0) {
            best.setBidPrice(view.bidPrices()[0]).setBidQuantity(view.bidQuantities()[0]);
        }
        if (view.askPrices().length > 0) {
            best.setAskPrice(view.askPrices()[0]).setAskQuantity(view.askQuantities()[0]);
        }
        return best.build();
    }

    static Depth depth(DepthView view, int levels) {
        Depth.Builder depth = Depth.newBuilder()
                .setInstrumentId(view.instrumentId())
                .setBlockSequence(view.blockSequence())
                .setTimeNs(view.timeNs());
        for (int i = 0; i < Math.min(levels, view.bidPrices().length); i++) {
            depth.addBids(level(view.bidPrices()[i], view.bidQuantities()[i]));
        }
        for (int i = 0; i < Math.min(levels, view.askPrices().length); i++) {
            depth.addAsks(level(view.askPrices()[i], view.askQuantities()[i]));
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

    private static PriceLevel level(long price, long quantity) {
        return PriceLevel.newBuilder().setPrice(price).setQuantity(quantity).build();
    }
}
