package io.sealbook.engine.persistence;

import io.sealbook.protocol.sbe.AggressorSide;

/** A trade with both its orders. Ids are unsigned, the price is in ticks. */
public record TradeRecord(
        long tradeId,
        long blockSequence,
        int outputIndex,
        long instrumentId,
        long price,
        long quantity,
        long timeNs,
        AggressorSide aggressorSide,
        long buyOrderId,
        long sellOrderId,
        long buyBrokerId,
        long sellBrokerId,
        long buyAccountId,
        long sellAccountId) {}
