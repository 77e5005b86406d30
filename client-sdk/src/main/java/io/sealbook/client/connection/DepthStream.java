package io.sealbook.client.connection;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import java.util.function.BiConsumer;

/**
 * The depth of one instrument as one engine reports it: the present state, then what follows, one message at a time.
 * The stream is opened again after a failure. Loop thread only.
 */
public final class DepthStream {
    private final int nodeId;
    private final ManagedChannel channel;
    private final ClientLoop loop;
    private final MarketDataRequest request;
    private final Backoff backoff;
    private final BiConsumer<Integer, Depth> onDepth;
    private final BiConsumer<Integer, String> onFailure;
    private Reader current;
    private boolean isClosed;

    /**
     * Opens the stream.
     *
     * @param nodeId id of the engine's node
     * @param channel to the engine; stays the caller's
     * @param config delays
     * @param loop on which everything here runs
     * @param request names the instrument and the number of levels
     * @param onDepth gets the node's id and each message
     * @param onFailure gets the node's id and why the stream ended
     */
    public DepthStream(
            int nodeId,
            ManagedChannel channel,
            LinkConfig config,
            ClientLoop loop,
            MarketDataRequest request,
            BiConsumer<Integer, Depth> onDepth,
            BiConsumer<Integer, String> onFailure) {
        this.nodeId = nodeId;
        this.channel = channel;
        this.loop = loop;
        this.request = request;
        this.backoff = new Backoff(config.backoffMinNs(), config.backoffMaxNs());
        this.onDepth = onDepth;
        this.onFailure = onFailure;
        open();
    }

    private void open() {
        if (!isClosed) {
            channel.resetConnectBackoff();
            current = new Reader();
            MarketDataGrpc.newStub(channel).followDepth(request, current);
        }
    }

    /** Ends the stream; nothing comes after it. */
    public void close() {
        isClosed = true;
        current.stream.cancel("no more is wanted", null);
    }

    private final class Reader implements ClientResponseObserver<MarketDataRequest, Depth> {
        private ClientCallStreamObserver<MarketDataRequest> stream;

        @Override
        public void beforeStart(ClientCallStreamObserver<MarketDataRequest> requestStream) {
            stream = requestStream;
            requestStream.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(Depth depth) {
            loop.execute(() -> {
                if (!isClosed) {
                    onDepth.accept(nodeId, depth);
                    stream.request(1);
                }
            });
        }

        @Override
        public void onError(Throwable cause) {
            ended(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            ended(Status.UNAVAILABLE.withDescription("engine ended the stream"));
        }

        private void ended(Status status) {
            loop.execute(() -> {
                if (!isClosed) {
                    String fact = status.getDescription();
                    onFailure.accept(nodeId, fact == null ? status.getCode().name() : fact);
                    loop.schedule(backoff.nextNs(), DepthStream.this::open);
                }
            });
        }
    }
}
