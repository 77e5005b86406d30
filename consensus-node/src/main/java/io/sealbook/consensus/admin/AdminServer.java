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
 */
public final class AdminServer implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "admin");
        thread.setDaemon(true);
        return thread;
    });

    public AdminServer(
            InetSocketAddress address,
            PrometheusMeterRegistry registry,
            Supplier<Readiness> readiness,
            Supplier<NodeStatus> status)
            throws IOException {
        server = HttpServer.create(address, BACKLOG);
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
    }

    public void start() {
        server.start();
    }

    public int port() {
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
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
