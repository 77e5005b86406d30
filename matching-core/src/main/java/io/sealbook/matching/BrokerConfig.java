package io.sealbook.matching;

import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;

/**
 * A broker of the market. Immutable.
 *
 * @param brokerId unsigned, not 0
 * @param accounts the only ones that its entries may name
 * @param liveOrderCountMax orders that it may have at rest at once, at least 1; one more is refused with
 *     LIVE_ORDER_QUOTA
 * @param status what it may do
 * @param keys with which its batches may be signed; others are refused with KEY_NOT_IN_EFFECT
 * @param rates what it may have executed per second of block time; what is beyond is refused with RATE_QUOTA
 */
public record BrokerConfig(
        int brokerId,
        AccountRanges accounts,
        int liveOrderCountMax,
        BrokerStatus status,
        BrokerKeys keys,
        RateQuota rates) {
    public BrokerConfig {
        Require.that(brokerId != 0, "a broker has id 0");
        String name = "broker " + Integer.toUnsignedString(brokerId);
        Require.that(accounts != null, name + " has no accounts");
        Require.that(liveOrderCountMax > 0, name + ": liveOrderCountMax " + liveOrderCountMax);
        Require.that(status != null, name + " has no status");
        Require.that(keys != null, name + " has no keys");
        Require.that(rates != null, name + " has no rates");
    }

    /**
     * Makes an active broker, whose keys all count and whose rate is not limited.
     *
     * @param brokerId unsigned, not 0
     * @param accounts the only ones that its entries may name
     * @param liveOrderCountMax orders that it may have at rest at once, at least 1
     */
    public BrokerConfig(int brokerId, AccountRanges accounts, int liveOrderCountMax) {
        this(brokerId, accounts, liveOrderCountMax, BrokerStatus.ACTIVE, BrokerKeys.ALL, RateQuota.NONE);
    }

    /**
     * Returns an active broker with a quota that no market reaches.
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
