package io.sealbook.client.connection;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import java.util.function.Supplier;

/**
 * One node's order entry: many batches in flight on one bidirectional stream, written only while gRPC would not buffer.
 * Batches that the loop sends in one run of its tasks travel in one message. Loop thread only, except the observer's
 * callbacks.
 */
final class BatchStream {
    private static final int WINDOW = 1024;
    /** Granted at once: each grant is a task for gRPC's event loop. */
    private static final int GRANT = WINDOW / 8;
    /** What a node takes in one message. */
    private static final int REQUESTS_PER_MESSAGE_MAX = 16;

    private final GatewayLink link;
    private final Supplier<OrderGatewayGrpc.OrderGatewayStub> stub;
    private final ClientLoop loop;
    private final GatewayEvents events;
    private SubmitRequests.Builder unsent = SubmitRequests.newBuilder();
    private Entry current;

    BatchStream(
            GatewayLink link, Supplier<OrderGatewayGrpc.OrderGatewayStub> stub, ClientLoop loop, GatewayEvents events) {
        this.link = link;
        this.stub = stub;
        this.loop = loop;
        this.events = events;
    }

    boolean isWritable() {
        if (current == null) {
            current = new Entry();
            stub.get().submit(current);
        }
        return current.stream.isReady();
    }

    void send(long correlationId, byte[] signedBatch) {
        if (unsent.getRequestsCount() == 0) {
            loop.execute(this::sendTogether);
        }
        unsent.addRequests(SubmitRequest.newBuilder()
                .setCorrelationId(correlationId)
                .setSignedBatch(UnsafeByteOperations.unsafeWrap(signedBatch)));
        if (unsent.getRequestsCount() == REQUESTS_PER_MESSAGE_MAX) {
            sendTogether();
        }
    }

    private void sendTogether() {
        if (current != null && unsent.getRequestsCount() > 0) {
            current.stream.onNext(unsent.build());
            unsent = SubmitRequests.newBuilder();
        }
    }

    /** Returns the stream, which is the current one no longer; what was not sent on it is forgotten. */
    private Entry takeCurrent() {
        Entry taken = current;
        current = null;
        unsent = SubmitRequests.newBuilder();
        return taken;
    }

    void abandon(String why) {
        Entry abandoned = takeCurrent();
        if (abandoned != null) {
            abandoned.stream.cancel(why, null);
            events.onSubmitLost(link, why);
        }
    }

    void close() {
        Entry closing = takeCurrent();
        if (closing != null) {
            closing.stream.cancel("client closed", null);
        }
    }

    private void onReplies(Entry entry, SubmitReplies replies) {
        if (entry == current) {
            link.onHeard();
        }
        for (SubmitReply reply : replies.getRepliesList()) {
            if (entry == current) {
                events.onReply(link, reply);
            }
        }
        if (entry == current) {
            if (++entry.handled == GRANT) {
                entry.handled = 0;
                entry.stream.request(GRANT);
            }
        }
    }

    private void onReady(Entry entry) {
        if (entry == current) {
            events.onWritable(link);
        }
    }

    private void onEnd(Entry entry, Status status) {
        if (entry == current) {
            takeCurrent();
            events.onSubmitLost(link, status.toString());
            link.onSubmitsLost(status);
        }
    }

    private final class Entry implements ClientResponseObserver<SubmitRequests, SubmitReplies> {
        private ClientCallStreamObserver<SubmitRequests> stream;
        /** Messages since the last grant; loop thread. */
        private int handled;

        @Override
        public void beforeStart(ClientCallStreamObserver<SubmitRequests> requestStream) {
            stream = requestStream;
            requestStream.disableAutoRequestWithInitial(WINDOW);
            requestStream.setOnReadyHandler(() -> loop.execute(() -> onReady(this)));
        }

        @Override
        public void onNext(SubmitReplies replies) {
            loop.execute(() -> onReplies(this, replies));
        }

        @Override
        public void onError(Throwable cause) {
            loop.execute(() -> onEnd(this, Status.fromThrowable(cause)));
        }

        @Override
        public void onCompleted() {
            loop.execute(() -> onEnd(this, Status.ABORTED.withDescription("node ended the submit stream")));
        }
    }
}
