package io.sealbook.perf.siege;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The attacker's order entry at a node: sends any bytes as a batch and waits for the reply. One thread. */
final class RawOrders implements AutoCloseable {
    private static final long REPLY_LIMIT_S = 120;

    private final ManagedChannel channel;
    private final BlockingQueue<SubmitReply> replies = new LinkedBlockingQueue<>();
    private final StreamObserver<SubmitRequests> requests;

    /** Opens the order entry of a node as the attacking broker. */
    RawOrders(Besieged besieged, int node) throws IOException {
        channel = besieged.channel(besieged.gatewayPort(node), Guest.OTHER_BROKER);
        requests = OrderGatewayGrpc.newStub(channel)
                .withCallCredentials(besieged.identities().credentials(Guest.OTHER_BROKER))
                .submit(new StreamObserver<>() {
                    @Override
                    public void onNext(SubmitReplies message) {
                        replies.addAll(message.getRepliesList());
                    }

                    @Override
                    public void onError(Throwable failure) {
                        replies.add(SubmitReply.newBuilder()
                                .setDetail("the stream ended: " + failure)
                                .build());
                    }

                    @Override
                    public void onCompleted() {
                        replies.add(SubmitReply.newBuilder()
                                .setDetail("the stream ended")
                                .build());
                    }
                });
    }

    /** Sends a batch and returns the reply's reason, or its status if it was not refused. */
    String submit(byte[] batch) throws IOException, InterruptedException {
        requests.onNext(SubmitRequests.newBuilder()
                .addRequests(SubmitRequest.newBuilder().setSignedBatch(ByteString.copyFrom(batch)))
                .build());
        SubmitReply reply = replies.poll(REPLY_LIMIT_S, TimeUnit.SECONDS);
        if (reply == null) {
            throw new IOException("no reply in " + REPLY_LIMIT_S + " s");
        }
        return switch (reply.getStatus()) {
            case ACCEPTED, ALREADY_KNOWN -> reply.getStatus().name();
            case REFUSED -> reply.getReason().name();
            default -> reply.getDetail();
        };
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
