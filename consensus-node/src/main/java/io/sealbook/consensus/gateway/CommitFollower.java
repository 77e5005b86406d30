package io.sealbook.consensus.gateway;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.node.block.DecodedBlock;

/**
 * One reader of committed blocks: a position, and a stream that says when it can take more. Only the follower thread
 * moves it.
 *
 * @param <T> what the stream carries
 */
abstract class CommitFollower<T> {
    final ServerCallStreamObserver<T> stream;
    private long nextSequence;
    private long stalledSinceNanos;
    private boolean isStalled;
    private volatile boolean isClosed;

    CommitFollower(ServerCallStreamObserver<T> stream, long firstSequence) {
        this.stream = stream;
        this.nextSequence = firstSequence;
    }

    final long nextSequence() {
        return nextSequence;
    }

    final boolean isCancelled() {
        return stream.isCancelled();
    }

    final boolean isReady() {
        return stream.isReady();
    }

    /** Has a signal given when the stream takes more or has ended. Called before the method of its call returns. */
    final void onChange(Runnable signal) {
        stream.setOnReadyHandler(signal);
        stream.setOnCancelHandler(signal);
        stream.setOnCloseHandler(() -> {
            isClosed = true;
            signal.run();
        });
    }

    /** Returns whether nothing waits for the reader, but for less than the stream takes at any time. */
    final boolean hasTakenAll() {
        return isClosed || stream.isCancelled() || stream.isReady();
    }

    /** Sends the part of a block that this follower requires and moves on; returns the bytes sent. */
    final long take(DecodedBlock block) {
        isStalled = false;
        long sent = send(block);
        nextSequence = block.header().sequence() + 1;
        return sent;
    }

    /** Notes that there was something to send and the stream took nothing; returns for how long that has been so. */
    final long stalledNanos(long nowNanos) {
        if (!isStalled) {
            isStalled = true;
            stalledSinceNanos = nowNanos;
        }
        return nowNanos - stalledSinceNanos;
    }

    /** Ends a stream whose reader is too slow; the message holds the block to resume from. */
    final void cut() {
        stream.onError(Status.RESOURCE_EXHAUSTED
                .withDescription("reader is too slow, resume from block " + nextSequence)
                .asRuntimeException());
    }

    final void fail(Status status) {
        stream.onError(status.asRuntimeException());
    }

    /** Returns whether what it takes of a block is the block, and not only a message about it. */
    boolean takesWholeBlocks() {
        return true;
    }

    /** Sends the part of a block that this follower requires; returns its bytes. */
    abstract long send(DecodedBlock block);

    /** Called when everything committed has been sent; may send a sign of life. */
    void caughtUp(long lastSequence, long nowNanos) {}

    /** Returns whether the follower has all it asked for, and ends its stream then. */
    boolean isDone() {
        return false;
    }
}
