package io.sealbook.consensus.gateway;

import io.sealbook.consensus.endpoint.NodeEndpoints;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.v1.NodeStatus;
import java.util.function.Supplier;

/**
 * What the gateway serves from.
 *
 * @param sessions what logon answers from
 * @param membership what GetMembership answers from
 * @param endpoints what GetEndpoints answers from
 * @param submitInFlightMax unanswered batches of one stream
 * @param status makes the answer to GetNodeStatus
 */
public record GatewayContext(
        int nodeId,
        Ingress ingress,
        CommittedBlocks blocks,
        Sessions sessions,
        ChainMembership membership,
        NodeEndpoints endpoints,
        ChainProofs proofs,
        NodeState state,
        NodeMetrics metrics,
        int submitInFlightMax,
        Supplier<NodeStatus> status) {}
