package io.sealbook.peer;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.function.Function;

/**
 * The nodes of one epoch, with their addresses and keys.
 *
 * @param epoch 0 for those of the genesis file, at most {@link #EPOCH_MAX}
 * @param origin last block before the epoch, 0 if there is none
 * @param terms configuration of the chain in this epoch
 * @param genesisDigest digest of the genesis file, the same in all epochs
 * @param addresses returns a node of the terms at each address that it may have at present, the likeliest first; at
 *     least one; any thread
 * @param later the nodes of a later epoch, by their ids, as a membership proof shows them; empty if none is known
 */
public record EpochNodes(
        int epoch,
        long origin,
        Genesis terms,
        Digest genesisDigest,
        Function<Node, List<Node>> addresses,
        List<Node> later) {
    /** A hello has two bytes for it. */
    public static final int EPOCH_MAX = 0xFFFF;

    public EpochNodes {
        if (epoch < 0 || epoch > EPOCH_MAX) {
            throw new IllegalArgumentException("epoch " + epoch + " is not in 0.." + EPOCH_MAX);
        }
        later = List.copyOf(later);
    }

    /**
     * The nodes of an epoch at the addresses that the terms name.
     *
     * @param epoch 0 for those of the genesis file, at most {@link #EPOCH_MAX}
     * @param origin last block before the epoch, 0 if there is none
     * @param terms configuration of the chain in this epoch
     * @param genesisDigest digest of the genesis file, the same in all epochs
     */
    public EpochNodes(int epoch, long origin, Genesis terms, Digest genesisDigest) {
        this(epoch, origin, terms, genesisDigest, List::of, List.of());
    }

    /** Returns the nodes of the first epoch. */
    public static EpochNodes first(GenesisFile genesis) {
        return new EpochNodes(0, 0, genesis.genesis(), genesis.digest());
    }

    int count() {
        return terms.getNodesCount();
    }

    /** Returns a node at its likeliest addresses at this moment. */
    Node node(int nodeId) {
        return node(nodeId, 0);
    }

    /**
     * Returns a node at the addresses that an attempt to reach it is for: each that it may have has its turn.
     *
     * @param nodeId of a node of the epoch
     * @param attempt number of attempts before, 0 or more
     */
    Node node(int nodeId, int attempt) {
        List<Node> candidates = addresses.apply(terms.getNodes(nodeId));
        return candidates.get(attempt % candidates.size());
    }

    List<String> hosts() {
        return terms.getNodesList().stream()
                .flatMap(node -> addresses.apply(node).stream())
                .map(Node::getHost)
                .distinct()
                .toList();
    }

    List<VerificationKey> identities() {
        return terms.getNodesList().stream().map(EpochNodes::identity).toList();
    }

    /** Returns the identities of the later epoch, by node. */
    List<VerificationKey> laterIdentities() {
        return later.stream().map(EpochNodes::identity).toList();
    }

    private static VerificationKey identity(Node node) {
        return VerificationKey.of(
                SignatureScheme.of(node.getIdentity().getSchemeValue()),
                node.getIdentity().getPoint().toByteArray());
    }
}
