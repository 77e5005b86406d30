package io.sealbook.client.connection;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.InclusionProof;
import java.util.function.Consumer;

/**
 * A node's answer to a request for a proof; threads of gRPC.
 *
 * @param onProof gets what the node sent
 * @param onFailure gets why it sent none
 */
record ProofAnswer(Consumer<byte[]> onProof, Consumer<String> onFailure) implements StreamObserver<InclusionProof> {
    @Override
    public void onNext(InclusionProof answer) {
        onProof.accept(answer.getProof().toByteArray());
    }

    @Override
    public void onError(Throwable cause) {
        onFailure.accept(reason(Status.fromThrowable(cause)));
    }

    static String reason(Status status) {
        return status.getDescription() == null ? status.getCode().name() : status.getDescription();
    }

    @Override
    public void onCompleted() {
        // A unary call completes after its one answer, or fails.
    }
}
