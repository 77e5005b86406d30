package io.sealbook.peer;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * The nodes of one epoch, with their addresses and keys.
 *
 * @param epoch 0 for those of the genesis file, at most {@link #EPOCH_MAX}
 * @param terms configuration of the chain in this epoch
 * @param genesisDigest digest of the genesis file, the same in all epochs
 */
public record EpochNodes(int epoch, Genesis terms, Digest genesisDigest) {
    /** A hello has two bytes for it. */
    public static final int EPOCH_MAX = 0xFFFF;

    public EpochNodes {
        if (epoch < 0 || epoch > EPOCH_MAX) {
            throw new IllegalArgumentException("epoch " + epoch + " is not in 0.." + EPOCH_MAX);
        }
    }

    /** Returns the nodes of the first epoch. */
    public static EpochNodes first(GenesisFile genesis) {
        return new EpochNodes(0, genesis.genesis(), genesis.digest());
    }

    int count() {
        return terms.getNodesCount();
    }

    Node node(int nodeId) {
        return terms.getNodes(nodeId);
    }

    List<String> hosts() {
        return terms.getNodesList().stream().map(Node::getHost).toList();
    }

    List<VerificationKey> identities() {
        return terms.getNodesList().stream().map(EpochNodes::identity).toList();
    }

    private static VerificationKey identity(Node node) {
        return VerificationKey.of(
                SignatureScheme.of(node.getIdentity().getSchemeValue()),
                node.getIdentity().getPoint().toByteArray());
    }
}
