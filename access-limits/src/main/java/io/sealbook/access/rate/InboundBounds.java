package io.sealbook.access.rate;

import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.ServerCredentials;
import io.grpc.netty.NettyServerBuilder;

/**
 * The bounds of what a gRPC port takes of one connection, beside places and rates. A message has at most as many bytes
 * as the port says, and one that has begun and not ended is counted ({@link UnfinishedRequests}). None is compressed: 1
 * KiB of gzip may be the largest message, and bounds and rates count the bytes that come over the network.
 *
 * <p>A connection has so many calls at once. A call that its client cancels leaves its place at once, so that begun and
 * cancelled calls cost the server their headers without end, refused or not (CVE-2023-44487). A connection that cancels
 * more calls in a second than it could have under way is closed: those that were open, and those that the rates let
 * through.
 */
public final class InboundBounds {
    private static final DecompressorRegistry UNCOMPRESSED =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    /**
     * Of a stream: what gRPC begins with. It would let it grow to the eightfold, and a stream whose service asks for no
     * message may fill it.
     */
    static final int WINDOW_BYTES = 1 << 20;

    private static final int CANCEL_WINDOW_S = 1;

    private InboundBounds() {}

    /**
     * Returns credentials of a server that sees the frames of its connections. Without them it does not count what
     * waits for its services, and keeps calls that have ended until their callers have read all.
     */
    public static ServerCredentials watched(ServerCredentials credentials) {
        return InboundFrames.watched(credentials);
    }

    /**
     * Sets the bounds of a server. A call with another encoding than {@code identity} ends with UNIMPLEMENTED before
     * its service sees it.
     *
     * @param builder of the server, with credentials that are {@link #watched}
     * @param messageBytesMax of one message
     * @param callsMax of one connection at once
     * @param rates of one holder at the port
     * @return the builder
     */
    public static NettyServerBuilder set(NettyServerBuilder builder, int messageBytesMax, int callsMax, Rates rates) {
        return set(builder, new UnfinishedRequests(messageBytesMax), messageBytesMax, callsMax, rates);
    }

    /**
     * As above.
     *
     * @param builder of the server, with credentials that are {@link #watched}
     * @param unfinished counts what has begun
     * @param messageBytesMax of one message
     * @param callsMax of one connection at once
     * @param rates of one holder at the port
     * @return the builder
     */
    static NettyServerBuilder set(
            NettyServerBuilder builder, UnfinishedRequests unfinished, int messageBytesMax, int callsMax, Rates rates) {
        return builder.decompressorRegistry(UNCOMPRESSED)
                .maxInboundMessageSize(messageBytesMax)
                .flowControlWindow(WINDOW_BYTES)
                .addStreamTracerFactory(unfinished)
                .maxConcurrentCallsPerConnection(callsMax)
                .maxRstFramesPerWindow(cancelsMax(callsMax, rates), CANCEL_WINDOW_S);
    }

    /** Of a window: calls that are open at its start, and those that may begin in it. */
    static int cancelsMax(int callsMax, Rates rates) {
        return callsMax + (TokenBucket.BURST_S + CANCEL_WINDOW_S) * rates.callsPerSecond();
    }
}
