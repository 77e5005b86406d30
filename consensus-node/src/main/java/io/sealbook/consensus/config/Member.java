package io.sealbook.consensus.config;

import io.sealbook.crypto.Signer;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Parameters;
import java.io.IOException;

/**
 * A member of the cluster as its directory describes it: settings, genesis file and key. Settings and genesis file fit
 * together; whether the key is that of the member follows from the chain ({@link IdentityInEpoch}).
 *
 * @param config the operator's settings
 * @param genesis what all members agree on
 * @param identity signs as this member
 */
public record Member(NodeConfig config, GenesisFile genesis, Signer identity) {
    /**
     * Reads a directory.
     *
     * @throws IOException if a file cannot be read
     * @throws ConfigException if settings and genesis file do not fit together
     */
    public static Member read(NodeDirectory directory) throws IOException {
        return read(directory, new OpenedKeys());
    }

    /**
     * As {@link #read(NodeDirectory)}, in a process that may have opened the key before.
     *
     * @param directory of the node
     * @param keys of the same directory
     * @throws IOException if a file cannot be read
     * @throws ConfigException if settings and genesis file do not fit together
     */
    public static Member read(NodeDirectory directory, OpenedKeys keys) throws IOException {
        NodeConfig config = NodeConfig.read(directory);
        GenesisFile genesis = directory.readGenesis();
        int nodeCount = genesis.genesis().getNodesCount();
        if (config.nodeId() >= Math.max(nodeCount, Membership.NODES_MAX)) {
            throw new ConfigException("node.properties: node-id=" + config.nodeId() + ", genesis has " + nodeCount
                    + " nodes, and transactions add them up to " + Membership.NODES_MAX);
        }
        return new Member(config, genesis, keys.identity(directory, config.passphrase()));
    }

    public int nodeId() {
        return config.nodeId();
    }

    /** Returns the number of nodes of the genesis file. */
    public int nodeCount() {
        return genesis.genesis().getNodesCount();
    }

    public Parameters parameters() {
        return genesis.genesis().getParameters();
    }
}
