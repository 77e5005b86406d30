package io.sealbook.consensus.follow;

import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.FollowerStatus;
import io.sealbook.protocol.v1.GetFollowerStatusRequest;
import java.util.function.Supplier;

/** Answers {@code consensus-node.jar status} of a follower. Any thread. */
final class FollowerInfoService extends FollowerInfoGrpc.FollowerInfoImplBase {
    private final Supplier<FollowerStatus> status;

    FollowerInfoService(Supplier<FollowerStatus> status) {
        this.status = status;
    }

    @Override
    public void getFollowerStatus(GetFollowerStatusRequest request, StreamObserver<FollowerStatus> answer) {
        answer.onNext(status.get());
        answer.onCompleted();
    }
}
