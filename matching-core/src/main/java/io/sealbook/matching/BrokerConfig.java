package io.sealbook.matching;

import io.sealbook.protocol.AccountRanges;

/**
 * A broker that may trade. Immutable.
 *
 * @param brokerId unsigned, not 0
 * @param accounts the only ones that its entries may name
 * @param liveOrderCountMax orders that it may have at rest at once, at least 1; one more is refused with
 *     LIVE_ORDER_QUOTA
 */
public record BrokerConfig(int brokerId, AccountRanges accounts, int liveOrderCountMax) {
    public BrokerConfig {
        Require.that(brokerId != 0, "a broker has id 0");
        String name = "broker " + Integer.toUnsignedString(brokerId);
        Require.that(accounts != null, name + " has no accounts");
        Require.that(liveOrderCountMax > 0, name + ": liveOrderCountMax " + liveOrderCountMax);
    }

    /**
     * Returns a broker with a quota that no market reaches.
     *
     * @param brokerId unsigned, not 0
     * @param accounts the only ones that its entries may name
     */
    public static BrokerConfig of(int brokerId, AccountRanges accounts) {
        return new BrokerConfig(brokerId, accounts, MarketConfig.LIVE_ORDER_COUNT_MAX);
    }

    /** Returns a broker that may trade for any account, as no broker of a genesis file may, and without a quota. */
    public static BrokerConfig of(int brokerId) {
        return of(brokerId, AccountRanges.ALL);
    }
}
