package io.sealbook.engine;

import io.sealbook.engine.monitor.EnginePhase;
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
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Prints a running engine's answer to {@code GET /api/status}. */
final class StatusCommand {
    /** As those of a node's {@code status}. */
    static final int WELL = 0;

    static final int NOT_WELL = 1;
    static final int WRONG_USE = 2;
    static final int NO_ANSWER = 3;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final String TLS = "--tls=";
    private static final String BY_DEFAULT = "127.0.0.1:8080";

    private StatusCommand() {}

    /**
     * Asks.
     *
     * @param arguments an address, or the directory of a certificate, or both, or none
     * @return the exit code: whether the engine executes new blocks and is not wrong, or why it could not be asked
     */
    static int run(List<String> arguments) {
        Predicate<String> isTls = each -> each.startsWith(TLS);
        List<String> directories = arguments.stream().filter(isTls).toList();
        List<String> addresses = arguments.stream().filter(isTls.negate()).toList();
        if (directories.size() > 1 || addresses.size() > 1) {
            System.err.println("status: takes one HOST:PORT and one " + TLS + "DIR");
            return WRONG_USE;
        }
        String hostAndPort = addresses.isEmpty() ? BY_DEFAULT : addresses.getFirst();
        HttpRequest request;
        HttpClient.Builder settings = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        try {
            Optional<Path> tls = directories.stream()
                    .map(each -> Path.of(each.substring(TLS.length())))
                    .findFirst();
            String scheme = tls.isPresent() ? "https://" : "http://";
            request = HttpRequest.newBuilder(URI.create(scheme + hostAndPort + "/api/status"))
                    .timeout(TIMEOUT)
                    .build();
            if (tls.isPresent()) {
                settings.sslContext(
                        TlsIdentity.open(TlsSettings.ofFilesIn(tls.get())).context());
            }
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("status: " + e.getMessage());
            return TlsIdentity.exitCode(e).orElse(WRONG_USE);
        }
        try (HttpClient client = settings.build()) {
            return print(client.send(request, HttpResponse.BodyHandlers.ofString()));
        } catch (IllegalArgumentException e) {
            // The client judges a port when it sends.
            System.err.println("status: " + hostAndPort + ": " + e.getMessage());
            return WRONG_USE;
        } catch (IOException e) {
            System.err.println("status: " + hostAndPort + ": " + e);
            return NO_ANSWER;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NO_ANSWER;
        }
    }

    private static int print(HttpResponse<String> response) {
        System.out.println(response.body());
        return response.statusCode() == OK && isExecuting(response.body()) ? WELL : NOT_WELL;
    }

    private static boolean isExecuting(String status) {
        try {
            JsonNode engine = new JsonMapper().readTree(status);
            return engine.path("phase").asString("").equals(EnginePhase.TAILING.name())
                    && engine.path("obstacle").asString("").isEmpty()
                    && engine.path("wrongResult").asString("").isEmpty();
        } catch (JacksonException e) {
            System.err.println("status: this is no answer of an engine");
            return false;
        }
    }
}
