package io.sealbook.consensus.follow;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One stream from a source. It requests a few items ahead and a further one for each that was processed, so that a slow
 * follower slows its source down and holds little. It intercepts its own call: the headers of the answer arrive as an
 * item without content. Its callbacks run on gRPC's threads.
 */
final class FeedCall implements ClientResponseObserver<FollowBlocksRequest, FeedItem>, ClientInterceptor {
    private static final int ITEMS_AHEAD = 8;

    /**
     * Something that came from a source.
     *
     * @param call which brought it
     * @param item empty at the end of the stream; without content for the headers
     * @param end OK unless the item is empty
     */
    record Arrival(FeedCall call, Optional<FeedItem> item, Status end) {}

    private final FeedSource source;
    private final boolean hasBlocks;
    private final Consumer<Arrival> arrivals;
    private ClientCallStreamObserver<FollowBlocksRequest> stream;

    /**
     * @param source of the stream
     * @param hasBlocks false: heads only
     * @param arrivals must not wait
     */
    FeedCall(FeedSource source, boolean hasBlocks, Consumer<Arrival> arrivals) {
        this.source = source;
        this.hasBlocks = hasBlocks;
        this.arrivals = arrivals;
    }

    FeedSource source() {
        return source;
    }

    boolean hasBlocks() {
        return hasBlocks;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata requestHeaders) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onHeaders(Metadata headers) {
                                FeedCall.this.onNext(FeedItem.getDefaultInstance());
                                super.onHeaders(headers);
                            }
                        },
                        requestHeaders);
            }
        };
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FollowBlocksRequest> requestStream) {
        stream = requestStream;
        requestStream.disableAutoRequestWithInitial(ITEMS_AHEAD);
    }

    /** Requests one more item, in place of one that was processed. */
    void processed() {
        stream.request(1);
    }

    void cancel() {
        stream.cancel("not needed any more", null);
    }

    @Override
    public void onNext(FeedItem item) {
        arrivals.accept(new Arrival(this, Optional.of(item), Status.OK));
    }

    @Override
    public void onError(Throwable failure) {
        arrivals.accept(new Arrival(this, Optional.empty(), Status.fromThrowable(failure)));
    }

    @Override
    public void onCompleted() {
        onError(Status.UNAVAILABLE.withDescription("stream ended").asRuntimeException());
    }
}
