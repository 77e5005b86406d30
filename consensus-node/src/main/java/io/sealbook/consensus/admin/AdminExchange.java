package io.sealbook.consensus.admin;

import static io.netty.handler.codec.http.HttpHeaderNames.ALLOW;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_TYPE;
import static io.netty.handler.codec.http.HttpHeaderNames.HOST;
import static io.netty.handler.codec.http.HttpHeaderNames.RETRY_AFTER;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.sealbook.access.HostHeader;
import io.sealbook.access.rate.RateRefusal;
import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the admin port: a request, its answer, the next request. The time of an exchange runs from the
 * moment the connection waits for the request until the answer is written, however many bytes come or go meanwhile.
 * Fields belong to the event loop.
 */
final class AdminExchange extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminExchange.class);

    private final AdminConnections connections;
    private Future<?> deadline;
    private boolean isAnswering;

    AdminExchange(AdminConnections connections) {
        this.connections = connections;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        awaitRequest(context);
    }

    private void awaitRequest(ChannelHandlerContext context) {
        isAnswering = false;
        connections.onWaiting(context.channel());
        deadline = context.executor()
                .schedule(() -> context.close(), connections.requestTimeoutMs(), TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (isAnswering) {
            // Requests sent ahead of their turn would be work without a limit.
            context.close();
            return;
        }
        isAnswering = true;
        connections.onRequest(context.channel());
        if (request.decoderResult().isFailure()) {
            write(context, Answer.text(HttpResponseStatus.BAD_REQUEST, "request cannot be read"))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        Optional<RateRefusal> tooMany = connections.rates().takeRequest(context);
        if (tooMany.isPresent()) {
            write(context, Answer.tooMany(tooMany.get())).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        if (connections.isForeign(request.headers().get(HOST))) {
            write(context, Answer.text(HttpResponseStatus.MISDIRECTED_REQUEST, HostHeader.REFUSAL));
            return;
        }
        String path = new QueryStringDecoder(request.uri()).path();
        if (LogLevels.serves(request.method(), path)) {
            answerOperator(context, request, path);
            return;
        }
        if (!request.method().equals(HttpMethod.GET)) {
            write(context, Answer.text(HttpResponseStatus.METHOD_NOT_ALLOWED, "GET only"));
            return;
        }
        Supplier<Answer> page = connections.page(path);
        if (page == null) {
            write(context, Answer.text(HttpResponseStatus.NOT_FOUND, "no such page"));
            return;
        }
        Thread.ofVirtual().name("admin-answer").start(() -> write(context, answer(path, page)));
    }

    /** The request is released when this returns: what it says is read before. */
    private void answerOperator(ChannelHandlerContext context, FullHttpRequest request, String path) {
        HttpMethod method = request.method();
        String body = request.content().toString(StandardCharsets.UTF_8);
        String statement = request.headers().get(RoleStatement.HEADER);
        SslHandler tls = context.pipeline().get(SslHandler.class);
        Optional<SSLSession> session =
                Optional.ofNullable(tls).map(handler -> handler.engine().getSession());
        Supplier<Answer> page = () -> connections
                .operator()
                .refusal(session, statement)
                .orElseGet(() -> LogLevels.answer(method, path, body));
        Thread.ofVirtual().name("admin-answer").start(() -> write(context, answer(path, page)));
    }

    private static Answer answer(String path, Supplier<Answer> page) {
        try {
            return page.get();
        } catch (RuntimeException e) {
            LOG.error("admin: {} cannot be answered", path, e);
            return Answer.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, e.toString());
        }
    }

    /** Any thread. */
    private ChannelFuture write(ChannelHandlerContext context, Answer answer) {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, answer.status(), Unpooled.wrappedBuffer(body));
        response.headers().set(CONTENT_TYPE, answer.type() + "; charset=utf-8").set(CONTENT_LENGTH, body.length);
        if (answer.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(ALLOW, HttpMethod.GET);
        }
        answer.retryAfter().ifPresent(seconds -> response.headers().set(RETRY_AFTER, seconds));
        ChannelFuture written = context.writeAndFlush(response);
        written.addListener(done -> {
            deadline.cancel(false);
            if (done.isSuccess() && context.channel().isActive()) {
                awaitRequest(context);
            }
        });
        return written;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        deadline.cancel(false);
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause.getCause() instanceof SSLException) {
            LOG.debug("admin: {}: {}", context.channel().remoteAddress(), cause.getMessage());
        } else {
            LOG.warn("admin: {} closed", context.channel().remoteAddress(), cause);
        }
        context.close();
    }
}
