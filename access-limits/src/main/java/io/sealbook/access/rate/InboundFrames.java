package io.sealbook.access.rate;

import io.grpc.ServerCredentials;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalNettyServerCredentials;
import io.grpc.netty.InternalProtocolNegotiator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;

/**
 * The frames of one connection on their way to gRPC, which shows its tracers no byte before a service asks for a
 * message. A DATA frame does not reach gRPC if its call has ended here, if too much of its caller waits, or if it has
 * neither content nor an end: gRPC would keep its buffer, for which no window is needed. A piece that waits for others
 * is copied: it would hold the buffer of the network in which it came.
 *
 * <p>gRPC offers no other way to its connections than the negotiation of protocols, which it calls internal. Thread of
 * the connection.
 */
final class InboundFrames extends Http2FrameListenerDecorator {
    /** The stream whose headers gRPC has at present, which makes its tracers meanwhile. */
    private static final ThreadLocal<InboundStream> BEGINNING = new ThreadLocal<>();

    private final Http2ConnectionHandler connection;
    private final Http2Connection.PropertyKey key;

    private InboundFrames(Http2ConnectionHandler connection, Http2FrameListener next) {
        super(next);
        this.connection = connection;
        this.key = connection.connection().newKey();
    }

    /** Returns credentials of servers whose frames are looked at. */
    static ServerCredentials watched(ServerCredentials credentials) {
        InternalProtocolNegotiator.ServerFactory factory = InternalNettyServerCredentials.toNegotiator(credentials);
        return InternalNettyServerCredentials.create(
                (InternalProtocolNegotiator.ServerFactory) pool -> new Negotiator(factory.newNegotiator(pool)));
    }

    private record Negotiator(InternalProtocolNegotiator.ProtocolNegotiator next)
            implements InternalProtocolNegotiator.ProtocolNegotiator {
        @Override
        public AsciiString scheme() {
            return next.scheme();
        }

        @Override
        public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
            connection
                    .decoder()
                    .frameListener(
                            new InboundFrames(connection, connection.decoder().frameListener()));
            return next.newHandler(connection);
        }

        @Override
        public void close() {
            next.close();
        }
    }

    /** Returns the stream whose call begins on this thread; null if the server's credentials are not watched. */
    static InboundStream beginning() {
        return BEGINNING.get();
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext context, int id, Http2Headers headers, int padding, boolean isLast)
            throws Http2Exception {
        begin(context, id);
        try {
            super.onHeadersRead(context, id, headers, padding, isLast);
            begun();
        } finally {
            BEGINNING.remove();
        }
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int id,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean isExclusive,
            int padding,
            boolean isLast)
            throws Http2Exception {
        begin(context, id);
        try {
            super.onHeadersRead(context, id, headers, dependency, weight, isExclusive, padding, isLast);
            begun();
        } finally {
            BEGINNING.remove();
        }
    }

    private void begin(ChannelHandlerContext context, int id) {
        Http2Stream stream = connection.connection().stream(id);
        if (stream != null && stream.getProperty(key) == null) {
            InboundStream begun = new InboundStream(connection, context, stream);
            stream.setProperty(key, begun);
            BEGINNING.set(begun);
        }
    }

    /** Services run on this thread, so that one which may have the call has it. */
    private static void begun() {
        InboundStream begun = beginning();
        if (begun != null) {
            begun.onBegun();
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int id, ByteBuf data, int padding, boolean isLast)
            throws Http2Exception {
        InboundStream stream = connection.connection().stream(id).getProperty(key);
        int bytes = data.readableBytes();
        if (bytes == 0 && !isLast) {
            return padding;
        }
        if (!stream.takes(bytes, padding)) {
            if (isLast) {
                super.onDataRead(context, id, Unpooled.EMPTY_BUFFER, 0, true);
            }
            return bytes + padding;
        }
        ByteBuf piece = stream.isBehind() ? Unpooled.copiedBuffer(data) : data.retain();
        try {
            return super.onDataRead(context, id, piece, padding, isLast);
        } finally {
            piece.release();
            stream.onGiven(bytes, padding);
        }
    }
}
