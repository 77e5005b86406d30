package io.sealbook.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.Stranger;
import io.sealbook.facts.Facts;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connector in a Tomcat, with TLS and with workers that can be held. */
@Timeout(300)
class LimitedHttpProtocolTest {
    private static final CertificateAuthority AUTHORITY =
            new CertificateAuthority("members", Duration.ofDays(30), Clock.systemUTC());

    private static final int CONNECTIONS_MAX = 64;
    /** An eighth. */
    private static final int PLACES = 8;

    private static final int WORKERS = 2;

    private static final String HONEST = "127.0.0.1";
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String ANSWER = "HTTP/1.1 200";

    @TempDir
    static Path directory;

    private static TlsIdentity server;
    private static TlsIdentity client;
    private static TlsIdentity other;

    private final Workers workers = new Workers();
    private final Tomcat tomcat = new Tomcat();
    private final LimitedHttpProtocol protocol = new LimitedHttpProtocol();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    /** The next refusal meets a full heap. */
    private final AtomicBoolean isHeapFull = new AtomicBoolean();
    /** Requests with a header {@code Wait} that have come, and what their answers wait for. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final CountDownLatch slow = new CountDownLatch(1);
    private final Stranger stranger = new Stranger("127.0.0.2");
    private final Stranger neighbour = new Stranger(HONEST);
    private int port;

    @BeforeAll
    static void issue() throws Exception {
        server = identity("server", CertificateRole.SERVER);
        client = identity("client", CertificateRole.CLIENT);
        other = identity("other", CertificateRole.CLIENT);
    }

    private static TlsIdentity identity(String name, CertificateRole role) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        AUTHORITY.issue(files, name, role, List.of("127.0.0.1"));
        return TlsIdentity.open(files);
    }

    @BeforeEach
    void start() throws Exception {
        SSLHostConfig host = new SSLHostConfig();
        host.setProtocols(TlsIdentity.PROTOCOL);
        host.setCertificateVerification("required");
        host.addCertificate(new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC));
        protocol.addSslHostConfig(host);
        protocol.setSSLEnabled(true);
        protocol.setAddress(InetAddress.getByName("127.0.0.1"));
        protocol.setMaxConnections(CONNECTIONS_MAX);
        protocol.setConnectionTimeout((int) TimeUnit.HOURS.toMillis(1));
        protocol.setExecutor(workers);
        protocol.limit(CONNECTIONS_MAX, (remote, reason) -> {
            if (isHeapFull.getAndSet(false)) {
                throw new OutOfMemoryError("Java heap space");
            }
            refused.add(remote + ": " + reason);
        });
        protocol.secure(server);
        Connector connector = new Connector(protocol);
        connector.setPort(0);
        tomcat.setBaseDir(directory.toString());
        tomcat.setConnector(connector);
        Context root = tomcat.addContext("", null);
        Tomcat.addServlet(root, "answer", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                if (request.getHeader("Wait") != null) {
                    waiting.incrementAndGet();
                    awaitRelease(slow);
                }
                response.setContentLength(0);
            }
        });
        root.addServletMappingDecoded("/", "answer");
        tomcat.start();
        port = connector.getLocalPort();
    }

    @AfterEach
    void stop() throws Exception {
        workers.release(false);
        workers.releasePoller();
        slow.countDown();
        stranger.close();
        neighbour.close();
        tomcat.stop();
        tomcat.destroy();
        workers.threads.shutdown();
    }

    /** Whether the workers come to the connections that have lost their place before or after they read the hello. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotDisplaceAConnectionWhoseHelloWaitsForAWorker(boolean isLatestFirst) throws Exception {
        workers.hold();
        FutureTask<String> answer = new FutureTask<>(() -> {
            try (SSLSocket honest = connect()) {
                return ask(honest);
            }
        });
        Thread.ofPlatform().start(answer);
        Facts.await("the hello waits", () -> workers.waitingCount() == 1);
        for (int i = 0; i < 2 * PLACES; i++) {
            neighbour.send(port, "");
        }
        Facts.await("all are accepted", () -> protocol.openCount() + refused.size() == 1 + 2 * PLACES);

        workers.release(isLatestFirst);

        assertThat(answer.get()).startsWith(ANSWER);
        Facts.await("the silent ones without a place are closed", () -> refused.size() == PLACES);
    }

    @Test
    void shouldNotDisplaceTheConnectionOfAnotherAddress() throws Exception {
        try (SSLSocket honest = connect()) {
            Facts.await("it is accepted", () -> protocol.openCount() == 1);
            for (int i = 0; i < 3 * PLACES; i++) {
                // Some with the beginning of a hello.
                stranger.send(port, i % 2 == 0 ? "" : "\u0016\u0003\u0001");
            }
            Facts.await("the others are closed", () -> refused.size() == 2 * PLACES + 1);

            assertThat(ask(honest)).startsWith(ANSWER);
            assertThat(refused).allSatisfy(one -> assertThat(one).startsWith("127.0.0.2:"));
        }
    }

    /** The clients say no more than hello. */
    @Test
    void shouldNotDisplaceTheHandshakeOfAnotherAddress() throws Exception {
        Socket honest = neighbour.send(port, hello());
        assertThat(honest.getInputStream().read()).isNotNegative();
        for (int i = 0; i < 3 * PLACES; i++) {
            assertThat(stranger.send(port, hello()).getInputStream().read()).isNotNegative();
        }
        stranger.send(port, "");

        Facts.await("all but those that have a place are closed", () -> refused.size() == 2 * PLACES + 1);
        assertThat(refused).allSatisfy(one -> assertThat(one).startsWith("127.0.0.2:"));
    }

    @Test
    void shouldLeaveThePlacesOfACertificateWhileWorkersHaveNotClosedSilentOnes() throws Exception {
        List<SSLSocket> honest = new ArrayList<>();
        try {
            for (int i = 0; i < PLACES; i++) {
                honest.add(connect());
                assertThat(ask(honest.getLast())).startsWith(ANSWER);
            }
            workers.hold();
            for (int i = 0; i < 2 * CONNECTIONS_MAX; i++) {
                stranger.send(port, "");
            }
            Facts.await("no place is left", () -> protocol.openCount() == CONNECTIONS_MAX);
            protocol.review(session -> true);

            workers.release(false);

            for (SSLSocket socket : honest) {
                assertThat(ask(socket)).startsWith(ANSWER);
            }
            Facts.await(
                    "all but those that have a place are closed", () -> refused.size() == 2 * CONNECTIONS_MAX - PLACES);
        } finally {
            for (SSLSocket socket : honest) {
                socket.close();
            }
        }
    }

    /** It logs an error with its stack if it comes to a connection while that is closed. */
    @Test
    void shouldCloseNoConnectionThatThePollerHasNotSeen() throws Exception {
        workers.holdPoller();
        neighbour.send(port, hello());
        Facts.await("the poller is held", workers::isPollerHeld);
        for (int i = 0; i < 3 * PLACES; i++) {
            stranger.send(port, "");
        }
        Facts.await("those without a place were with a worker", () -> workers.doneCount() > 2 * PLACES);
        assertThat(refused).isEmpty();

        workers.releasePoller();

        Facts.await("they are closed", () -> refused.size() == 2 * PLACES + 1);
    }

    /** An answer that is read slowly may take hours. */
    @Test
    void shouldHoldNoWorkerForAConnectionThatEndsAfterItsAnswer() throws Exception {
        try (SSLSocket revoked = connect(other);
                SSLSocket honest = connect()) {
            assertThat(ask(honest)).startsWith(ANSWER);
            send(revoked, REQUEST.replace("\r\n\r\n", "\r\nWait: yes\r\n\r\n"));
            Facts.await("a worker answers it", () -> waiting.get() == 1);
            for (int i = 0; i < WORKERS; i++) {
                protocol.review(LimitedHttpProtocolTest::isNotOther);
            }

            assertThat(ask(honest)).startsWith(ANSWER);
            slow.countDown();
            assertThat(read(revoked)).startsWith(ANSWER);
            assertThat(revoked.getInputStream().read()).isNegative();
        }
    }

    private static boolean isNotOther(SSLSession session) {
        try {
            return !session.getPeerPrincipal().getName().contains("other");
        } catch (SSLPeerUnverifiedException e) {
            return true;
        }
    }

    @Test
    void shouldReviewConnectionsAfterTheHeapWasFull() throws Exception {
        int beyond = 4;
        // Twice as many silent connections as there are places of each kind count, whether they are there or not.
        int certificates = CONNECTIONS_MAX / 2 + beyond / 2;
        List<SSLSocket> mine = new ArrayList<>();
        try {
            isHeapFull.set(true);
            for (int i = 0; i < certificates; i++) {
                mine.add(connect());
                assertThat(ask(mine.getLast())).startsWith(ANSWER);
            }

            Facts.await("the review has met the full heap", () -> !isHeapFull.get());
            Facts.await("those beyond the limit are closed", () -> !refused.isEmpty());
        } finally {
            for (SSLSocket socket : mine) {
                socket.close();
            }
        }
    }

    /** The poller hands over what has come: without it the port would accept and never read. */
    @Test
    void shouldServeOthersAfterNoThreadCouldBeMadeForAConnection() throws Exception {
        workers.isOutOfThreads.set(true);
        Stranger.awaitEnd(stranger.send(port, hello()));

        try (SSLSocket honest = connect()) {
            assertThat(ask(honest)).startsWith(ANSWER);
        }
        assertThat(refused).singleElement().asString().startsWith("127.0.0.2:").contains("no thread can serve it");
    }

    private static void awaitRelease(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private SSLSocket connect() throws IOException {
        return connect(client);
    }

    private SSLSocket connect(TlsIdentity client) throws IOException {
        return (SSLSocket) client.context().getSocketFactory().createSocket("127.0.0.1", port);
    }

    /** Returns the answer to a request, to its first empty line. */
    private static String ask(SSLSocket socket) throws IOException {
        send(socket, REQUEST);
        return read(socket);
    }

    private static void send(SSLSocket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(SSLSocket socket) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return answer + " and then the end";
            }
            answer.append((char) next);
        }
        return answer.toString();
    }

    private static String hello() throws IOException {
        SSLEngine tls = client.context().createSSLEngine();
        tls.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(tls.getSession().getPacketBufferSize());
        tls.wrap(ByteBuffer.allocate(0), hello);
        return new String(hello.array(), 0, hello.position(), StandardCharsets.ISO_8859_1);
    }

    /** Tomcat's workers; while they are held, what they are to do waits. */
    private static final class Workers implements Executor {
        private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private final AtomicInteger done = new AtomicInteger();
        private volatile CountDownLatch poller = new CountDownLatch(0);
        private volatile boolean isPollerHeld;
        /** At the next task that the poller hands over. */
        private final AtomicBoolean isOutOfThreads = new AtomicBoolean();

        private boolean isHeld;

        @Override
        public void execute(Runnable task) {
            if (isOutOfThreads.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            if (Thread.currentThread().getName().contains("Poller") && poller.getCount() > 0) {
                isPollerHeld = true;
                awaitRelease(poller);
            }
            take(() -> {
                task.run();
                done.incrementAndGet();
            });
        }

        private synchronized void take(Runnable task) {
            if (isHeld) {
                waiting.add(task);
            } else {
                threads.execute(task);
            }
        }

        /** From the next task on that it hands over. */
        void holdPoller() {
            poller = new CountDownLatch(1);
        }

        boolean isPollerHeld() {
            return isPollerHeld;
        }

        void releasePoller() {
            poller.countDown();
        }

        int doneCount() {
            return done.get();
        }

        synchronized void hold() {
            isHeld = true;
        }

        synchronized void release(boolean isLatestFirst) {
            isHeld = false;
            while (!waiting.isEmpty()) {
                threads.execute(isLatestFirst ? waiting.removeLast() : waiting.removeFirst());
            }
        }

        synchronized int waitingCount() {
            return waiting.size();
        }
    }
}
