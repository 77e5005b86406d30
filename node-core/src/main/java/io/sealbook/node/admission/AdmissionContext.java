package io.sealbook.node.admission;

import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.status.NodeState;
import java.util.function.Consumer;

/**
 * What admission needs of the node around it.
 *
 * @param nodeId this member, from 0
 * @param validityBlocksMax how many blocks ahead a broker's batch may be valid
 * @param state holds the last block
 * @param events counted and logged
 * @param early receives batches of peers whose broker or key is not known here yet
 */
public record AdmissionContext(
        int nodeId, long validityBlocksMax, NodeState state, NodeEvents events, Consumer<IngressSlot> early) {}
