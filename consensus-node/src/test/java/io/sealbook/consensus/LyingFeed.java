package io.sealbook.consensus;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A feed that stands before a node's and alters what passes, or keeps it. */
final class LyingFeed implements AutoCloseable {
    private final ManagedChannel node;
    private final Server server;
    /** What was passed on, of all streams. */
    final AtomicLong passed = new AtomicLong();

    /**
     * Begins to serve.
     *
     * @param gatewayPort of the node that is told the truth by
     * @param lie makes of each item another one; null keeps it back, and a status that it throws ends the stream
     */
    LyingFeed(int gatewayPort, Function<FeedItem, FeedItem> lie) throws IOException {
        node = NettyChannelBuilder.forAddress("127.0.0.1", gatewayPort)
                .usePlaintext()
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new BlockFeedGrpc.BlockFeedImplBase() {
                    @Override
                    public void followBlocks(FollowBlocksRequest request, StreamObserver<FeedItem> items) {
                        Context.current()
                                .fork()
                                .run(() -> BlockFeedGrpc.newStub(node).followBlocks(request, new Liar(items, lie)));
                    }
                })
                .build()
                .start();
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    private final class Liar implements StreamObserver<FeedItem> {
        private final StreamObserver<FeedItem> items;
        private final Function<FeedItem, FeedItem> lie;
        private boolean isEnded;

        Liar(StreamObserver<FeedItem> items, Function<FeedItem, FeedItem> lie) {
            this.items = items;
            this.lie = lie;
        }

        @Override
        public void onNext(FeedItem item) {
            if (isEnded) {
                return;
            }
            FeedItem told;
            try {
                told = lie.apply(item);
            } catch (StatusRuntimeException end) {
                isEnded = true;
                items.onError(end);
                return;
            }
            if (told != null) {
                passed.incrementAndGet();
                items.onNext(told);
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (!isEnded) {
                items.onError(failure);
            }
        }

        @Override
        public void onCompleted() {
            items.onCompleted();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        node.shutdownNow();
    }
}
