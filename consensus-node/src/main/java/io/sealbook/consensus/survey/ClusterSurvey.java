package io.sealbook.consensus.survey;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.endpoint.UnreachableChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Asks all members for their status at the same time. One thread; close it after use. */
public final class ClusterSurvey implements AutoCloseable {
    private final List<Node> members;
    private final List<ManagedChannel> channels;
    private final long timeoutMs;

    /**
     * @param terms name the members' gateways
     * @param credentials to connect with
     * @param timeoutMs longest wait for an answer
     */
    public ClusterSurvey(Genesis terms, ChannelCredentials credentials, long timeoutMs) {
        this.members = terms.getNodesList();
        this.channels = members.stream()
                .map(member -> UnreachableChannel.unless(
                        () -> NettyChannelBuilder.forAddress(member.getHost(), member.getGatewayPort(), credentials)
                                .build()))
                .toList();
        this.timeoutMs = timeoutMs;
    }

    /** Returns what each member says, in the order of the terms. */
    public List<MemberAnswer> ask() throws InterruptedException {
        List<Future<NodeStatus>> calls = new ArrayList<>();
        for (ManagedChannel channel : channels) {
            calls.add(OrderGatewayGrpc.newFutureStub(channel)
                    .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance()));
        }
        List<MemberAnswer> answers = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            answers.add(answer(members.get(i), calls.get(i)));
        }
        return answers;
    }

    private static MemberAnswer answer(Node member, Future<NodeStatus> call) throws InterruptedException {
        int nodeId = member.getNodeId();
        try {
            NodeStatus status = call.get();
            return status.getNodeId() == nodeId
                    ? MemberAnswer.of(nodeId, status)
                    : MemberAnswer.missing(nodeId, "node " + status.getNodeId() + " answers at its address");
        } catch (ExecutionException e) {
            return MemberAnswer.missing(
                    nodeId, e.getCause() instanceof StatusRuntimeException failure ? reason(failure) : e.toString());
        }
    }

    /** Returns in one line what a call ended with, and its first cause. */
    public static String reason(StatusRuntimeException failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String reason = failure.getStatus().getCode() + ": "
                + (first == failure ? failure.getStatus().getDescription() : first.getMessage());
        return reason.lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
