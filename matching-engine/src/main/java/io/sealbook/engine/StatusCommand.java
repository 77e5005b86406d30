package io.sealbook.engine;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Prints a running engine's answer to {@code GET /api/status}. */
final class StatusCommand {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;

    private StatusCommand() {}

    /** Returns the exit code: 0 if the engine answered. */
    static int run(String hostAndPort) {
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + hostAndPort + "/api/status"))
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(response.body());
            return response.statusCode() == OK ? 0 : 1;
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("status: " + hostAndPort + ": " + e);
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }
}
