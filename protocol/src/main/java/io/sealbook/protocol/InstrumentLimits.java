package io.sealbook.protocol;

import static io.sealbook.protocol.GenesisRules.require;

import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;

/**
 * The rule that engines can hold the instruments, and that neither the value of a trade nor the quantity of all live
 * orders exceeds 63 bits. Sums over trades may: see {@link io.sealbook.protocol.report.Position}.
 */
final class InstrumentLimits {
    private static final int PRICES_PER_PAGE = 64;

    private InstrumentLimits() {}

    /**
     * Checks the instruments of a configuration, whose prices and quantities are positive.
     *
     * @throws IllegalArgumentException if an engine cannot hold them; the message names the numbers
     */
    static void check(Genesis genesis) {
        long orders = Integer.toUnsignedLong(genesis.getParameters().getLiveOrderCountMax());
        long sum = 0;
        for (Instrument instrument : genesis.getInstrumentsList()) {
            String name = "instrument " + Integer.toUnsignedString(instrument.getInstrumentId());
            long prices = instrument.getPriceMax() - instrument.getPriceMin() + 1;
            require(
                    prices <= GenesisFile.PRICE_COUNT_MAX,
                    name + ": " + prices + " admitted prices, at most " + GenesisFile.PRICE_COUNT_MAX);
            require(
                    instrument.getQuantityMax() <= Long.MAX_VALUE / instrument.getPriceMax(),
                    name + ": priceMax " + instrument.getPriceMax() + " times quantityMax "
                            + instrument.getQuantityMax() + " exceeds 63 bits");
            require(
                    instrument.getQuantityMax() <= Long.MAX_VALUE / Math.max(1, orders),
                    name + ": quantityMax " + instrument.getQuantityMax() + " times liveOrderCountMax " + orders
                            + " exceeds 63 bits");
            sum += (prices + PRICES_PER_PAGE - 1) / PRICES_PER_PAGE * PRICES_PER_PAGE;
        }
        require(
                sum <= GenesisFile.PRICE_SUM_MAX,
                "the instruments admit too many prices together: " + sum + ", at most " + GenesisFile.PRICE_SUM_MAX);
    }
}
