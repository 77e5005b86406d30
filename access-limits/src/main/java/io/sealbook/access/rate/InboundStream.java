package io.sealbook.access.rate;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One call as HTTP/2 has it: the pieces that have come, of which gRPC has put the first ones into messages while the
 * others wait, and whether the call has ended here. A piece is the content of one DATA frame.
 *
 * <p>The status of a call goes out after its messages, and those wait for the window of the caller. One that gives none
 * would keep the call for ever. So a call that has ended is reset if its status has not gone out after a while; if the
 * caller reads nothing from its socket either, its connection is closed.
 *
 * <p>Thread of its connection; {@link #end} and {@link #endAtOnce} any.
 */
final class InboundStream {
    private final Http2ConnectionHandler connection;
    private final ChannelHandlerContext context;
    private final Http2Stream stream;
    private final ArrayDeque<Piece> waiting = new ArrayDeque<>();
    /** Bytes that gRPC was given. */
    private long given;

    private Account account;
    /** Negative: gRPC has made no call of it. */
    private long endMs = -1;

    /** Runs when a call that has ended is not closed in time; null before. */
    private Future<?> timer;

    private boolean isClosed;
    private volatile boolean isEnded;

    /**
     * A piece that waits.
     *
     * @param endOffset of its last byte, in all that gRPC was given
     * @param cost of it
     */
    private record Piece(long endOffset, long cost) {}

    /** Whoever counts what waits of the streams of one holder. */
    interface Account {
        /** Returns what a piece costs that waits. */
        long cost(int bytes);

        /** Returns whether a further piece may wait; if not, has ended the call. */
        boolean mayWait(long cost);

        /** Adds what waits, or subtracts what does not any more. */
        void add(long cost);
    }

    /**
     * @param connection has the stream
     * @param context of the connection
     * @param stream of the call
     */
    InboundStream(Http2ConnectionHandler connection, ChannelHandlerContext context, Http2Stream stream) {
        this.connection = connection;
        this.context = context;
        this.stream = stream;
    }

    /**
     * gRPC makes a call of it, and says when that is closed.
     *
     * @param unreadMs after which the call is reset if it has ended and its status is not written
     */
    void onCall(long unreadMs) {
        endMs = unreadMs;
    }

    /** Sets who counts what waits. Nothing is counted without: then no service may have the call. */
    void count(Account counting) {
        account = counting;
    }

    /**
     * gRPC has read the headers. If nothing counts, the call was refused before a service had it: for its method, its
     * encoding or its rate.
     */
    void onBegun() {
        if (account == null && endMs >= 0) {
            end();
        }
    }

    /**
     * A piece comes.
     *
     * @param bytes of it
     * @param padding of its frame
     * @return whether gRPC may have it; if not, the call has ended
     */
    boolean takes(int bytes, int padding) {
        if (isEnded) {
            return false;
        }
        settle(unconsumed() - bytes - padding);
        if (isBehind() && !account.mayWait(account.cost(bytes))) {
            return false;
        }
        given += bytes;
        return true;
    }

    /** Returns whether a piece that comes waits for others. */
    boolean isBehind() {
        return !waiting.isEmpty();
    }

    /**
     * gRPC has the piece.
     *
     * @param bytes of it
     * @param padding of its frame
     */
    void onGiven(int bytes, int padding) {
        int unconsumed = unconsumed() - padding;
        settle(unconsumed);
        if (unconsumed > 0 && account != null && !isEnded) {
            Piece piece = new Piece(given, account.cost(bytes));
            waiting.add(piece);
            account.add(piece.cost);
        }
    }

    /** gRPC has put pieces into a message. */
    void onTaken() {
        if (isBehind()) {
            settle(unconsumed());
        }
    }

    /** Bytes that gRPC holds and has put into no message; 0 after the stream was closed. */
    private int unconsumed() {
        return connection.decoder().flowController().unconsumedBytes(stream);
    }

    private void settle(int unconsumed) {
        long taken = given - unconsumed;
        while (isBehind() && waiting.peek().endOffset <= taken) {
            account.add(-waiting.remove().cost);
        }
    }

    /**
     * gRPC holds no piece of it any more, or will not soon.
     *
     * @return what the pieces cost
     */
    long forget() {
        long forgotten = 0;
        while (isBehind()) {
            forgotten += waiting.peek().cost;
            account.add(-waiting.remove().cost);
        }
        return forgotten;
    }

    /** gRPC has closed the call: its status is written to the network, or will never be. */
    void onClosed() {
        isClosed = true;
        // Also if gRPC has ended the call itself, because a message or its service failed: more may come on its stream.
        isEnded = true;
        forget();
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /**
     * The call has ended here, and its status was given to gRPC: the caller has some time to read what is before it.
     */
    void end() {
        isEnded = true;
        afterStatus(() -> {
            if (timer == null) {
                timer = context.executor().schedule(this::drop, endMs, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** As {@link #end}, but without time: what does not let the status be written is given up. */
    void endAtOnce() {
        isEnded = true;
        afterStatus(this::drop);
    }

    /**
     * The call has ended, and its caller has more than it may: it is reset now if its status waits for a window. In the
     * socket the status waits for what other calls answer, which may be read.
     *
     * @param onUnwritten runs if the status is in the socket; the call is not closed then
     */
    void resetAtOnce(Runnable onUnwritten) {
        afterStatus(() -> {
            if (waitsForWindow()) {
                reset();
            } else {
                onUnwritten.run();
            }
        });
    }

    /**
     * Runs what a call needs that is not closed when gRPC has written its status, or would have. What was queued for
     * the network while gRPC flushes is written by one more task, which comes after the next one.
     */
    private void afterStatus(Runnable next) {
        EventExecutor executor = context.executor();
        executor.execute(() -> executor.execute(() -> {
            if (!isClosed) {
                next.run();
            }
        }));
    }

    private void drop() {
        if (isClosed) {
            return;
        }
        if (waitsForWindow()) {
            reset();
        } else {
            closeConnection();
        }
    }

    private boolean waitsForWindow() {
        return connection.encoder().flowController().hasFlowControlled(stream);
    }

    /** gRPC learns of it from the messages and the status that are not written. */
    private void reset() {
        connection.resetStream(context, stream.id(), Http2Error.ENHANCE_YOUR_CALM.code(), context.newPromise());
        // Not only when the reset is written.
        connection.closeStream(stream, context.newSucceededFuture());
        context.flush();
        afterStatus(this::closeConnection);
    }

    /** Of a call that is not closed: its status is in the socket, and no reset of its stream takes it out. */
    private void closeConnection() {
        // Below HTTP/2, whose own close waits for the end of its streams.
        context.close();
    }
}
