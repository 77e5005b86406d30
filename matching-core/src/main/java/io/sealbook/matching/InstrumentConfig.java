package io.sealbook.matching;

import io.sealbook.matching.book.PriceRange;
import io.sealbook.protocol.GenesisFile;

/**
 * An instrument that may be traded, and its limits. Immutable.
 *
 * @param instrumentId SecurityID(48), unsigned, not 0
 * @param symbol shown to people, enters no decision
 * @param priceDecimals decimal places of one tick when shown to people
 * @param priceMin lowest admitted price in ticks, at least 1
 * @param priceMax highest admitted price in ticks, inclusive
 * @param quantityMax largest admitted order quantity
 * @param reduceKeepsPriority whether a replace that neither changes the price nor raises the quantity keeps its place
 * @param isHalted whether new orders and replaces are refused with INSTRUMENT_HALTED; resting orders stay
 */
public record InstrumentConfig(
        int instrumentId,
        String symbol,
        int priceDecimals,
        long priceMin,
        long priceMax,
        long quantityMax,
        boolean reduceKeepsPriority,
        boolean isHalted) {
    /** Admitted prices of one instrument; its page directory costs 8 bytes per 64 of them. */
    public static final int PRICE_COUNT_MAX = GenesisFile.PRICE_COUNT_MAX;

    /**
     * Checks the limits against each other.
     *
     * @throws IllegalArgumentException if a limit is out of range or the value of the largest order at the highest
     *     price exceeds 63 bits
     */
    public InstrumentConfig {
        String name = "instrument " + Integer.toUnsignedString(instrumentId);
        Require.that(instrumentId != 0, name + ": id is 0");
        Require.that(symbol != null, name + ": has no symbol");
        Require.that(0 < priceMin && priceMin <= priceMax, name + ": prices " + priceMin + ".." + priceMax);
        Require.that(
                priceMax - priceMin < PRICE_COUNT_MAX,
                name + ": " + (priceMax - priceMin + 1) + " admitted prices, at most " + PRICE_COUNT_MAX);
        Require.that(quantityMax > 0, name + ": quantityMax " + quantityMax);
        Require.that(
                quantityMax <= Long.MAX_VALUE / priceMax,
                name + ": priceMax " + priceMax + " times quantityMax " + quantityMax + " exceeds 63 bits");
    }

    /**
     * Makes an instrument that is traded.
     *
     * @param instrumentId unsigned, not 0
     * @param symbol shown to people
     * @param priceDecimals decimal places of one tick when shown to people
     * @param priceMin lowest admitted price in ticks, at least 1
     * @param priceMax highest admitted price in ticks, inclusive
     * @param quantityMax largest admitted order quantity
     * @param reduceKeepsPriority whether a replace that only reduces the quantity keeps its place
     */
    public InstrumentConfig(
            int instrumentId,
            String symbol,
            int priceDecimals,
            long priceMin,
            long priceMax,
            long quantityMax,
            boolean reduceKeepsPriority) {
        this(instrumentId, symbol, priceDecimals, priceMin, priceMax, quantityMax, reduceKeepsPriority, false);
    }

    /** Returns the admitted prices, 1..{@link #PRICE_COUNT_MAX} of them. */
    public PriceRange prices() {
        return new PriceRange(priceMin, priceMax);
    }
}
