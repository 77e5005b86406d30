package io.sealbook.consensus.doctor;

import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;

/**
 * What a node's directory says.
 *
 * @param files of the node
 * @param config settings
 * @param genesis has the node
 */
record CheckedNode(NodeDirectory files, NodeConfig config, GenesisFile genesis) {
    Node self() {
        return genesis.genesis().getNodes(config.nodeId());
    }
}
