package io.sealbook.client.broker;

import io.sealbook.client.BrokerClientException;
import io.sealbook.client.connection.ClientLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

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

        /** The limit has passed while the request was open: it is open no more, and its result fails. */
        void onLimit();

        /** The request is open no more: releases what it holds. */
        default void release() {}
    }

    private final ClientLoop loop;
    private final Set<T> open = new HashSet<>();
    private volatile BrokerClientException end;

    /** @param loop on which requests run */
    OpenRequests(ClientLoop loop) {
        this.loop = loop;
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
                request.result().completeExceptionally(end);
            } else {
                open.add(request);
                loop.schedule(limit.toNanos(), () -> {
                    if (end(request)) {
                        request.onLimit();
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

    /** Ends a request; returns whether it was open. */
    boolean end(T request) {
        boolean wasOpen = open.remove(request);
        if (wasOpen) {
            request.release();
        }
        return wasOpen;
    }

    /** Ends what is open and what comes later. */
    void close(BrokerClientException cause) {
        end = cause;
        for (T request : List.copyOf(open)) {
            end(request);
            request.result().completeExceptionally(cause);
        }
    }
}
