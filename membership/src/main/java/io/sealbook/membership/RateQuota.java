package io.sealbook.membership;

import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.SetRates;

/**
 * What a broker may send per second. Immutable.
 *
 * @param ordersPerSecondMax new orders and replaces, 0..2^32 - 1; 0 without a limit
 * @param bytesPerSecondMax bytes of signed batches, 0..2^32 - 1; 0 without a limit
 */
public record RateQuota(long ordersPerSecondMax, long bytesPerSecondMax) {
    /** No limits. */
    public static final RateQuota NONE = new RateQuota(0, 0);

    private static final long MAX = 0xFFFF_FFFFL;

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public RateQuota {
        if (ordersPerSecondMax < 0 || ordersPerSecondMax > MAX || bytesPerSecondMax < 0 || bytesPerSecondMax > MAX) {
            throw new IllegalArgumentException("rates of " + ordersPerSecondMax + " orders and " + bytesPerSecondMax
                    + " bytes per second, expected 0.." + MAX);
        }
    }

    /** Returns the rates of a broker in a configuration. */
    public static RateQuota of(Broker broker) {
        return of(broker.getOrdersPerSecondMax(), broker.getBytesPerSecondMax());
    }

    static RateQuota of(SetRates change) {
        return of(change.getOrdersPerSecondMax(), change.getBytesPerSecondMax());
    }

    private static RateQuota of(int orders, int bytes) {
        return orders == 0 && bytes == 0
                ? NONE
                : new RateQuota(Integer.toUnsignedLong(orders), Integer.toUnsignedLong(bytes));
    }

    /** Returns whether nothing is limited. */
    public boolean isNone() {
        return ordersPerSecondMax == 0 && bytesPerSecondMax == 0;
    }

    /** Returns both, such as {@code 500 orders and 100000 bytes per second}. */
    @Override
    public String toString() {
        if (isNone()) {
            return "no limits per second";
        }
        String orders = ordersPerSecondMax == 0 ? "" : ordersPerSecondMax + " orders";
        String bytes = bytesPerSecondMax == 0 ? "" : bytesPerSecondMax + " bytes";
        return orders + (orders.isEmpty() || bytes.isEmpty() ? "" : " and ") + bytes + " per second";
    }
}
