package io.sealbook.perf.cluster;

import io.sealbook.protocol.GenesisFile;
import java.net.URI;
import java.util.List;

/**
 * The ports at which the nodes of a local cluster answer operators.
 *
 * @param genesis names the first ports of each node
 * @param hasTls whether they require TLS
 */
public record ClusterPorts(GenesisFile genesis, boolean hasTls) {
    private static final int ADMIN_OFFSET = 4;

    /** Returns the address of each node's metrics. */
    public List<URI> metricsAddresses() {
        return genesis.genesis().getNodesList().stream()
                .map(node -> URI.create((hasTls ? "https" : "http") + "://127.0.0.1:"
                        + (node.getVotePort() + ADMIN_OFFSET) + "/metrics"))
                .toList();
    }
}
