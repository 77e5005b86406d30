package io.sealbook.node.admission;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Brokers and instruments of a membership, as lanes look them up. Immutable after construction; every point is checked
 * to be on its curve.
 */
final class DoorTerms {
    private final Int2ObjectHashMap<Entry> brokers = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Instrument> instruments = new Int2ObjectHashMap<>();

    /**
     * A broker.
     *
     * @param keys all that it ever had
     * @param accounts the only ones that its orders may name
     */
    record Entry(Int2ObjectHashMap<VerificationKey> keys, AccountRanges accounts) {
        VerificationKey key(int keyId) {
            return keys.get(keyId);
        }

        boolean mayTradeFor(int accountId) {
            return accounts.contains(accountId);
        }
    }

    DoorTerms(Genesis terms) {
        for (Broker broker : terms.getBrokersList()) {
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
        terms.getInstrumentsList().forEach(instrument -> instruments.put(instrument.getInstrumentId(), instrument));
    }

    /** Returns the broker; null if it is not known. */
    Entry broker(int brokerId) {
        return brokers.get(brokerId);
    }

    /** Returns the instrument; null if it is not known. */
    Instrument instrument(int instrumentId) {
        return instruments.get(instrumentId);
    }
}
