package io.sealbook.node.session;

import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SessionKey;
import org.agrona.collections.LongHashSet;

/**
 * The keys that the blocks so far have ended: revoked ones of brokers, and identities of members that were replaced or
 * removed. A key that has ended never counts again. Written by the committer and at the start, read by any thread.
 */
public final class EndedKeys {
    private static final int KEY_ID_BITS = 16;

    /** Each by its owner and key id; a set is not changed once it is here. */
    private volatile LongHashSet ended = new LongHashSet();

    /** Takes the keys of a membership, that of the next block. */
    public void become(Membership membership) {
        LongHashSet keys = new LongHashSet();
        for (Broker broker : membership.terms().getBrokersList()) {
            for (BrokerKey key : broker.getKeysList()) {
                if (key.getUntilBlock() != 0) {
                    keys.add(place(SessionKey.of(broker.getBrokerId(), 0), key.getKeyId()));
                }
            }
        }
        for (int node = 0; node < membership.formerNodeCount(); node++) {
            addIdentities(node, membership, keys);
        }
        ended = keys;
    }

    private static void addIdentities(int node, Membership membership, LongHashSet to) {
        int present = membership.hasNode(node) ? membership.identityKeyId(node) : Integer.MAX_VALUE;
        for (int keyId = 0; keyId < present && membership.identity(node, keyId).isPresent(); keyId++) {
            to.add(place(SessionKey.of(SessionKey.ADMINISTRATION, node), keyId));
        }
    }

    private static long place(long owner, int keyId) {
        return owner << KEY_ID_BITS | keyId;
    }

    /** Returns whether no key has ended so far. */
    public boolean isEmpty() {
        return ended.isEmpty();
    }

    /**
     * Returns whether the key that a batch names has ended.
     *
     * @param signedBatch of sound structure
     */
    public boolean hasSigned(byte[] signedBatch) {
        LongHashSet keys = ended;
        if (keys.isEmpty()) {
            return false;
        }
        BatchView batch = new BatchView().wrap(signedBatch);
        long session = batch.sessionKey();
        long owner = SessionKey.isAdministration(session) ? session : SessionKey.of(batch.brokerId(), 0);
        return keys.contains(place(owner, batch.keyId()));
    }

    /** Returns whether the key of either batch has ended: the two prove no fault of a present key's owner. */
    public boolean makesVoid(Equivocation evidence) {
        return hasSigned(evidence.first()) || hasSigned(evidence.second());
    }
}
