package io.sealbook.node.admission;

import io.sealbook.membership.KeyTerm;
import io.sealbook.membership.Membership;
import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Instrument;
import org.agrona.collections.Int2ObjectHashMap;

/** Brokers and instruments of a membership, as lanes look them up. Immutable after construction. */
final class DoorTerms {
    private final Membership membership;
    private final Int2ObjectHashMap<Entry> brokers = new Int2ObjectHashMap<>();
    private final Int2ObjectHashMap<Instrument> instruments = new Int2ObjectHashMap<>();

    /**
     * A broker.
     *
     * @param status whether it may trade
     * @param keys all that it ever had
     * @param accounts the only ones that its orders may name
     * @param rate how fast it may send
     */
    record Entry(BrokerStatus status, Int2ObjectHashMap<KeyTerm> keys, AccountRanges accounts, DoorRate rate) {
        KeyTerm key(int keyId) {
            return keys.get(keyId);
        }

        boolean mayTradeFor(int accountId) {
            return accounts.contains(accountId);
        }

        boolean isRemoved() {
            return status == BrokerStatus.BROKER_REMOVED;
        }
    }

    DoorTerms(Membership membership) {
        this(membership, null);
    }

    /**
     * @param membership at present
     * @param before terms whose brokers' rates go on; null if there are none
     */
    DoorTerms(Membership membership, DoorTerms before) {
        this.membership = membership;
        for (Broker broker : membership.terms().getBrokersList()) {
            int brokerId = broker.getBrokerId();
            Int2ObjectHashMap<KeyTerm> keys = new Int2ObjectHashMap<>();
            for (BrokerKey key : broker.getKeysList()) {
                keys.put(
                        key.getKeyId(), membership.key(brokerId, key.getKeyId()).orElseThrow());
            }
            RateQuota quota = RateQuota.of(broker);
            Entry known = before == null ? null : before.broker(brokerId);
            DoorRate rate = known == null ? DoorRate.of(quota) : known.rate().under(quota);
            brokers.put(brokerId, new Entry(broker.getStatus(), keys, AccountRanges.of(broker), rate));
        }
        for (Instrument instrument : membership.terms().getInstrumentsList()) {
            instruments.put(instrument.getInstrumentId(), instrument);
        }
    }

    /** Returns the broker; null if it is not known. */
    Entry broker(int brokerId) {
        return brokers.get(brokerId);
    }

    /** Returns the instrument; null if it is not known. */
    Instrument instrument(int instrumentId) {
        return instruments.get(instrumentId);
    }

    Membership membership() {
        return membership;
    }
}
