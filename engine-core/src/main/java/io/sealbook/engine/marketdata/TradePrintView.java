package io.sealbook.engine.marketdata;

import io.sealbook.protocol.sbe.AggressorSide;

/**
 * The public part of a trade.
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
