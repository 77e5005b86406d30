package io.sealbook.matching;

import java.util.List;

/**
 * A broker that may trade. Immutable.
 *
 * @param brokerId unsigned, not 0
 * @param accountIds accounts this broker may trade for, unsigned; empty means any
 */
public record BrokerConfig(int brokerId, List<Integer> accountIds) {
    public BrokerConfig {
        Require.that(brokerId != 0, "a broker has id 0");
        accountIds = List.copyOf(accountIds);
    }

    /** Returns a broker that may trade for any account. */
    public static BrokerConfig of(int brokerId) {
        return new BrokerConfig(brokerId, List.of());
    }
}
