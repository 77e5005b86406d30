package io.sealbook.consensus.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The admin port.
 *
 * <pre>
 *   GET /metrics        Prometheus text
 *   GET /health/live    200 while the process works
 *   GET /health/ready   200 when the node takes batches and sees a quorum, else 503 with the reason
 *   GET /status         NodeStatus as JSON
 * </pre>
 *
 * It holds threads and its port from a successful {@link #start} until {@link #close}. Any thread.
 */
public final class AdminServer implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final InetSocketAddress address;
    private final PrometheusMeterRegistry registry;
    private final Supplier<Readiness> readiness;
    private final Supplier<NodeStatus> status;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "admin");
        thread.setDaemon(true);
        return thread;
    });
    private HttpServer server;
    private boolean isClosed;

    /** Opens nothing yet. The JDK's server would: a timer's thread, and a port which it keeps if it is stopped before it was started. */
    public AdminServer(
            InetSocketAddress address,
            PrometheusMeterRegistry registry,
            Supplier<Readiness> readiness,
            Supplier<NodeStatus> status) {
        this.address = address;
        this.registry = registry;
        this.readiness = readiness;
        this.status = status;
    }

    /**
     * Binds the port and answers.
     *
     * @throws IOException if the port cannot be bound; nothing runs then, and it may be tried again
     * @throws IllegalStateException if it runs or was closed
     */
    public synchronized void start() throws IOException {
        if (isClosed || server != null) {
            throw new IllegalStateException(isClosed ? "admin server was closed" : "admin server runs already");
        }
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new IOException("admin port " + address + " cannot be bound", e);
        }
        server.setExecutor(executor);
        server.createContext(
                "/metrics", exchange -> answer(exchange, OK, "text/plain; version=0.0.4", registry.scrape()));
        server.createContext("/health/live", exchange -> answer(exchange, OK, "text/plain", "live\n"));
        server.createContext("/health/ready", exchange -> {
            Readiness now = readiness.get();
            answer(
                    exchange,
                    now.isReady() ? OK : UNAVAILABLE,
                    "text/plain",
                    now.isReady() ? "ready\n" : now.reason() + "\n");
        });
        server.createContext("/status", exchange -> answer(exchange, OK, "application/json", json(status.get())));
        server.start();
    }

    /**
     * Returns the port that is listened on.
     *
     * @throws IllegalStateException if it does not run
     */
    public synchronized int port() {
        if (server == null) {
            throw new IllegalStateException("admin server does not run");
        }
        return server.getAddress().getPort();
    }

    private static String json(NodeStatus status) throws InvalidProtocolBufferException {
        return JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(status) + "\n";
    }

    private static void answer(HttpExchange exchange, int code, String type, String body) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1);
                return;
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
            exchange.sendResponseHeaders(code, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (server != null) {
            server.stop(0);
            server = null;
        }
        executor.shutdownNow();
    }
}
