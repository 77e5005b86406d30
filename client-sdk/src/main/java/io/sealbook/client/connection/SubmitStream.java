package io.sealbook.client.connection;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;

/**
 * One node's order entry: many batches in flight on one bidirectional stream, written only while gRPC would not buffer. Loop thread
 * only, except the observer's callbacks.
 */
final class SubmitStream {
    private static final int WINDOW = 1024;
    /** Granted at once: each grant is a task for gRPC's event loop. */
    private static final int GRANT = WINDOW / 8;

    private final GatewayLink link;
    private final OrderGatewayGrpc.OrderGatewayStub stub;
    private final ClientLoop loop;
    private final GatewayEvents events;
    private Entry current;

    SubmitStream(GatewayLink link, OrderGatewayGrpc.OrderGatewayStub stub, ClientLoop loop, GatewayEvents events) {
        this.link = link;
        this.stub = stub;
        this.loop = loop;
        this.events = events;
    }

    boolean isWritable() {
        if (current == null) {
            current = new Entry();
            stub.submit(current);
        }
        return current.stream.isReady();
    }

    void send(long correlationId, byte[] signedBatch) {
        current.stream.onNext(SubmitRequest.newBuilder()
                .setCorrelationId(correlationId)
                .setSignedBatch(UnsafeByteOperations.unsafeWrap(signedBatch))
                .build());
    }

    void abandon(String why) {
        Entry abandoned = current;
        current = null;
        if (abandoned != null) {
            abandoned.stream.cancel(why, null);
            events.onSubmitLost(link, why);
        }
    }

    void close() {
        Entry closing = current;
        current = null;
        if (closing != null) {
            closing.stream.cancel("client closed", null);
        }
    }

    private void onReply(Entry entry, SubmitReply reply) {
        if (entry == current) {
            events.onReply(link, reply);
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
            current = null;
            events.onSubmitLost(link, status.toString());
            link.onSubmitsLost(status);
        }
    }

    private final class Entry implements ClientResponseObserver<SubmitRequest, SubmitReply> {
        private ClientCallStreamObserver<SubmitRequest> stream;
        /** Replies since the last grant; loop thread. */
        private int handled;

        @Override
        public void beforeStart(ClientCallStreamObserver<SubmitRequest> requestStream) {
            stream = requestStream;
            requestStream.disableAutoRequestWithInitial(WINDOW);
            requestStream.setOnReadyHandler(() -> loop.execute(() -> onReady(this)));
        }

        @Override
        public void onNext(SubmitReply reply) {
            loop.execute(() -> onReply(this, reply));
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
