package io.sealbook.consensus.peers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * What peers ask for, on its way to the service thread: a short line for each peer, of which the thread serves one
 * request in turn. So a member that asks for more than can be read keeps nobody else from an answer, nor from the room
 * that requests take. Any thread.
 */
final class RequestLines {
    /** Of one peer. A correct one waits for answers, and has a few under way. */
    static final int WAITING_MAX = 32;

    private final Executor service;
    /** By node; bounded by the nodes that prove an identity of the epoch. */
    private final Map<Integer, Line> lines = new ConcurrentHashMap<>();

    /** The requests of one peer; guarded by itself. */
    private static final class Line {
        final Deque<Runnable> waiting = new ArrayDeque<>();
        /** Whether the service thread has, or is about to get, one of its requests. */
        boolean isServed;
    }

    /** @param service serves requests; at most one of each peer waits there */
    RequestLines(Executor service) {
        this.service = service;
    }

    /**
     * Puts a request in line.
     *
     * @return false if the peer's line is full, or nothing is served any more
     */
    boolean offer(int peer, Runnable request) {
        Line line = lines.computeIfAbsent(peer, key -> new Line());
        synchronized (line) {
            if (line.waiting.size() >= WAITING_MAX) {
                return false;
            }
            line.waiting.add(request);
            if (line.isServed) {
                return true;
            }
            line.isServed = true;
        }
        return serve(line);
    }

    private boolean serve(Line line) {
        try {
            service.execute(() -> serveNext(line));
            return true;
        } catch (RejectedExecutionException e) {
            synchronized (line) {
                line.waiting.clear();
                line.isServed = false;
            }
            return false;
        }
    }

    private void serveNext(Line line) {
        Runnable request;
        synchronized (line) {
            request = line.waiting.remove();
        }
        try {
            request.run();
        } finally {
            boolean isMore;
            synchronized (line) {
                isMore = !line.waiting.isEmpty();
                line.isServed = isMore;
            }
            if (isMore) {
                serve(line);
            }
        }
    }
}
