package io.sealbook.consensus;

import io.grpc.Attributes;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** A caller of a gateway that has blocks sent and takes none. It gives almost no window: they wait at the node. */
final class IdleReader implements ClientResponseObserver<GetBlocksRequest, BlockData>, AutoCloseable {
    private final ManagedChannel channel;

    IdleReader(String address, int gatewayPort) {
        channel = channelFrom(address, gatewayPort).flowControlWindow(1).build();
    }

    /** Returns a channel to a gateway of this machine from one of its addresses. */
    static NettyChannelBuilder channelFrom(String address, int gatewayPort) {
        return NettyChannelBuilder.forAddress("127.0.0.1", gatewayPort)
                .localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {
                    @Override
                    public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
                        return new InetSocketAddress(address, 0);
                    }
                })
                .usePlaintext();
    }

    /** Has all blocks sent; a node keeps 32 KiB of them, and the rest of the last one, for a reader. */
    void getBlocks() {
        OrderGatewayGrpc.newStub(channel).getBlocks(GetBlocksRequest.getDefaultInstance(), this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<GetBlocksRequest> call) {
        call.disableAutoRequestWithInitial(0);
    }

    @Override
    public void onNext(BlockData block) {
        throw new AssertionError("it has asked for none");
    }

    @Override
    public void onError(Throwable reason) {
        // The node ends it, or the end of the test.
    }

    @Override
    public void onCompleted() {
        // Nothing depends on it.
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
