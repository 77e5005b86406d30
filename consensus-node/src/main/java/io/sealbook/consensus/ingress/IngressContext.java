package io.sealbook.consensus.ingress;

import io.sealbook.consensus.config.IngressConfig;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.admission.AdmissionContext;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.v1.Genesis;
import java.util.function.Consumer;

/**
 * What the ring needs of the node around it.
 *
 * @param fatal is told when a ring thread meets a failure that it cannot answer; must not return normally into the ring
 */
public record IngressContext(
        int nodeId,
        Genesis genesis,
        IngressConfig config,
        NodeState state,
        NodeMetrics metrics,
        Consumer<Throwable> fatal) {
    AdmissionContext admission() {
        return new AdmissionContext(nodeId, genesis.getParameters().getValidityBlocksMax(), state, metrics);
    }
}
