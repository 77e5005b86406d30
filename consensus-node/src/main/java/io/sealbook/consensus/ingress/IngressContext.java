package io.sealbook.consensus.ingress;

import io.sealbook.consensus.config.IngressConfig;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.BatchPreference;
import java.util.function.Consumer;

/**
 * What the ring needs of the node around it.
 *
 * @param nodeId this member, for the threads' names
 * @param nodeCount members of the cluster
 * @param config limits
 * @param batches sizes of batches that the verifier prefers, limited to what the ring holds
 * @param metrics counts verified signatures
 * @param fatal receives a failure of a ring thread that no verdict expresses; must not return normally into the ring
 */
public record IngressContext(
        int nodeId,
        int nodeCount,
        IngressConfig config,
        BatchPreference batches,
        NodeMetrics metrics,
        Consumer<Throwable> fatal) {
    public IngressContext {
        batches = batches.atMost(config.ringSize());
    }
}
