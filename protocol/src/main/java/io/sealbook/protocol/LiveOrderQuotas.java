package io.sealbook.protocol;

import static io.sealbook.protocol.GenesisRules.require;

import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Parameters;
import java.util.List;

/**
 * The rule that the brokers' quotas of live orders fit the market: together they are at most the
 * {@code liveOrderCountMax} of the parameters, so that no broker takes another one's room.
 */
final class LiveOrderQuotas {
    private LiveOrderQuotas() {}

    /**
     * Gives brokers without a quota equal shares of what the others leave.
     *
     * @param genesis its parameters have their defaults
     * @throws IllegalArgumentException if the quotas do not fit; the message names the numbers
     */
    static void fill(Genesis.Builder genesis) {
        long capacity = Integer.toUnsignedLong(genesis.getParameters().getLiveOrderCountMax());
        require(
                capacity <= GenesisFile.LIVE_ORDER_COUNT_MAX,
                "liveOrderCountMax " + capacity + ", expected 1.." + GenesisFile.LIVE_ORDER_COUNT_MAX);
        long given = genesis.getBrokersList().stream()
                .mapToLong(LiveOrderQuotas::quota)
                .sum();
        require(
                given <= capacity,
                "the brokers' liveOrderCountMax add up to " + given + ", the market's is " + capacity);
        long open = genesis.getBrokersList().stream()
                .filter(broker -> quota(broker) == 0)
                .count();
        if (open == 0) {
            return;
        }
        long share = (capacity - given) / open;
        require(
                share > 0,
                "the brokers' liveOrderCountMax leave " + (capacity - given) + " of the market's " + capacity + " for "
                        + open + " brokers without one");
        genesis.getBrokersBuilderList().stream()
                .filter(broker -> broker.getLiveOrderCountMax() == 0)
                .forEach(broker -> broker.setLiveOrderCountMax((int) share));
    }

    /**
     * Checks that the quotas of brokers fit the market.
     *
     * @param brokers those that may trade
     * @param parameters with their defaults
     * @throws IllegalArgumentException if not; the message names the numbers
     */
    static void check(List<Broker> brokers, Parameters parameters) {
        long capacity = Integer.toUnsignedLong(parameters.getLiveOrderCountMax());
        long given = brokers.stream().mapToLong(LiveOrderQuotas::quota).sum();
        require(
                given <= capacity,
                "the brokers' liveOrderCountMax add up to " + given + ", the market's is " + capacity);
    }

    private static long quota(Broker broker) {
        return Integer.toUnsignedLong(broker.getLiveOrderCountMax());
    }
}
