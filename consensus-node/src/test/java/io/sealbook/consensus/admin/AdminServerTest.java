package io.sealbook.consensus.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.access.rate.Rates;
import io.sealbook.consensus.config.AdminConfig;
import io.sealbook.consensus.status.Readiness;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What strangers who reach the admin port can hold up: nothing but their own connections. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdminServerTest {
    private static final int CONNECTIONS_MAX = 8;
    private static final int NEVER_MS = 3_600_000;
    private static final int SOON_MS = 50;
    private static final int SHORT_MS = 500;
    /** Between two bytes of a slow request. */
    private static final int PACE_MS = 5;

    private static final int READ_TIMEOUT_MS = 20_000;
    /** Fewer than make a request line that is refused for its length. */
    private static final int BYTES_OF_A_SLOW_REQUEST = 1_000;

    private static final int LONG_ANSWER = 32 << 20;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Supplier<NodeStatus> status = NodeStatus::getDefaultInstance;
    private Supplier<Readiness> readiness = () -> new Readiness(true, "");
    private Rates rates = AdminConfig.RATES_DEFAULT;
    private AdminServer server;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened.reversed()) {
            closeable.close();
        }
    }

    @Test
    void shouldAnswerEveryPage() throws Exception {
        registry.counter("sealbook.test").increment(3);
        start(NEVER_MS);

        assertThat(get("/metrics").body()).contains("sealbook_test_total 3.0");
        assertThat(get("/metrics").headers().firstValue("content-type"))
                .hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(get("/health/live").body()).isEqualTo("live\n");
        assertThat(get("/health/ready").body()).isEqualTo("ready\n");
        assertThat(get("/status").body()).contains("\"nodeId\": 0");
        readiness = () -> new Readiness(false, "1 peers connected, a quorum needs 2");
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/health/ready").body()).isEqualTo("1 peers connected, a quorum needs 2\n");
    }

    @Test
    void shouldShowAndSetLogLevels() throws Exception {
        start(NEVER_MS);
        Logger logger = LoggerFactory.getLogger("io.sealbook.consensus.admin.test");
        boolean isDebugBefore = logger.isDebugEnabled();

        assertThat(put("/loggers/" + logger.getName(), "debug").body()).isEqualTo(logger.getName() + " debug\n");
        assertThat(logger.isDebugEnabled()).isTrue();
        assertThat(get("/loggers").body().lines()).contains(logger.getName() + " debug");

        assertThat(put("/loggers/" + logger.getName(), "default").statusCode()).isEqualTo(200);
        assertThat(logger.isDebugEnabled()).isEqualTo(isDebugBefore);
        assertThat(get("/loggers").body().lines()).noneMatch(line -> line.startsWith(logger.getName()));
    }

    @Test
    void shouldRefuseLevelsAndLoggersThatDoNotExist() throws Exception {
        start(NEVER_MS);

        assertThat(put("/loggers/ROOT", "loud").statusCode()).isEqualTo(400);
        assertThat(put("/loggers/ROOT", "").statusCode()).isEqualTo(400);
        assertThat(put("/loggers/ROOT", "default").statusCode()).isEqualTo(400);
        assertThat(put("/loggers/io.sealbook.none", "debug").statusCode()).isEqualTo(404);
        assertThat(put("/status", "debug").statusCode()).isEqualTo(405);
        assertThat(get("/loggers/io.sealbook.none").statusCode()).isEqualTo(404);
        assertThat(put("/loggers/ROOT", "x".repeat(2_000)).statusCode()).isEqualTo(413);
    }

    @Test
    void shouldRefuseWhatItDoesNotServe() throws Exception {
        start(NEVER_MS);

        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
        HttpRequest post = HttpRequest.newBuilder(uri("/status"))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        assertThat(send(post).statusCode()).isEqualTo(405);
        Socket garbage = socket();
        garbage.getOutputStream()
                .write(("GET /" + "x".repeat(2_000) + " HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        assertThat(untilClosed(garbage)).startsWith("HTTP/1.1 400 ");
    }

    /** A page whose site's name has come to mean 127.0.0.1 (DNS rebinding) asks through the browser of this machine. */
    @Test
    void shouldRefuseRequestsForAnotherHost() throws Exception {
        start(NEVER_MS);

        assertThat(statusFor("evil.example", "GET /status")).isEqualTo("421");
        assertThat(statusFor("evil.example:" + server.port(), "PUT /loggers/ROOT"))
                .isEqualTo("421");
        assertThat(statusFor("127.0.0.1:" + server.port(), "GET /status")).isEqualTo("200");
        assertThat(statusFor("localhost", "GET /status")).isEqualTo("200");
    }

    private String statusFor(String host, String request) throws IOException {
        Socket page = socket();
        page.getOutputStream()
                .write((request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return untilClosed(page).split(" ")[1];
    }

    @Test
    void shouldAnswerOthersWhileRequestsAreHalfSent() throws Exception {
        start(NEVER_MS);
        for (int i = 0; i < CONNECTIONS_MAX - 1; i++) {
            halfSent();
        }

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/metrics").statusCode()).isEqualTo(200);
        assertThat(get("/status").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldGiveThePlaceThatWaitsLongestToANewConnection() throws Exception {
        start(NEVER_MS);
        Socket first = halfSent();
        List<Socket> later = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS_MAX - 1; i++) {
            later.add(halfSent());
        }

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(untilClosed(first)).isEmpty();
        for (Socket socket : later) {
            socket.getOutputStream()
                    .write("ve HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(untilClosed(socket)).endsWith("live\n");
        }
    }

    @Test
    void shouldAnswerThoughStrangersOpenMoreThanEveryPlace() throws Exception {
        start(NEVER_MS);

        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 2 * CONNECTIONS_MAX; i++) {
                halfSent();
            }
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldCloseAConnectionWhoseRequestDoesNotEnd() throws Exception {
        start(SOON_MS);

        assertThat(untilClosed(halfSent())).isEmpty();
        assertThat(untilClosed(socket())).isEmpty();
    }

    /** A timeout that starts again with each byte would never come. */
    @Test
    void shouldCloseAConnectionWhoseRequestComesByteByByte() throws Exception {
        start(SOON_MS);
        Socket slow = socket();

        int sentCount = 0;
        try {
            while (sentCount < BYTES_OF_A_SLOW_REQUEST && !isClosedWithin(slow, PACE_MS)) {
                slow.getOutputStream().write('G');
                sentCount++;
            }
        } catch (SocketException closed) {
            assertThat(closed).hasMessageMatching(".*(reset|Broken pipe).*");
        }

        assertThat(sentCount).isLessThan(BYTES_OF_A_SLOW_REQUEST);
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldCloseAConnectionThatDoesNotReadItsAnswer() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        readiness = () -> {
            isAsked.countDown();
            return new Readiness(false, "x".repeat(LONG_ANSWER));
        };
        start(SHORT_MS);
        Socket deaf = socket();
        deaf.getOutputStream().write("GET /health/ready HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        // Nothing is read here before the server has closed, for which it gives no event.
        isAsked.await();
        Facts.await("the server has closed it", () -> server.connectionCount() == 0);

        assertThat(untilClosed(deaf)).hasSizeLessThan(LONG_ANSWER);
    }

    @Test
    void shouldAnswerOthersWhileAnAnswerTakesLong() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        status = () -> {
            isAsked.countDown();
            awaitUninterruptibly(mayAnswer);
            return NodeStatus.getDefaultInstance();
        };
        start(NEVER_MS);
        Socket patient = socket();
        patient.getOutputStream()
                .write("GET /status HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        isAsked.await();

        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        mayAnswer.countDown();
        assertThat(untilClosed(patient)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void shouldAnswerAgainOnTheSameConnection() throws Exception {
        start(NEVER_MS);
        Socket socket = socket();

        for (int i = 0; i < 3; i++) {
            socket.getOutputStream().write("GET /health/live HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            while (!answer.toString().endsWith("live\n")) {
                answer.append((char) socket.getInputStream().read());
            }
            assertThat(answer.toString()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void shouldRefuseRequestsOfAnAddressThatIsTooFastAndAnswerOthers() throws Exception {
        rates = new Rates(1, 1 << 20);
        start(NEVER_MS);
        HttpResponse<String> refused = null;
        while (refused == null) {
            HttpResponse<String> answer = get("/status");
            refused = answer.statusCode() == 200 ? null : answer;
        }

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("retry-after"))
                .hasValueSatisfying(seconds -> assertThat(seconds).isIn("1", "2"));
        assertThat(refused.body())
                .isEqualTo("address 127.0.0.1 makes more than 1 calls per second, the most that one may\n");
        assertThat(refusedRates()).isPositive();
        Socket other = socket("127.0.0.2");
        other.getOutputStream()
                .write("GET /status HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(untilClosed(other)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void shouldEndAConnectionThatSendsTooManyBytes() throws Exception {
        rates = new Rates(1_000, 1_000);
        start(NEVER_MS);
        Socket socket = socket();
        byte[] request =
                ("GET /health/live HTTP/1.1\r\nX: " + "x".repeat(900) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        try {
            do {
                socket.getOutputStream().write(request);
            } while (socket.getInputStream().read() >= 0);
        } catch (SocketException reset) {
            // Closed with what it had not read.
        }

        assertThat(refusedRates()).isEqualTo(1);
        Socket other = socket("127.0.0.2");
        other.getOutputStream()
                .write("GET /status HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(untilClosed(other)).startsWith("HTTP/1.1 200 ");
    }

    private double refusedRates() {
        return registry.get("sealbook.admin.refused.rates").counter().count();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void start(int requestTimeoutMs) throws IOException {
        server = new AdminServer(
                new AdminConfig("127.0.0.1", 0, CONNECTIONS_MAX, requestTimeoutMs, rates),
                Optional.empty(),
                registry,
                () -> readiness.get(),
                () -> status.get(),
                OperatorGate.ofNobody());
        opened.add(server);
        server.start();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    private HttpResponse<String> put(String path, String body) throws Exception {
        return send(HttpRequest.newBuilder(uri(path))
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private Socket halfSent() throws IOException {
        Socket socket = socket();
        socket.getOutputStream().write("GET /health/li".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private Socket socket() throws IOException {
        return socket("127.0.0.1");
    }

    private Socket socket(String from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        opened.add(socket);
        socket.setReceiveBufferSize(4_096);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), server.port()));
        return socket;
    }

    /** Waits for the server to close a connection on which it sends nothing. */
    private static boolean isClosedWithin(Socket socket, int timeoutMs) throws IOException {
        socket.setSoTimeout(timeoutMs);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        }
    }

    /** Returns what came until the server closed. */
    private static String untilClosed(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        try (InputStream in = socket.getInputStream()) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
        return text.toString();
    }
}
