package io.sealbook.consensus.testnet;

import io.sealbook.protocol.v1.Instrument;

/** Reads the command-line form of an instrument: {@code id:symbol:decimals:priceMin:priceMax:quantityMax[:keep]}. */
public final class InstrumentSpec {
    private static final String FORM = "id:symbol:decimals:priceMin:priceMax:quantityMax[:keep]";

    /** As many as a price of 64 bits has digits. */
    private static final int DECIMALS_MAX = 19;

    private InstrumentSpec() {}

    /**
     * Reads one instrument; prices are in ticks. A trailing {@code keep} lets a replace that only reduces the quantity
     * keep its place in the queue.
     *
     * @throws IllegalArgumentException if the text has another form, or more than 19 decimals
     */
    public static Instrument parse(String text) {
        String[] parts = text.split(":");
        boolean keeps = parts.length == 7 && parts[6].equals("keep");
        if (parts.length != 6 && !keeps) {
            throw new IllegalArgumentException("instrument '" + text + "': expected " + FORM);
        }
        try {
            int decimals = Integer.parseInt(parts[2]);
            if (decimals < 0 || decimals > DECIMALS_MAX) {
                throw new IllegalArgumentException(
                        "instrument '" + text + "': " + decimals + " decimals, expected 0.." + DECIMALS_MAX);
            }
            return Instrument.newBuilder()
                    .setInstrumentId(Integer.parseUnsignedInt(parts[0]))
                    .setSymbol(parts[1])
                    .setPriceDecimals(decimals)
                    .setPriceMin(Long.parseLong(parts[3]))
                    .setPriceMax(Long.parseLong(parts[4]))
                    .setQuantityMax(Long.parseLong(parts[5]))
                    .setReduceKeepsPriority(keeps)
                    .build();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("instrument '" + text + "': expected " + FORM, e);
        }
    }
}
