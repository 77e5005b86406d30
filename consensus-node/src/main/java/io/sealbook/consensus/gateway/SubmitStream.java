package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.status.NodePhase;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.vocabulary.SignedBatch;

/**
 * One broker's order entry. Messages are asked for only as far as {@code submitInFlightMax} unanswered batches allow,
 * each message taken for a full one; further ones stay on the wire, which slows the broker down without blocking
 * anybody. When there is no room in spite of that, the answer is BUSY with a hint when to try again.
 *
 * <p>Requests come on the event loop, verdicts from ring threads; the lock orders their replies, which gRPC only
 * queues.
 */
final class SubmitStream implements StreamObserver<SubmitRequests>, BatchSource {
    /** What the interface promises to take in one message. */
    static final int REQUESTS_PER_MESSAGE_MAX = 16;

    private static final int BUSY_RETRY_MS = 20;
    /** Bytes of the longest batch that any chain takes, with its signature. */
    private static final int LENGTH_MAX = SignedBatch.signedLength(SignedBatch.ORDER_COUNT_LIMIT);
    /** Replies in a message at most. */
    private static final int REPLIES_PER_MESSAGE_MAX = 64;
    /** Messages are asked for in groups: each call is a task for the event loop. */
    private static final int GRANT = 4;

    private final GatewayContext context;
    private final Object holder;
    private final ServerCallStreamObserver<SubmitReplies> stream;
    private SubmitReplies.Builder replies = SubmitReplies.newBuilder();
    private int unanswered;
    /** Messages that were asked for and have not come. */
    private int granted;

    private boolean isHalfClosed;
    private boolean isEnded;

    /**
     * Asks for the first messages.
     *
     * @param context of the gateway
     * @param holder who sends; streams of equal ones have their turn together
     * @param stream of the answers
     */
    SubmitStream(GatewayContext context, Object holder, ServerCallStreamObserver<SubmitReplies> stream) {
        this.context = context;
        this.holder = holder;
        this.stream = stream;
        stream.disableAutoRequest();
        stream.setOnReadyHandler(this::requestMore);
        stream.setOnCancelHandler(this::end);
        granted = grantable();
        stream.request(granted);
    }

    @Override
    public int peer() {
        return BROKER;
    }

    @Override
    public Object holder() {
        return holder;
    }

    @Override
    public void onNext(SubmitRequests message) {
        int count = message.getRequestsCount();
        synchronized (this) {
            granted--;
            if (isEnded) {
                return;
            }
            if (count == 0 || count > REQUESTS_PER_MESSAGE_MAX) {
                isEnded = true;
                stream.onError(Status.INVALID_ARGUMENT
                        .withDescription(count + " requests in a message, expected 1 to " + REQUESTS_PER_MESSAGE_MAX)
                        .asRuntimeException());
                return;
            }
            unanswered += count;
        }
        NodePhase phase = context.state().phase();
        for (SubmitRequest request : message.getRequestsList()) {
            submit(request, phase);
        }
        onVerdictsEnd();
    }

    private void submit(SubmitRequest request, NodePhase phase) {
        context.metrics().submitted();
        if (!phase.takesBatches()) {
            refuse(request, Verdict.notReady("node is " + phase));
            return;
        }
        if (GatewayRules.isAdministrative(request.getSignedBatch())) {
            refuse(
                    request,
                    Verdict.refused(RefusalReason.MALFORMED, "offset 2: administrative batches are not orders", null));
            return;
        }
        int length = request.getSignedBatch().size();
        if (length > LENGTH_MAX) {
            // What waits for admission is counted in batches: none may be longer than one that is sound.
            refuse(
                    request,
                    Verdict.refused(RefusalReason.OVERSIZE_BATCH, length + " bytes, at most " + LENGTH_MAX, null));
            return;
        }
        byte[] batch = request.getSignedBatch().toByteArray();
        if (!context.ingress().offer(this, request.getCorrelationId(), batch, null)) {
            refuse(request, Verdict.busy("too many batches wait to be verified", BUSY_RETRY_MS));
        }
    }

    private void refuse(SubmitRequest request, Verdict verdict) {
        context.metrics().refused(verdict.reason());
        onVerdict(request.getCorrelationId(), verdict);
    }

    @Override
    public void onVerdict(long correlationId, Verdict verdict) {
        SubmitReply reply = SubmitReply.newBuilder()
                .setCorrelationId(correlationId)
                .setStatus(verdict.status())
                .setReason(verdict.reason())
                .setDetail(verdict.detail())
                .setBatchId(
                        verdict.batchId() == null
                                ? ByteString.EMPTY
                                : UnsafeByteOperations.unsafeWrap(
                                        verdict.batchId().bytes()))
                .setRetryAfterMs(verdict.retryAfterMs())
                .setExpectedNumber(verdict.expectedNumber())
                .setLastBlock(context.state().lastBlock().sequence())
                .build();
        synchronized (this) {
            unanswered--;
            if (replies.addReplies(reply).getRepliesCount() == REPLIES_PER_MESSAGE_MAX) {
                sendReplies();
            }
        }
    }

    @Override
    public void onVerdictsEnd() {
        synchronized (this) {
            completeIfDone();
        }
        requestMore();
    }

    private void sendReplies() {
        if (!isEnded && replies.getRepliesCount() > 0) {
            stream.onNext(replies.build());
        }
        replies = SubmitReplies.newBuilder();
    }

    private void completeIfDone() {
        sendReplies();
        if (!isEnded && isHalfClosed && unanswered == 0) {
            isEnded = true;
            stream.onCompleted();
        }
    }

    /** Lets messages in while few enough batches are unanswered, unless the broker does not read its replies. */
    private void requestMore() {
        int count;
        synchronized (this) {
            count = grantable();
            if (isEnded || count == 0 || count < GRANT && granted > 0 || !stream.isReady()) {
                return;
            }
            granted += count;
        }
        stream.request(count);
    }

    /** Returns how many more messages fit the limit; one when nothing is under way, however small the limit. */
    private int grantable() {
        int free = (context.submitInFlightMax() - unanswered) / REQUESTS_PER_MESSAGE_MAX - granted;
        return Math.max(free, granted == 0 && unanswered == 0 ? 1 : 0);
    }

    @Override
    public void onError(Throwable reason) {
        end();
    }

    @Override
    public synchronized void onCompleted() {
        isHalfClosed = true;
        completeIfDone();
    }

    private synchronized void end() {
        isEnded = true;
    }
}
