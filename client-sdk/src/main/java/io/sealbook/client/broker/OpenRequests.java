package io.sealbook.client.broker;

import io.sealbook.client.BrokerClientException;
import io.sealbook.client.connection.ClientLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Requests to engines that are open: from their start until they are answered, their limit has passed, or the client is
 * closed. Loop thread, but for {@link #begin}.
 *
 * @param <T> kind of the requests
 */
final class OpenRequests<T extends OpenRequests.Request> {
    /** One request; loop thread. */
    interface Request {
        /** Returns what the caller waits for. */
        CompletableFuture<?> result();

        /** Asks the engines. */
        void start();

        /** Returns what the result fails with: the limit has passed while the request was open. */
        BrokerClientException onLimit();

        /** The request is open no more: releases what it holds. */
        default void release() {}
    }

    private final ClientLoop loop;
    private final Executor completions;
    private final Set<T> open = new HashSet<>();
    private volatile BrokerClientException end;

    /**
     * @param loop on which requests run
     * @param completions completes results
     */
    OpenRequests(ClientLoop loop, Executor completions) {
        this.loop = loop;
        this.completions = completions;
    }

    /**
     * Opens and starts a request; any thread.
     *
     * @param request that was not begun before
     * @param limit after which it fails
     */
    void begin(T request, Duration limit) {
        loop.execute(() -> {
            if (end != null) {
                completions.execute(() -> request.result().completeExceptionally(end));
            } else {
                open.add(request);
                loop.schedule(limit.toNanos(), () -> {
                    if (isOpen(request)) {
                        fail(request, request.onLimit());
                    }
                });
                request.start();
            }
        });
        if (end != null) {
            // The loop may have stopped before it took the request.
            request.result().completeExceptionally(end);
        }
    }

    boolean isOpen(T request) {
        return open.contains(request);
    }

    /**
     * Ends an open request.
     *
     * @param request that is open
     * @param completion completes its result, on another thread
     */
    void end(T request, Runnable completion) {
        open.remove(request);
        request.release();
        completions.execute(completion);
    }

    private void fail(T request, BrokerClientException cause) {
        end(request, () -> request.result().completeExceptionally(cause));
    }

    /** Ends what is open and what comes later. */
    void close(BrokerClientException cause) {
        end = cause;
        List.copyOf(open).forEach(request -> fail(request, cause));
    }
}
