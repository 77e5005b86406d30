package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.session.SessionHead;
import io.sealbook.node.status.NodePhase;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.EndpointRecords;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.GetBlocksRequest;
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
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.tls.role.Caller;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntPredicate;

/** The gateway's calls. Runs on event loops; what reads the archive is handed to the service executor. */
public final class OrderGatewayService extends OrderGatewayGrpc.OrderGatewayImplBase {
    /** Proofs read the archive on the thread that also serves peers; few wait for it at once. */
    private static final int PROOFS_MAX = 64;

    private static final int PROOFS_PER_ADDRESS = 8;
    /** Each may read a header per block of a checkpoint interval and transaction. */
    private static final int MEMBERSHIPS_MAX = 8;

    private static final int MEMBERSHIPS_PER_ADDRESS = 2;
    private static final int MEMBERSHIP_PART_LENGTH = 1 << 20;
    private static final int PUBLICATIONS_MAX = 64;
    private static final int PUBLICATIONS_PER_ADDRESS = 16;
    private static final int BUSY_RETRY_MS = 20;
    /** Bytes of the longest administrative batch, with its signature. */
    private static final int TRANSACTION_LENGTH_MAX =
            AdministrativeBatch.signedLength(AdministrativeBatch.TRANSACTION_LENGTH_MAX);

    private final GatewayContext context;
    private final Followers followers;
    private final Executor service;
    /**
     * What waits for the service executor or runs there. A call that its caller cancels gives its place among the calls
     * back at once; what it has asked for would still wait.
     */
    private final HolderQuota proofs = new HolderQuota(PROOFS_MAX, PROOFS_PER_ADDRESS);

    private final HolderQuota publications = new HolderQuota(PUBLICATIONS_MAX, PUBLICATIONS_PER_ADDRESS);

    /**
     * @param context what calls are answered from
     * @param followers serves streams of receipts and blocks
     * @param service runs what reads the archive
     */
    public OrderGatewayService(GatewayContext context, Followers followers, Executor service) {
        this.context = context;
        this.followers = followers;
        this.service = service;
    }

    /** Returns this service with the limits of its calls. */
    public LimitedService limited() {
        return new LimitedService(
                this,
                Set.of(OrderGatewayGrpc.getFollowReceiptsMethod(), OrderGatewayGrpc.getGetBlocksMethod()),
                Set.of(OrderGatewayGrpc.getSubmitMethod()),
                Map.of(
                        OrderGatewayGrpc.getGetInclusionProofMethod(),
                        new HolderQuota(PROOFS_MAX, PROOFS_PER_ADDRESS),
                        OrderGatewayGrpc.getGetMembershipProofMethod(),
                        new HolderQuota(MEMBERSHIPS_MAX, MEMBERSHIPS_PER_ADDRESS),
                        OrderGatewayGrpc.getPublishEndpointsMethod(),
                        new HolderQuota(PUBLICATIONS_MAX, PUBLICATIONS_PER_ADDRESS)));
    }

    @Override
    public StreamObserver<SubmitRequests> submit(StreamObserver<SubmitReplies> replies) {
        return new SubmitStream(context, ReadLimit.HOLDER.get(), (ServerCallStreamObserver<SubmitReplies>) replies);
    }

    @Override
    public void submitTransaction(SubmitTransactionRequest request, StreamObserver<SubmitReply> answer) {
        SingleSubmission submission = new SingleSubmission(context, ReadLimit.HOLDER.get(), answer);
        NodePhase phase = context.state().phase();
        if (!phase.takesBatches()) {
            submission.onVerdict(0, Verdict.notReady("node is " + phase));
        } else if (!GatewayRules.isAdministrative(request.getSignedBatch())) {
            submission.onVerdict(
                    0,
                    Verdict.refused(
                            RefusalReason.MALFORMED, "offset 2: not the template of an administrative batch", null));
        } else if (request.getSignedBatch().size() > TRANSACTION_LENGTH_MAX) {
            submission.onVerdict(
                    0,
                    Verdict.refused(
                            RefusalReason.OVERSIZE_BATCH,
                            request.getSignedBatch().size() + " bytes, at most " + TRANSACTION_LENGTH_MAX,
                            null));
        } else if (!context.ingress()
                .offer(submission, 0, request.getSignedBatch().toByteArray(), null)) {
            submission.onVerdict(0, Verdict.busy("too many batches wait to be verified", BUSY_RETRY_MS));
        }
    }

    @Override
    public void getMembership(GetMembershipRequest request, StreamObserver<MembershipView> answer) {
        answer.onNext(MembershipViews.of(context.nodeId(), context.membership().present()));
        answer.onCompleted();
    }

    @Override
    public void getEndpoints(GetEndpointsRequest request, StreamObserver<EndpointRecords> answer) {
        answer.onNext(endpoints());
        answer.onCompleted();
    }

    private EndpointRecords endpoints() {
        return EndpointRecords.newBuilder()
                .addAllRecords(context.endpoints().records())
                .build();
    }

    /** Not on the event loop: signatures are verified, and a file is written. */
    @Override
    public void publishEndpoints(EndpointRecords request, StreamObserver<EndpointRecords> answer) {
        inTurn(publications, "publications", answer, () -> take(request, answer));
    }

    /** Has the service executor run a task, unless its caller has too many there, or has cancelled the call by then. */
    private void inTurn(HolderQuota tasks, String what, StreamObserver<?> answer, Runnable task) {
        Object holder = ReadLimit.HOLDER.get();
        HolderQuota.Answer place = tasks.take(holder);
        if (place != HolderQuota.Answer.TAKEN) {
            answer.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription(tasks.describe(place, holder, what + " that wait"))
                    .asRuntimeException());
            return;
        }
        ServerCallStreamObserver<?> call = (ServerCallStreamObserver<?>) answer;
        // Without a handler an answer to a cancelled call is an exception.
        call.setOnCancelHandler(() -> {});
        try {
            service.execute(() -> {
                try {
                    if (!call.isCancelled()) {
                        task.run();
                    }
                } finally {
                    tasks.release(holder);
                }
            });
        } catch (RejectedExecutionException e) {
            tasks.release(holder);
            answer.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("too many tasks wait")
                    .withCause(e)
                    .asRuntimeException());
        }
    }

    private void take(EndpointRecords request, StreamObserver<EndpointRecords> answer) {
        switch (context.endpoints().take(request.getRecordsList())) {
            case JUDGED -> {
                answer.onNext(endpoints());
                answer.onCompleted();
            }
            case TOO_MANY ->
                answer.onError(Status.INVALID_ARGUMENT
                        .withDescription(request.getRecordsCount() + " records, more than nodes")
                        .asRuntimeException());
            case BUSY ->
                answer.onError(Status.RESOURCE_EXHAUSTED
                        .withDescription("enough records were verified for now")
                        .asRuntimeException());
        }
    }

    @Override
    public void logon(LogonRequest request, StreamObserver<LogonReply> answer) {
        LogonReply.Builder reply = LogonReply.newBuilder()
                .setNodeId(context.nodeId())
                .setChainId(context.membership().membership().terms().getChainId());
        for (SessionHead head : context.sessions().headsOf(request.getBrokerId())) {
            reply.addSessions(SessionState.newBuilder()
                    .setSession(SessionKey.session(head.sessionKey()))
                    .setExpectedNumber(head.next())
                    .setPrevious(ByteString.copyFrom(head.heldId().bytes()))
                    .setDeliveredNumber(head.delivered())
                    .setSuspended(head.isSuspended()));
        }
        answer.onNext(reply.build());
        answer.onCompleted();
    }

    @Override
    public void followReceipts(FollowReceiptsRequest request, StreamObserver<BlockReceipts> receipts) {
        ServerCallStreamObserver<BlockReceipts> stream = (ServerCallStreamObserver<BlockReceipts>) receipts;
        long first = request.getFromBlock() == 0 ? context.blocks().lastSequence() + 1 : request.getFromBlock();
        followers.add(
                ReadLimit.HOLDER.get(), new ReceiptFollower(context.nodeId(), request.getBrokerId(), first, stream));
    }

    @Override
    public void getBlocks(GetBlocksRequest request, StreamObserver<BlockData> blocks) {
        ServerCallStreamObserver<BlockData> stream = (ServerCallStreamObserver<BlockData>) blocks;
        long first = Math.max(request.getFromSequence(), context.blocks().firstSequence());
        followers.add(ReadLimit.HOLDER.get(), new BlockFollower(Math.max(1, first), request.getToSequence(), stream));
    }

    @Override
    public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> answer) {
        answer.onNext(context.status().get());
        answer.onCompleted();
    }

    @Override
    public void getInclusionProof(GetInclusionProofRequest request, StreamObserver<InclusionProof> answer) {
        // Known here only: the service executor has no context of the call.
        Caller caller = ReadLimit.CALLER.get();
        IntPredicate isRead = brokerId -> caller == null || caller.reads(brokerId);
        inTurn(proofs, "proofs", answer, () -> endAtDamage(answer, () -> prove(request, isRead, answer)));
    }

    @Override
    public void getMembershipProof(GetMembershipProofRequest request, StreamObserver<MembershipProofPart> answer) {
        inTurn(proofs, "proofs", answer, () -> endAtDamage(answer, () -> proveMembership(answer)));
    }

    /**
     * What the disk has changed is no fault of the node, and another node has it. A caller has its answer in any case.
     */
    private static void endAtDamage(StreamObserver<?> answer, Runnable read) {
        try {
            read.run();
        } catch (ArchiveException | MalformedBlockException | ChainViolationException e) {
            answer.onError(Status.DATA_LOSS
                    .withDescription("damaged here, ask another node: " + e.getMessage())
                    .withCause(e)
                    .asRuntimeException());
        } catch (RuntimeException e) {
            answer.onError(Status.INTERNAL
                    .withDescription("the proof cannot be made: " + e.getMessage())
                    .withCause(e)
                    .asRuntimeException());
            throw e;
        }
    }

    private void proveMembership(StreamObserver<MembershipProofPart> answer) {
        byte[] proof;
        try {
            proof = context.proofs().membership();
        } catch (InclusionProver.NotProvableException | MembershipUnknownException e) {
            answer.onError(Status.FAILED_PRECONDITION
                    .withDescription(e.getMessage())
                    .withCause(e)
                    .asRuntimeException());
            return;
        }
        for (int from = 0; from < proof.length; from += MEMBERSHIP_PART_LENGTH) {
            int length = Math.min(MEMBERSHIP_PART_LENGTH, proof.length - from);
            answer.onNext(MembershipProofPart.newBuilder()
                    .setBytes(ByteString.copyFrom(proof, from, length))
                    .build());
        }
        answer.onCompleted();
    }

    private void prove(GetInclusionProofRequest request, IntPredicate isRead, StreamObserver<InclusionProof> answer) {
        try {
            Digest batchId = Digest.of(request.getBatchId().toByteArray());
            long sequence = request.getBlockSequence() != 0
                    ? request.getBlockSequence()
                    : context.blocks().sequenceOf(batchId).orElse(0);
            if (sequence == 0) {
                answer.onError(Status.NOT_FOUND
                        .withDescription("batch is not in a recent block; name its block")
                        .asRuntimeException());
                return;
            }
            Optional<byte[]> proof = context.proofs().proof(sequence, batchId, isRead);
            if (proof.isEmpty()) {
                answer.onError(Status.FAILED_PRECONDITION
                        .withDescription("no checkpoint certificate covers block " + sequence + " yet")
                        .asRuntimeException());
                return;
            }
            answer.onNext(InclusionProof.newBuilder()
                    .setProof(ByteString.copyFrom(proof.get()))
                    .build());
            answer.onCompleted();
        } catch (MalformedBlockException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            answer.onError(Status.NOT_FOUND
                    .withDescription(e.getMessage())
                    .withCause(e)
                    .asRuntimeException());
        }
    }
}
