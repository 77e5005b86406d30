package io.sealbook.matching;

import io.sealbook.protocol.sbe.RejectReason;
import java.util.List;

/** What decides about a whole batch of a broker: its status and its keys, by the broker's position. */
final class BrokerTerms {
    private final RejectReason[] standings;
    private final BrokerKeys[] keys;

    BrokerTerms(List<BrokerConfig> brokers) {
        standings = brokers.stream().map(broker -> standing(broker.status())).toArray(RejectReason[]::new);
        keys = brokers.stream().map(BrokerConfig::keys).toArray(BrokerKeys[]::new);
    }

    private static RejectReason standing(BrokerStatus status) {
        return switch (status) {
            case ACTIVE -> RejectReason.NONE;
            case SUSPENDED -> RejectReason.BROKER_SUSPENDED;
            case REMOVED -> RejectReason.BROKER_REMOVED;
        };
    }

    /**
     * Judges a batch.
     *
     * @param broker its position in the configuration
     * @param keyId that signed it
     * @param block that contains it
     * @return NONE; or BROKER_SUSPENDED, which cancels do not concern; or what refuses every entry
     */
    RejectReason judge(int broker, int keyId, long block) {
        return keys[broker].areInEffect(keyId, block) ? standings[broker] : RejectReason.KEY_NOT_IN_EFFECT;
    }
}
