package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.EndpointRecords;
import io.sealbook.protocol.v1.EndpointStatement;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.GetMembershipProofRequest;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.InclusionProof;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MembershipProofPart;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One node's gateway over the shared history. */
final class TestGateway extends OrderGatewayGrpc.OrderGatewayImplBase {
    private static final int REQUESTS_PER_MESSAGE_MAX = 16;
    private static final int PROOF_PART_LENGTH = 1_000;

    private final TestCluster cluster;
    private final TestNode node;
    private final List<Follower> followers = new ArrayList<>();
    /** Batches that it does not refuse later on. */
    private final Set<ByteString> accepted = new HashSet<>();

    /** One receipt stream and the next block it needs. */
    private static final class Follower {
        final ServerCallStreamObserver<BlockReceipts> observer;
        long nextBlock;

        Follower(ServerCallStreamObserver<BlockReceipts> observer, long nextBlock) {
            this.observer = observer;
            this.nextBlock = nextBlock;
        }
    }

    TestGateway(TestCluster cluster, TestNode node) {
        this.cluster = cluster;
        this.node = node;
    }

    @Override
    public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> observer) {
        NodeStatus status;
        synchronized (cluster.lock) {
            status = NodeStatus.newBuilder()
                    .setNodeId(node.claimedNodeId)
                    .setChainId(TestCluster.CHAIN_ID)
                    .setState(node.state)
                    .setMembershipNumber(membership().getNumber())
                    .setEndpointSerials(
                            endpoints().stream().mapToLong(TestGateway::serial).sum())
                    .setLastDelivered(node.claimedBlock == 0 ? cluster.history.lastBlock() : node.claimedBlock)
                    .build();
        }
        observer.onNext(status);
        observer.onCompleted();
    }

    /** Returns the serial number of a record, whatever its form. */
    private static long serial(EndpointRecord record) {
        try {
            return EndpointStatement.parseFrom(record.getStatement()).getSerial();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private MembershipView membership() {
        return node.claimedMembership == null ? cluster.membership : node.claimedMembership;
    }

    @Override
    public void getMembership(GetMembershipRequest request, StreamObserver<MembershipView> observer) {
        MembershipView view;
        synchronized (cluster.lock) {
            view = membership().toBuilder().setNodeId(node.claimedNodeId).build();
            node.membershipsAsked++;
        }
        observer.onNext(view);
        observer.onCompleted();
    }

    @Override
    public void getMembershipProof(GetMembershipProofRequest request, StreamObserver<MembershipProofPart> observer) {
        byte[] proof;
        synchronized (cluster.lock) {
            node.membershipProofsAsked++;
            proof = node.claimedMembershipProof == null ? cluster.membershipProof() : node.claimedMembershipProof;
        }
        ((ServerCallStreamObserver<MembershipProofPart>) observer)
                .setOnCancelHandler(() -> {}); // A late one must not throw.
        afterProofDelay(() -> {
            for (int from = 0; from < proof.length; from += PROOF_PART_LENGTH) {
                int length = Math.min(PROOF_PART_LENGTH, proof.length - from);
                observer.onNext(MembershipProofPart.newBuilder()
                        .setBytes(ByteString.copyFrom(proof, from, length))
                        .build());
            }
            observer.onCompleted();
        });
    }

    private void afterProofDelay(Runnable answer) {
        if (node.proofDelay.isZero()) {
            answer.run();
        } else {
            CompletableFuture.delayedExecutor(node.proofDelay.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(answer);
        }
    }

    private Collection<EndpointRecord> endpoints() {
        return node.claimedEndpoints == null ? cluster.endpoints.values() : node.claimedEndpoints;
    }

    @Override
    public void getEndpoints(GetEndpointsRequest request, StreamObserver<EndpointRecords> observer) {
        synchronized (cluster.lock) {
            node.endpointsAsked++;
            observer.onNext(
                    EndpointRecords.newBuilder().addAllRecords(endpoints()).build());
        }
        observer.onCompleted();
    }

    @Override
    public void getInclusionProof(GetInclusionProofRequest request, StreamObserver<InclusionProof> observer) {
        cluster.proofsAsked.incrementAndGet();
        byte[] proof = node.proof;
        if (proof == null) {
            observer.onError(Status.FAILED_PRECONDITION
                    .withDescription("no checkpoint certificate covers block " + request.getBlockSequence() + " yet")
                    .asRuntimeException());
            return;
        }
        ((ServerCallStreamObserver<InclusionProof>) observer)
                .setOnCancelHandler(() -> {}); // A late one must not throw.
        afterProofDelay(() -> {
            observer.onNext(InclusionProof.newBuilder()
                    .setProof(ByteString.copyFrom(proof))
                    .build());
            observer.onCompleted();
        });
    }

    @Override
    public void logon(LogonRequest request, StreamObserver<LogonReply> observer) {
        LogonReply reply;
        boolean isAnswered;
        synchronized (cluster.lock) {
            node.logonsAsked++;
            // The client asks again with its next probe, after the first answer.
            isAnswered = node.isLoggingOn && (node.logsOnAfter == null || node.logsOnAfter.logonsAsked > 1);
            reply = LogonReply.newBuilder()
                    .setNodeId(node.claimedNodeId)
                    .setChainId(TestCluster.CHAIN_ID)
                    .addAllSessions(cluster.history.sessions().stream()
                            .map(session ->
                                    node.logon.apply(session.toBuilder()).build())
                            .toList())
                    .build();
        }
        if (!isAnswered) {
            observer.onError(node.logonFailure.asRuntimeException());
            return;
        }
        observer.onNext(reply);
        observer.onCompleted();
    }

    @Override
    public void followReceipts(FollowReceiptsRequest request, StreamObserver<BlockReceipts> observer) {
        synchronized (cluster.lock) {
            long from = request.getFromBlock() == 0 ? cluster.history.lastBlock() + 1 : request.getFromBlock();
            node.receiptsFrom.add(from);
            ServerCallStreamObserver<BlockReceipts> stream = (ServerCallStreamObserver<BlockReceipts>) observer;
            stream.setOnCancelHandler(() -> onGone(stream));
            followers.add(new Follower(stream, from));
            pump();
        }
    }

    @Override
    public StreamObserver<SubmitRequests> submit(StreamObserver<SubmitReplies> replies) {
        return new StreamObserver<>() {
            @Override
            public void onNext(SubmitRequests message) {
                if (message.getRequestsCount() == 0 || message.getRequestsCount() > REQUESTS_PER_MESSAGE_MAX) {
                    replies.onError(Status.INVALID_ARGUMENT.asRuntimeException());
                    return;
                }
                synchronized (cluster.lock) {
                    message.getRequestsList().forEach(request -> onSubmit(request, replies));
                }
            }

            @Override
            public void onError(Throwable cause) {
                // The client went away, which is what many a test is about.
                node.brokenSubmitStreams.incrementAndGet();
            }

            @Override
            public void onCompleted() {
                replies.onCompleted();
            }
        };
    }

    /** Sends every follower what it has not had; under the cluster's lock. */
    void pump() {
        if (cluster.areReceiptsHeld) {
            return;
        }
        for (Follower follower : followers) {
            for (; follower.nextBlock <= cluster.history.lastBlock(); follower.nextBlock++) {
                send(follower.observer, follower.nextBlock);
            }
        }
    }

    private void onGone(ServerCallStreamObserver<BlockReceipts> stream) {
        synchronized (cluster.lock) {
            followers.removeIf(each -> each.observer == stream);
        }
    }

    /** Forgets its streams: the server behind them is gone. */
    void onKilled() {
        followers.clear();
    }

    private void send(StreamObserver<BlockReceipts> observer, long block) {
        if (node.receipts == TestNode.Receipts.SILENT) {
            return;
        }
        BlockReceipts.Builder own = cluster.history.block(block).toBuilder().setNodeId(node.claimedNodeId);
        switch (node.receipts) {
            case WRONG_HASH -> own.setBlockHash(ByteString.copyFrom(new byte[32]));
            case OMITTED -> own.clearBatches();
            case TWICE -> observer.onNext(own.build());
            case TRUE, SILENT -> {}
        }
        observer.onNext(own.build());
    }

    private void onSubmit(SubmitRequest request, StreamObserver<SubmitReplies> replies) {
        byte[] signed = request.getSignedBatch().toByteArray();
        ByteString batchId = ByteString.copyFrom(
                TestHistory.sha256(Arrays.copyOf(signed, signed.length - SignedBatch.SIGNATURE_LENGTH)));
        cluster.submissions.add(new Submission(node.nodeId, request.getSignedBatch()));
        SubmitReply.Builder reply = SubmitReply.newBuilder()
                .setCorrelationId(request.getCorrelationId())
                .setBatchId(batchId)
                .setLastBlock(cluster.history.lastBlock());
        switch (node.submits) {
            case SILENT -> {
                return;
            }
            case DROPPING -> reply.setStatus(SubmitStatus.ACCEPTED);
            case REFUSING -> {
                if (accepted.contains(batchId)) {
                    reply.setStatus(SubmitStatus.ALREADY_KNOWN);
                    break;
                }
                reply.setStatus(SubmitStatus.REFUSED)
                        .setReason(node.refusal)
                        .setDetail("scripted")
                        .setRetryAfterMs(
                                node.refusal == RefusalReason.BUSY || node.refusal == RefusalReason.RATE_QUOTA
                                        ? 20
                                        : 0);
            }
            case FORGETTING ->
                reply.setStatus(SubmitStatus.REFUSED)
                        .setReason(RefusalReason.SEQUENCE_GAP)
                        .setExpectedNumber(
                                Math.max(1, new BatchView().wrap(signed).number() - 1));
            case ADMITTING -> {
                if (cluster.history.isForgotten(batchId, signed)) {
                    reply.setStatus(SubmitStatus.REFUSED).setReason(RefusalReason.NUMBER_TAKEN);
                    break;
                }
                boolean isKnown = cluster.history.isKnown(batchId);
                reply.setStatus(isKnown ? SubmitStatus.ALREADY_KNOWN : SubmitStatus.ACCEPTED);
                accepted.add(batchId);
                if (!isKnown) {
                    cluster.history.admit(batchId, signed);
                }
            }
        }
        if (node.isAnswering) {
            replies.onNext(SubmitReplies.newBuilder().addReplies(reply).build());
        }
        if (cluster.isCommitting && cluster.history.pendingCount() > 0) {
            cluster.commitLocked();
        }
    }
}
