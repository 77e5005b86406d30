package io.sealbook.perf.siege;

import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Every path of the engine's HTTP port and of the admin port, read by every guest; and pages of other sites. */
final class HttpAttacks {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    /** What stands in a path for what it names: all of it is of the honest broker, whose account has its number. */
    private static final Map<String, String> PARTS = Map.of(
            "{brokerId}", Integer.toString(Identities.HONEST_BROKER),
            "{accountId}", Integer.toString(Identities.HONEST_BROKER),
            "{instrument}", "LOAD1",
            "{clOrdId}", "1",
            "{sequence}", "1",
            "{reportSequence}", "1",
            "{batchIndex}", "0",
            "{tradeId}", "1",
            "{orderId}", "1");

    private HttpAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "http-roles",
                        "each path of an engine by each role; found: another answer than the table of doors has",
                        besieged -> read(besieged, "http", besieged.httpPort(0))),
                new Attack(
                        "admin-roles",
                        "each path of the admin port by each role; found: another answer than the table of doors has",
                        besieged -> read(besieged, "admin", besieged.adminPort(0))),
                new Attack(
                        "path-spelling",
                        "a broker spells another broker's path otherwise; found: an answer with content",
                        HttpAttacks::otherSpellings),
                new Attack(
                        "foreign-page",
                        "a page of another site opens the WebSocket with its reader's certificate; found: it opens",
                        HttpAttacks::foreignPage));
    }

    private static AttackResult read(Besieged besieged, String port, int number) throws Exception {
        List<Door> doors = DoorTable.read(besieged.home()).of(port);
        List<String> faults = new ArrayList<>();
        int reads = 0;
        for (Guest guest : Guest.values()) {
            Optional<String> statement = besieged.identities().statement(guest);
            try (HttpClient client = client(besieged, guest)) {
                for (Door door : doors) {
                    int status = status(client, number, path(door.name()), statement);
                    reads++;
                    if (isAdmitted(status) != door.admits().get(guest)) {
                        faults.add(door + " for " + guest.column() + ": " + status);
                    }
                }
            }
        }
        return AttackResult.of(reads, "answers are those of the table", faults);
    }

    private static boolean isAdmitted(int status) {
        return status != UNAUTHORIZED && status != FORBIDDEN;
    }

    private static String path(String template) {
        String path = template;
        for (Map.Entry<String, String> part : PARTS.entrySet()) {
            path = path.replace(part.getKey(), part.getValue());
        }
        return path;
    }

    private static AttackResult otherSpellings(Besieged besieged) throws Exception {
        List<String> paths = List.of(
                "/api/orders/%31/1",
                "/api/orders//1/1",
                "/api/orders/1/1/",
                "/api/orders/3/../1/1",
                "/api/orders/3/%2e%2e/1/1",
                "/api/orders;v=1/1/1",
                "/api/./orders/1/1",
                "/API/orders/1/1",
                "/api/orders/01/1",
                "/api/status/../orders/1/1",
                "/api/orders/4294967297/1",
                "/console.css/../api/orders/1/1",
                "/actuator/../api/orders/1/1",
                "/ws/market-data/../../api/orders/1/1");
        List<String> faults = new ArrayList<>();
        for (Guest guest : List.of(Guest.NONE, Guest.OTHER_BROKER)) {
            Optional<String> statement = besieged.identities().statement(guest);
            try (HttpClient client = client(besieged, guest)) {
                for (String path : paths) {
                    int status = status(client, besieged.httpPort(0), path, statement);
                    if (status / 100 == 2) {
                        faults.add(path + " for " + guest.column() + ": " + status);
                    }
                }
            }
        }
        return AttackResult.of(2 * paths.size(), "spellings are refused", faults);
    }

    private static AttackResult foreignPage(Besieged besieged) throws Exception {
        URI address = URI.create("wss://" + Besieged.HOST + ":" + besieged.httpPort(0) + "/ws/market-data");
        try (HttpClient client = client(besieged, Guest.NONE)) {
            WebSocket socket = client.newWebSocketBuilder()
                    .connectTimeout(LIMIT)
                    .header("Origin", "https://elsewhere.example")
                    .buildAsync(address, new WebSocket.Listener() {})
                    .join();
            socket.abort();
            return AttackResult.found("the WebSocket opened for a page of https://elsewhere.example");
        } catch (CompletionException e) {
            return e.getCause() instanceof WebSocketHandshakeException refused
                    ? AttackResult.held("refused with " + refused.getResponse().statusCode())
                    : AttackResult.found("the WebSocket failed otherwise: " + e.getCause());
        }
    }

    static HttpClient client(Besieged besieged, Guest guest) throws IOException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(LIMIT)
                .sslContext(besieged.identities().context(guest))
                .build();
    }

    /** Returns what a path that everyone may read answers. */
    static String body(HttpClient client, int port, String path) throws IOException, InterruptedException {
        URI address = URI.create("https://" + Besieged.HOST + ":" + port + path);
        return client.send(HttpRequest.newBuilder(address).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static int status(HttpClient client, int port, String path, Optional<String> statement)
            throws IOException, InterruptedException {
        return client.send(request(port, path, statement), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    static CompletableFuture<Integer> statusLater(
            HttpClient client, int port, String path, Optional<String> statement) {
        return client.sendAsync(request(port, path, statement), HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }

    private static HttpRequest request(int port, String path, Optional<String> statement) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://" + Besieged.HOST + ":" + port + path))
                .timeout(LIMIT);
        statement.ifPresent(text -> request.header(RoleStatement.HEADER, text));
        return request.build();
    }
}
