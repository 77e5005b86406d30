package io.sealbook.engine.marketdata;

import io.sealbook.protocol.sbe.AggressorSide;

/**
 * A trade as everybody may see it.
 *
 * @param price in ticks
 * @param timeNs time of its block, ns since the epoch
 */
public record TradePrintView(
        long tradeId,
        int instrumentId,
        long blockSequence,
        long timeNs,
        long price,
        long quantity,
        AggressorSide aggressorSide) {}
