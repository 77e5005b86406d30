package io.sealbook.access.rate;

import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.netty.NettyServerBuilder;

/**
 * The bounds of what a gRPC port takes of one call, beside places and rates. A message has at most as many bytes as the
 * port says, one that has begun and not ended is counted ({@link UnfinishedRequests}), and none is compressed: both
 * bounds and the rates of bytes are about what comes over the network, and 1 KiB of gzip may be the largest message.
 */
public final class InboundBounds {
    private static final DecompressorRegistry UNCOMPRESSED =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    private InboundBounds() {}

    /**
     * Sets the bounds of a server. A call with another encoding than {@code identity} ends with UNIMPLEMENTED before
     * its service sees it.
     *
     * @param builder of the server
     * @param messageBytesMax of one message
     * @return the builder
     */
    public static NettyServerBuilder set(NettyServerBuilder builder, int messageBytesMax) {
        return builder.decompressorRegistry(UNCOMPRESSED)
                .maxInboundMessageSize(messageBytesMax)
                .addStreamTracerFactory(new UnfinishedRequests(messageBytesMax));
    }
}
