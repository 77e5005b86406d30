package io.sealbook.matching.book;

/** Hears each fill of an incoming order while it is matched. */
@FunctionalInterface
public interface FillSink {
    /**
     * Takes one fill; the resting order is still in its slot, the fill already booked.
     *
     * @param slot the resting order
     * @param price the resting order's, in ticks
     * @param quantity above 0
     */
    void onFill(int slot, long price, long quantity);
}
