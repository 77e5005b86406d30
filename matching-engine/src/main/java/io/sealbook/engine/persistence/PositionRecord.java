package io.sealbook.engine.persistence;

/**
 * The quantities and values of an instrument that an account has bought and sold; values are in ticks times quantity.
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
                accountId, instrumentId, boughtQty + quantity, boughtValue + value, soldQty, soldValue, block);
    }

    PositionRecord sold(long quantity, long value, long block) {
        return new PositionRecord(
                accountId, instrumentId, boughtQty, boughtValue, soldQty + quantity, soldValue + value, block);
    }
}
