package io.sealbook.consensus.gateway;

import io.grpc.MethodDescriptor;
import io.sealbook.access.role.CallRule;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.tls.role.Role;
import java.util.Map;

/** Who may call what at the gateway of a node or follower. */
public final class GatewayRules {
    /** By method; one that is absent is refused. */
    public static final Map<MethodDescriptor<?, ?>, CallRule> ALL = Map.ofEntries(
            Map.entry(OrderGatewayGrpc.getGetNodeStatusMethod(), CallRule.PUBLIC),
            Map.entry(FollowerInfoGrpc.getGetFollowerStatusMethod(), CallRule.PUBLIC),
            // An engine proves with every result that it has the key which only it and its node share.
            Map.entry(ResultReturnGrpc.getReturnResultsMethod(), CallRule.PUBLIC),
            Map.entry(OrderGatewayGrpc.getSubmitMethod(), CallRule.only(Role.BROKER)),
            Map.entry(
                    OrderGatewayGrpc.getLogonMethod(),
                    CallRule.ofBroker(LogonRequest.class, LogonRequest::getBrokerId)),
            Map.entry(
                    OrderGatewayGrpc.getFollowReceiptsMethod(),
                    CallRule.ofBroker(FollowReceiptsRequest.class, FollowReceiptsRequest::getBrokerId)),
            // A proof shows the place of a batch to a caller that has its id, which only the content gives.
            Map.entry(OrderGatewayGrpc.getGetInclusionProofMethod(), CallRule.only(Role.values())),
            Map.entry(OrderGatewayGrpc.getGetBlocksMethod(), CallRule.only(Role.AUDITOR, Role.MEMBER)),
            Map.entry(BlockFeedGrpc.getFollowBlocksMethod(), CallRule.only(Role.AUDITOR, Role.MEMBER)));

    private GatewayRules() {}
}
