package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.protocol.v1.SubmitReply;

/** A call that hands in one batch and is answered by its verdict. */
final class SingleSubmission implements BatchSource {
    private final GatewayContext context;
    private final Object holder;
    private final StreamObserver<SubmitReply> answer;

    SingleSubmission(GatewayContext context, Object holder, StreamObserver<SubmitReply> answer) {
        this.context = context;
        this.holder = holder;
        this.answer = answer;
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
    public void onVerdict(long correlationId, Verdict verdict) {
        answer.onNext(SubmitReply.newBuilder()
                .setStatus(verdict.status())
                .setReason(verdict.reason())
                .setDetail(verdict.detail())
                .setBatchId(
                        verdict.batchId() == null
                                ? ByteString.EMPTY
                                : ByteString.copyFrom(verdict.batchId().bytes()))
                .setRetryAfterMs(verdict.retryAfterMs())
                .setExpectedNumber(verdict.expectedNumber())
                .setLastBlock(context.state().lastBlock().sequence())
                .build());
        answer.onCompleted();
    }

    @Override
    public void onVerdictsEnd() {
        // The call was answered with its verdict.
    }
}
