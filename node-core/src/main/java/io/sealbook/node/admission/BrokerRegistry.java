package io.sealbook.node.admission;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The brokers of the genesis file: their keys and accounts. Immutable after construction; every point is checked to be
 * on its curve.
 */
public final class BrokerRegistry {
    private final Int2ObjectHashMap<Entry> brokers = new Int2ObjectHashMap<>();

    /** @param accounts the only ones that its orders may name */
    record Entry(Int2ObjectHashMap<VerificationKey> keys, AccountRanges accounts) {
        VerificationKey key(int keyId) {
            return keys.get(keyId);
        }

        boolean mayTradeFor(int accountId) {
            return accounts.contains(accountId);
        }
    }

    public BrokerRegistry(Genesis genesis) {
        for (Broker broker : genesis.getBrokersList()) {
            Int2ObjectHashMap<VerificationKey> keys = new Int2ObjectHashMap<>();
            for (BrokerKey key : broker.getKeysList()) {
                keys.put(
                        key.getKeyId(),
                        VerificationKey.of(
                                SignatureScheme.of(key.getKey().getSchemeValue()),
                                key.getKey().getPoint().toByteArray()));
            }
            brokers.put(broker.getBrokerId(), new Entry(keys, AccountRanges.of(broker)));
        }
    }

    /** Returns the broker, or null when the genesis file does not know it. */
    Entry broker(int brokerId) {
        return brokers.get(brokerId);
    }
}
