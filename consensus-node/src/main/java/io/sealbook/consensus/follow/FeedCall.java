package io.sealbook.consensus.follow;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One stream from a source. It requests a few items ahead and a further one for each that was processed, so that a slow
 * follower slows its source down and holds little. Its callbacks run on gRPC's threads.
 */
final class FeedCall implements ClientResponseObserver<FollowBlocksRequest, FeedItem> {
    private static final int ITEMS_AHEAD = 8;

    /**
     * Something that came from a source.
     *
     * @param call which brought it
     * @param item empty at the end of the stream
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
