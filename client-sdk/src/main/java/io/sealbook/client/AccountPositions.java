package io.sealbook.client;

import java.util.List;

/**
 * What an account has bought and sold by the broker's orders, as f + 1 engines report it of the same block.
 *
 * @param accountId of the account
 * @param asOfBlock the end of this block
 * @param reportSequence the broker's last report up to that block: the positions are what reports 1 to this one come to
 * @param positions by instrument id; an instrument that the account has not traded has none
 */
public record AccountPositions(int accountId, long asOfBlock, long reportSequence, List<InstrumentPosition> positions) {
    /**
     * Of one instrument. A sum that exceeds 63 bits stays at {@link Long#MAX_VALUE}, which then means that much or
     * more.
     *
     * @param instrumentId of the instrument
     * @param boughtQuantity lots
     * @param boughtValue sum of price times quantity, in ticks
     * @param soldQuantity lots
     * @param soldValue sum of price times quantity, in ticks
     */
    public record InstrumentPosition(
            int instrumentId, long boughtQuantity, long boughtValue, long soldQuantity, long soldValue) {
        /** Returns bought less sold lots. */
        public long netQuantity() {
            return boughtQuantity - soldQuantity;
        }
    }

    public AccountPositions {
        positions = List.copyOf(positions);
    }
}
