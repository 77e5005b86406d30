package io.sealbook.client.connection;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.GetMembershipProofRequest;
import io.sealbook.protocol.v1.MembershipProofPart;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/** Joins the parts of a node's membership proof; threads of gRPC. */
final class MembershipProofAnswer implements ClientResponseObserver<GetMembershipProofRequest, MembershipProofPart> {
    /** Tens of thousands of transactions. */
    private static final int LENGTH_MAX = 64 << 20;

    private final Consumer<byte[]> onProof;
    private final Consumer<String> onFailure;
    private final ByteArrayOutputStream proof = new ByteArrayOutputStream();
    private ClientCallStreamObserver<GetMembershipProofRequest> call;

    /**
     * Has no part yet.
     *
     * @param onProof gets what the node sent
     * @param onFailure gets why it sent none
     */
    MembershipProofAnswer(Consumer<byte[]> onProof, Consumer<String> onFailure) {
        this.onProof = onProof;
        this.onFailure = onFailure;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<GetMembershipProofRequest> started) {
        call = started;
    }

    @Override
    public void onNext(MembershipProofPart part) {
        ByteString bytes = part.getBytes();
        if (bytes.size() > LENGTH_MAX - proof.size()) {
            call.cancel("a membership proof of more than " + LENGTH_MAX + " bytes", null);
            return;
        }
        proof.writeBytes(bytes.toByteArray());
    }

    @Override
    public void onError(Throwable cause) {
        onFailure.accept(ProofAnswer.reason(Status.fromThrowable(cause)));
    }

    @Override
    public void onCompleted() {
        onProof.accept(proof.toByteArray());
    }
}
