package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.consensus.ingress.BatchSource;
import io.sealbook.consensus.ingress.Verdict;
import io.sealbook.consensus.status.NodePhase;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;

/**
 * One broker's order entry. At most {@code submitInFlightMax} batches are unanswered; further ones stay on the wire, which slows the
 * broker down without blocking anybody. When the ring is full in spite of that, the answer is BUSY with a hint when to try again.
 *
 * <p>Requests come on the event loop, verdicts from ring threads; the lock orders their replies, which gRPC only queues.
 */
final class SubmitStream implements StreamObserver<SubmitRequest>, BatchSource {
    private static final int BUSY_RETRY_MS = 20;
    /** So many requests are granted at once, in parts of the window: each grant is a task for the event loop. */
    private static final int GRANTS_PER_WINDOW = 8;

    private final GatewayContext context;
    private final ServerCallStreamObserver<SubmitReply> replies;
    private int unanswered;
    private int unrequested;
    private boolean isHalfClosed;
    private boolean isEnded;

    SubmitStream(GatewayContext context, ServerCallStreamObserver<SubmitReply> replies) {
        this.context = context;
        this.replies = replies;
        replies.disableAutoRequest();
        replies.setOnReadyHandler(this::requestMore);
        replies.setOnCancelHandler(this::end);
        replies.request(context.submitInFlightMax());
    }

    @Override
    public int peer() {
        return BROKER;
    }

    @Override
    public void onNext(SubmitRequest request) {
        context.metrics().submitted();
        synchronized (this) {
            unanswered++;
        }
        NodePhase phase = context.state().phase();
        if (!phase.takesBatches()) {
            refuse(request, Verdict.notReady("node is " + phase));
            return;
        }
        byte[] batch = request.getSignedBatch().toByteArray();
        if (!context.ingress().offer(this, request.getCorrelationId(), batch, null)) {
            refuse(request, Verdict.busy("ingress ring is full", BUSY_RETRY_MS));
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
                .setBatchId(ByteString.copyFrom(verdict.batchId()))
                .setRetryAfterMs(verdict.retryAfterMs())
                .setLastBlock(context.state().lastBlock().sequence())
                .build();
        synchronized (this) {
            unanswered--;
            if (isEnded) {
                return;
            }
            replies.onNext(reply);
            unrequested++;
            if (isHalfClosed && unanswered == 0) {
                isEnded = true;
                replies.onCompleted();
                return;
            }
        }
        requestMore();
    }

    /** Lets as many new requests in as were answered, unless the broker does not read its replies. */
    private void requestMore() {
        int count;
        synchronized (this) {
            int grant = Math.max(1, context.submitInFlightMax() / GRANTS_PER_WINDOW);
            if (isEnded || unrequested < grant || !replies.isReady()) {
                return;
            }
            count = unrequested;
            unrequested = 0;
        }
        if (count > 0) {
            replies.request(count);
        }
    }

    @Override
    public void onError(Throwable reason) {
        end();
    }

    @Override
    public synchronized void onCompleted() {
        isHalfClosed = true;
        if (unanswered == 0 && !isEnded) {
            isEnded = true;
            replies.onCompleted();
        }
    }

    private synchronized void end() {
        isEnded = true;
    }
}
