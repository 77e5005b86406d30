package io.sealbook.consensus.doctor;

import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;

/**
 * What a node's directory says.
 *
 * @param files of the node
 * @param config settings
 * @param genesis of the chain
 * @param present the terms at present as far as they are known, with the nodes at their present addresses; this node is
 *     among them
 */
record CheckedNode(NodeDirectory files, NodeConfig config, GenesisFile genesis, Genesis present) {
    Node self() {
        return config.address().over(present.getNodes(config.nodeId()));
    }
}
