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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/**
 * The keys of a configuration; each is checked to be on its curve. A configuration that follows another one shares what
 * has not changed, because there may be thousands of both. Immutable after construction.
 */
final class MemberKeys {
    private final Map<Long, KeyTerm> brokers = new HashMap<>();
    private final List<List<VerificationKey>> nodes = new ArrayList<>();
    private final MembershipState state;

    /** @throws IllegalArgumentException if a key is not on its curve */
    MemberKeys(MembershipState state) {
        this(state, Map.of());
    }

    private MemberKeys(MembershipState state, Map<Long, KeyTerm> before) {
        this.state = state;
        Genesis terms = state.getTerms();
        for (Broker broker : terms.getBrokersList()) {
            for (BrokerKey key : broker.getKeysList()) {
                long place = place(broker.getBrokerId(), key.getKeyId());
                brokers.put(place, term(key, before.get(place)));
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

    /**
     * Returns the keys of the next configuration: these if none has changed.
     *
     * @param next which follows
     * @throws IllegalArgumentException if a key is not on its curve
     */
    MemberKeys after(MembershipState next) {
        return hasKeysOf(next) ? this : new MemberKeys(next, brokers);
    }

    private boolean hasKeysOf(MembershipState next) {
        Genesis terms = state.getTerms();
        Genesis nextTerms = next.getTerms();
        return areEqual(terms.getBrokersList(), nextTerms.getBrokersList(), MemberKeys::haveEqualKeys)
                && areEqual(terms.getNodesList(), nextTerms.getNodesList(), MemberKeys::haveEqualKeys)
                && areEqual(terms.getAuditorsList(), nextTerms.getAuditorsList(), MemberKeys::haveEqualKeys)
                && state.getFormerIdentitiesList().equals(next.getFormerIdentitiesList());
    }

    private static <T> boolean areEqual(List<T> these, List<T> those, BiPredicate<T, T> haveEqualKeys) {
        return these.size() == those.size()
                && IntStream.range(0, these.size()).allMatch(i -> haveEqualKeys.test(these.get(i), those.get(i)));
    }

    private static boolean haveEqualKeys(Broker one, Broker other) {
        return one.getBrokerId() == other.getBrokerId() && one.getKeysList().equals(other.getKeysList());
    }

    private static boolean haveEqualKeys(Node one, Node other) {
        return one.getNodeId() == other.getNodeId() && one.getIdentity().equals(other.getIdentity());
    }

    private static boolean haveEqualKeys(Auditor one, Auditor other) {
        return one.getKey().equals(other.getKey());
    }

    /** @param before at the same place in the configuration before; null if there was none */
    private static KeyTerm term(BrokerKey key, KeyTerm before) {
        boolean isKnown = before != null && isOf(before.key(), key.getKey());
        if (isKnown && before.fromBlock() == key.getFromBlock() && before.untilBlock() == key.getUntilBlock()) {
            return before;
        }
        return new KeyTerm(isKnown ? before.key() : keyOf(key.getKey()), key.getFromBlock(), key.getUntilBlock());
    }

    private static boolean isOf(VerificationKey known, PublicKey key) {
        return known.scheme().code() == key.getSchemeValue()
                && Arrays.equals(known.point(), key.getPoint().toByteArray());
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
