package io.sealbook.node.admission;

import io.sealbook.node.status.NodeCounters;
import io.sealbook.node.status.NodeState;

/**
 * What admission needs of the node around it.
 *
 * @param nodeId this member, from 0
 * @param validityBlocksMax how many blocks ahead a broker's batch may be valid
 */
public record AdmissionContext(int nodeId, long validityBlocksMax, NodeState state, NodeCounters metrics) {}
