package io.sealbook.client.connection;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.util.function.Supplier;

/**
 * The receipts of one node, granted block by block as they are handled. Loop thread only, except the observer's
 * callbacks.
 */
final class ReceiptStream {
    private static final int WINDOW = 64;

    private final GatewayLink link;
    private final Supplier<OrderGatewayGrpc.OrderGatewayStub> stub;
    private final int brokerId;
    private final ClientLoop loop;
    private final GatewayEvents events;
    private Follower current;

    ReceiptStream(
            GatewayLink link,
            Supplier<OrderGatewayGrpc.OrderGatewayStub> stub,
            int brokerId,
            ClientLoop loop,
            GatewayEvents events) {
        this.link = link;
        this.stub = stub;
        this.brokerId = brokerId;
        this.loop = loop;
        this.events = events;
    }

    void openIfClosed() {
        if (current != null) {
            return;
        }
        current = new Follower();
        FollowReceiptsRequest request = FollowReceiptsRequest.newBuilder()
                .setBrokerId(brokerId)
                .setFromBlock(events.receiptsFrom(link))
                .build();
        stub.get().followReceipts(request, current);
    }

    void close() {
        Follower closing = current;
        current = null;
        if (closing != null) {
            closing.stream.cancel("client gives the stream up", null);
        }
    }

    private void onReceipts(Follower follower, BlockReceipts receipts) {
        if (follower != current) {
            return;
        }
        link.onHeard();
        events.onReceipts(link, receipts);
        follower.stream.request(1);
    }

    private void onEnd(Follower follower, Status status) {
        if (follower == current) {
            current = null;
            link.onReceiptsLost(status);
        }
    }

    private final class Follower implements ClientResponseObserver<FollowReceiptsRequest, BlockReceipts> {
        private ClientCallStreamObserver<FollowReceiptsRequest> stream;

        @Override
        public void beforeStart(ClientCallStreamObserver<FollowReceiptsRequest> requestStream) {
            stream = requestStream;
            requestStream.disableAutoRequestWithInitial(WINDOW);
        }

        @Override
        public void onNext(BlockReceipts receipts) {
            loop.execute(() -> onReceipts(this, receipts));
        }

        @Override
        public void onError(Throwable cause) {
            loop.execute(() -> onEnd(this, Status.fromThrowable(cause)));
        }

        @Override
        public void onCompleted() {
            loop.execute(() -> onEnd(this, Status.ABORTED.withDescription("node ended the receipts")));
        }
    }
}
