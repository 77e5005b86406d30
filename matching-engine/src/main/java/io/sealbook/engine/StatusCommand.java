package io.sealbook.engine;

import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Prints a running engine's answer to {@code GET /api/status}. */
final class StatusCommand {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final String TLS = "--tls=";
    private static final String BY_DEFAULT = "127.0.0.1:8080";

    private StatusCommand() {}

    /**
     * Asks.
     *
     * @param arguments an address, or the directory of a certificate, or both, or none
     * @return the exit code: 0 if the engine answered
     */
    static int run(List<String> arguments) {
        Optional<Path> tls = arguments.stream()
                .filter(each -> each.startsWith(TLS))
                .map(each -> Path.of(each.substring(TLS.length())))
                .findFirst();
        String hostAndPort = arguments.stream()
                .filter(each -> !each.startsWith(TLS))
                .findFirst()
                .orElse(BY_DEFAULT);
        try {
            return run(hostAndPort, tls);
        } catch (IOException e) {
            System.err.println("status: " + e.getMessage());
            return 1;
        }
    }

    private static int run(String hostAndPort, Optional<Path> tls) throws IOException {
        HttpClient.Builder settings = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if (tls.isPresent()) {
            settings.sslContext(
                    TlsIdentity.open(TlsSettings.ofFilesIn(tls.get())).context());
        }
        try (HttpClient client = settings.build()) {
            String scheme = tls.isPresent() ? "https://" : "http://";
            HttpRequest request = HttpRequest.newBuilder(URI.create(scheme + hostAndPort + "/api/status"))
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
