package io.sealbook.membership;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipState;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys of a configuration; each is checked to be on its curve. Immutable after construction. */
final class MemberKeys {
    private final Map<Long, KeyTerm> brokers = new HashMap<>();
    private final List<List<VerificationKey>> nodes = new ArrayList<>();

    /** @throws IllegalArgumentException if a key is not on its curve */
    MemberKeys(MembershipState state) {
        Genesis terms = state.getTerms();
        for (Broker broker : terms.getBrokersList()) {
            for (BrokerKey key : broker.getKeysList()) {
                brokers.put(
                        place(broker.getBrokerId(), key.getKeyId()),
                        new KeyTerm(keyOf(key.getKey()), key.getFromBlock(), key.getUntilBlock()));
            }
        }
        state.getFormerIdentitiesList()
                .forEach(former -> identities(former.getNodeId()).add(keyOf(former.getKey())));
        for (Node node : terms.getNodesList()) {
            identities(node.getNodeId()).add(keyOf(node.getIdentity()));
        }
        for (Auditor auditor : terms.getAuditorsList()) {
            keyOf(auditor.getKey());
        }
    }

    private List<VerificationKey> identities(int nodeId) {
        while (nodes.size() <= nodeId) {
            nodes.add(new ArrayList<>());
        }
        return nodes.get(nodeId);
    }

    private static long place(int brokerId, int keyId) {
        return Integer.toUnsignedLong(brokerId) << Integer.SIZE | Integer.toUnsignedLong(keyId);
    }

    /** @throws IllegalArgumentException if the point is not on its curve */
    static VerificationKey keyOf(PublicKey key) {
        return VerificationKey.of(
                SignatureScheme.of(key.getSchemeValue()), key.getPoint().toByteArray());
    }

    /** Returns a broker's key; null if it never had it. */
    KeyTerm broker(int brokerId, int keyId) {
        return brokers.get(place(brokerId, keyId));
    }

    /** Returns the number of nodes that there are, or once were. */
    int nodeCount() {
        return nodes.size();
    }

    /** Returns the identity keys of a node, the present one last; of a removed node, those that it had. */
    List<VerificationKey> node(int nodeId) {
        return nodes.get(nodeId);
    }
}
