package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import io.grpc.MethodDescriptor;
import io.sealbook.access.role.CallRule;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.tls.role.Role;
import io.sealbook.vocabulary.AdministrativeBatch;
import java.util.Map;

/** Who may call what at the gateway of a node or follower. */
public final class GatewayRules {
    /** By method; one that is absent is refused. */
    public static final Map<MethodDescriptor<?, ?>, CallRule> ALL = Map.ofEntries(
            Map.entry(OrderGatewayGrpc.getGetNodeStatusMethod(), CallRule.PUBLIC),
            // Each record is signed by its node, and says where the port that answers is.
            Map.entry(OrderGatewayGrpc.getGetEndpointsMethod(), CallRule.PUBLIC),
            Map.entry(OrderGatewayGrpc.getPublishEndpointsMethod(), CallRule.only(Role.MEMBER)),
            Map.entry(FollowerInfoGrpc.getGetFollowerStatusMethod(), CallRule.PUBLIC),
            // An engine proves with every result that it has the key which only it and its node share.
            Map.entry(ResultReturnGrpc.getReturnResultsMethod(), CallRule.PUBLIC),
            Map.entry(OrderGatewayGrpc.getSubmitMethod(), CallRule.only(Role.BROKER)),
            Map.entry(
                    OrderGatewayGrpc.getSubmitTransactionMethod(),
                    CallRule.ofMember(SubmitTransactionRequest.class, GatewayRules::proposer)),
            // The genesis file, which every role has, names the same of each broker.
            Map.entry(OrderGatewayGrpc.getGetMembershipMethod(), CallRule.only(Role.values())),
            Map.entry(OrderGatewayGrpc.getGetMembershipProofMethod(), CallRule.only(Role.values())),
            Map.entry(
                    OrderGatewayGrpc.getLogonMethod(),
                    CallRule.ofBroker(LogonRequest.class, LogonRequest::getBrokerId)),
            Map.entry(
                    OrderGatewayGrpc.getFollowReceiptsMethod(),
                    CallRule.ofBroker(FollowReceiptsRequest.class, FollowReceiptsRequest::getBrokerId)),
            // A proof shows the place of a batch; the batch itself is for those that read its broker (ArchiveProofs).
            Map.entry(OrderGatewayGrpc.getGetInclusionProofMethod(), CallRule.only(Role.values())),
            Map.entry(OrderGatewayGrpc.getGetBlocksMethod(), CallRule.only(Role.AUDITOR, Role.MEMBER)),
            Map.entry(BlockFeedGrpc.getFollowBlocksMethod(), CallRule.only(Role.AUDITOR, Role.MEMBER)));

    /** Where the template of a batch is. */
    private static final int TEMPLATE_OFFSET = 2;

    private static final int SESSION_OFFSET = 78;
    private static final int NOBODY = -1;

    private GatewayRules() {}

    /** Returns whether a batch has the template of an administrative one, whatever else it is. */
    static boolean isAdministrative(ByteString batch) {
        return batch.size() > SESSION_OFFSET + 1
                && unsignedShort(batch, TEMPLATE_OFFSET) == AdministrativeBatch.TEMPLATE_ID;
    }

    private static int proposer(SubmitTransactionRequest request) {
        ByteString batch = request.getSignedBatch();
        return isAdministrative(batch) ? unsignedShort(batch, SESSION_OFFSET) : NOBODY;
    }

    private static int unsignedShort(ByteString batch, int offset) {
        return batch.byteAt(offset) & 0xFF | (batch.byteAt(offset + 1) & 0xFF) << Byte.SIZE;
    }
}
