package io.sealbook.engine.persistence;

import static io.sealbook.protocol.report.Position.sum;

import io.sealbook.protocol.report.Position;

/**
 * The quantities and values of an instrument that an account has bought and sold; values are in ticks times quantity. A
 * sum stays at {@link Long#MAX_VALUE} as in {@link Position}.
 */
public record PositionRecord(
        long accountId,
        long instrumentId,
        long boughtQty,
        long boughtValue,
        long soldQty,
        long soldValue,
        long updatedBlock) {

    public long netQty() {
        return boughtQty - soldQty;
    }

    PositionRecord bought(long quantity, long value, long block) {
        return new PositionRecord(
                accountId, instrumentId, sum(boughtQty, quantity), sum(boughtValue, value), soldQty, soldValue, block);
    }

    PositionRecord sold(long quantity, long value, long block) {
        return new PositionRecord(
                accountId, instrumentId, boughtQty, boughtValue, sum(soldQty, quantity), sum(soldValue, value), block);
    }
}
