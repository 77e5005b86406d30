package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;

/**
 * The 24 places of requests at an engine's HTTP port, over real connections: 6 are brokers', 3 each of auditors,
 * members and certificates without a role, 9 of all. Requests with the header {@code hold} are answered when the test
 * says so.
 */
@Timeout(300)
class HttpRolePlacesTest {
    private static final int REQUESTS_PER_CALLER = 8;
    private static final int FLOOD = 12;
    private static final String HOLD = "hold";
    private static final String SUBSCRIBED = "{\"type\":\"error\",\"message\":\"instrument 99 does not exist\"}";

    private final CertificateAuthority authority =
            new CertificateAuthority("members", Duration.ofDays(30), Clock.systemUTC());
    private final Signer broker1 = Signers.generate(SignatureScheme.SM2_SM3);
    private final Signer broker2 = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();
    private final List<HttpClient> clients = new ArrayList<>();

    @TempDir
    Path directory;

    private ConfigurableApplicationContext context;
    private int port;

    private void start(String... settings) throws Exception {
        TestNode node = new TestNode(
                directory,
                TestMarket.write(
                                directory,
                                genesis(),
                                Stream.concat(
                                                Stream.of(
                                                        "server.port=0",
                                                        "sealbook.engine.tls=required",
                                                        "sealbook.engine.grpc-port=0",
                                                        "sealbook.engine.exit-on-failure=false",
                                                        "sealbook.engine.database.enabled=false"),
                                                Stream.of(settings))
                                        .toArray(String[]::new))
                        .digest());
        assertThat(node.lastSequence()).isZero();
        Files.writeString(directory.resolve("node.properties"), "node-id=0\n");
        authority.issue(
                TlsSettings.ofFilesIn(directory.resolve("tls")),
                "engine",
                CertificateRole.SERVER,
                List.of("127.0.0.1"));
        SpringApplication application = EngineApplication.application(directory);
        application.addInitializers(made ->
                ((GenericApplicationContext) made).registerBean("hold", FilterRegistrationBean.class, this::holding));
        context = application.run("--logging.level.root=error");
        port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private FilterRegistrationBean<Filter> holding() {
        FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
            if (((HttpServletRequest) request).getHeader(HOLD) != null) {
                held.incrementAndGet();
                try {
                    mayAnswer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            chain.doFilter(request, response);
        });
        filter.setOrder(Ordered.LOWEST_PRECEDENCE);
        return filter;
    }

    @AfterEach
    void stop() {
        mayAnswer.countDown();
        clients.forEach(HttpClient::shutdownNow);
        context.close();
    }

    @Test
    void shouldServeEveryRoleWhileBrokersHoldAllTheirPlaces() throws Exception {
        start();
        Guest first = guest("broker1", new RoleHolder(TestMarket.CHAIN_ID, Role.BROKER, 1, 1, broker1));
        Guest again = guest("broker1-elsewhere", first.holder);
        Guest second = guest("broker2", new RoleHolder(TestMarket.CHAIN_ID, Role.BROKER, 2, 1, broker2));
        Guest member = guest(
                "node0", new RoleHolder(TestMarket.CHAIN_ID, Role.MEMBER, 0, 0, Signers.of(TestAdministration.key(0))));
        Guest nobody = guest("nobody", null);

        List<CompletableFuture<HttpResponse<String>>> flood = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            flood.add((i % 2 == 0 ? first : again).ask("/api/orders/1/17", true));
            Facts.await("it is held or refused", () -> held.get() + done(flood) == flood.size());
        }
        assertThat(held).as("of one caller with two certificates").hasValue(REQUESTS_PER_CALLER);
        assertThat(refusals(flood))
                .hasSize(FLOOD - REQUESTS_PER_CALLER)
                .allSatisfy(
                        body -> assertThat(body).contains("broker 1 has 8 requests open, the most that one may have"));

        List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            others.add(second.ask("/api/orders/2/17", true));
            Facts.await(
                    "it is held or refused",
                    () -> held.get() + done(flood) + done(others) == flood.size() + others.size());
        }
        assertThat(refusals(others))
                .isNotEmpty()
                .allSatisfy(
                        body -> assertThat(body).contains("broker 2 has as many requests open as are left for others"));
        assertThat(held.get() - REQUESTS_PER_CALLER).as("of the second broker").isPositive();

        assertThat(status(member.ask("/api/orders/1/17", false))).isNotIn(401, 403, 429);
        assertThat(status(nobody.ask("/api/status", false))).isEqualTo(200);
        assertThat(status(nobody.ask("/api/orders/1/17", false))).isEqualTo(401);

        mayAnswer.countDown();
        Facts.await("all are answered", () -> done(flood) + done(others) == 2 * FLOOD);
        Facts.await("the places are free", () -> status(first.ask("/api/orders/1/17", false)) != 429);
    }

    /** 1 of 8 is reserved for them, 3 are common. */
    @Test
    void shouldGiveAMemberAWebSocketWhileCertificatesWithoutARoleTakeAllTheyGet() throws Exception {
        start("sealbook.engine.market-data.subscribers-max=8", "sealbook.engine.market-data.subscribers-per-address=8");
        Guest member = guest(
                "node0", new RoleHolder(TestMarket.CHAIN_ID, Role.MEMBER, 0, 0, Signers.of(TestAdministration.key(0))));
        List<Guest> strangers = List.of(guest("nobody0", null), guest("nobody1", null));

        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            answers.add(strangers.get(i % 2).subscribe());
        }

        assertThat(member.subscribe()).isEqualTo(SUBSCRIBED);
        assertThat(answers).filteredOn(SUBSCRIBED::equals).hasSizeBetween(2, 4);
        assertThat(answers)
                .filteredOn(answer -> !answer.equals(SUBSCRIBED))
                .containsOnly("1013 as many clients of this caller as are left for others");
    }

    /** The broker shows the certificate and comes from the address of the strangers; its role has rates of its own. */
    @Test
    void shouldServeABrokerWhoseAddressIsTooFast() throws Exception {
        start("sealbook.engine.http.requests-per-second=1");
        List<Guest> strangers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            strangers.add(guest("nobody" + i, null));
        }
        TlsSettings shared = TlsSettings.ofFilesIn(directory.resolve("guests").resolve("nobody0"));
        Guest broker =
                new Guest(new RoleHolder(TestMarket.CHAIN_ID, Role.BROKER, 1, 1, broker1), TlsIdentity.open(shared));

        Facts.await("their address is too fast", () -> {
            List<CompletableFuture<HttpResponse<String>>> flood = strangers.stream()
                    .flatMap(stranger -> Stream.of(stranger.ask("/api/status", false), stranger.ask("/api/x", false)))
                    .toList();
            Facts.await("they are answered", () -> done(flood) == flood.size());
            return refusals(flood).stream().anyMatch(body -> body.contains("address 127.0.0.1 makes more than 4"));
        });

        assertThat(status(broker.ask("/api/status", false))).isEqualTo(200);
        assertThat(status(broker.ask("/api/status", false))).isEqualTo(200);
    }

    private static int done(List<CompletableFuture<HttpResponse<String>>> answers) {
        return (int) answers.stream().filter(CompletableFuture::isDone).count();
    }

    private static List<String> refusals(List<CompletableFuture<HttpResponse<String>>> answers) {
        return answers.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .filter(answer -> answer.statusCode() == 429)
                .map(HttpResponse::body)
                .toList();
    }

    private static int status(CompletableFuture<HttpResponse<String>> answer) throws Exception {
        return answer.get(2, TimeUnit.MINUTES).statusCode();
    }

    /** A caller with a certificate, and perhaps a role. */
    private final class Guest {
        private final RoleHolder holder;
        private final HttpClient client;
        private final String statement;

        Guest(RoleHolder holder, TlsIdentity identity) {
            this.holder = holder;
            this.client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(identity.context())
                    .build();
            clients.add(client);
            X509ExtendedKeyManager keys = (X509ExtendedKeyManager) identity.keys();
            X509Certificate shown =
                    keys.getCertificateChain(keys.chooseEngineClientAlias(new String[] {"EC"}, null, null))[0];
            this.statement =
                    holder == null ? "" : RoleStatement.make(holder, shown).toText();
        }

        /** Opens a WebSocket that stays open, and returns how it begins: a subscription to nothing is answered. */
        String subscribe() throws Exception {
            CompletableFuture<String> first = new CompletableFuture<>();
            WebSocket.Builder request = client.newWebSocketBuilder();
            if (!statement.isEmpty()) {
                request.header(RoleStatement.HEADER, statement);
            }
            request.buildAsync(
                            URI.create("wss://127.0.0.1:" + port + "/ws/market-data?instrument=99"),
                            new WebSocket.Listener() {
                                @Override
                                public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
                                    first.complete(text.toString());
                                    return null;
                                }

                                @Override
                                public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                                    first.complete(code + " " + reason);
                                    return null;
                                }
                            })
                    .get(2, TimeUnit.MINUTES);
            return first.get(2, TimeUnit.MINUTES);
        }

        CompletableFuture<HttpResponse<String>> ask(String path, boolean isHeld) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
            if (!statement.isEmpty()) {
                request.header(RoleStatement.HEADER, statement);
            }
            if (isHeld) {
                request.header(HOLD, "1");
            }
            return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private Guest guest(String name, RoleHolder holder) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve("guests").resolve(name));
        authority.issue(files, name, CertificateRole.CLIENT, List.of());
        return new Guest(holder, TlsIdentity.open(files));
    }

    private Genesis genesis() {
        Genesis.Builder genesis = TestMarket.genesis(1).toBuilder();
        genesis.getBrokersBuilderList()
                .forEach(broker -> broker.getKeysBuilder(0).setKey(key(broker.getBrokerId() == 1 ? broker1 : broker2)));
        return genesis.build();
    }

    private static PublicKey key(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }
}
