package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.facts.Facts;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;

/**
 * A caller gets one proof of positions until it has read it, and clients that do not read take none from others. A
 * request with the header {@code unread} is as one whose client reads nothing: its answer is made, and ends when the
 * test says so.
 */
@Timeout(300)
class LargeAnswersTest {
    private static final String PROOF = "/api/positions/1/proof";
    private static final String UNREAD = "unread";

    private final CountDownLatch isRead = new CountDownLatch(1);
    private final AtomicInteger unread = new AtomicInteger();
    private final List<HttpClient> clients = new ArrayList<>();

    @TempDir
    private Path directory;

    private ConfigurableApplicationContext context;
    private int port;

    @BeforeEach
    void start() {
        TestNode node = TestNode.withArchive(
                directory,
                TestMarket.write(
                                directory,
                                1,
                                "server.port=0",
                                "sealbook.engine.grpc-port=0",
                                "sealbook.engine.exit-on-failure=false",
                                "sealbook.engine.database.enabled=false")
                        .digest());
        node.commit(new TestFlow(3).batch(20));
        SpringApplication application = EngineApplication.application(directory);
        application.addInitializers(made -> ((GenericApplicationContext) made)
                .registerBean("unread", FilterRegistrationBean.class, this::holdingAnswers));
        context = application.run("--logging.level.root=error");
        port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private FilterRegistrationBean<Filter> holdingAnswers() {
        FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
            chain.doFilter(request, response);
            if (((HttpServletRequest) request).getHeader(UNREAD) != null) {
                unread.incrementAndGet();
                try {
                    isRead.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        filter.setOrder(Ordered.LOWEST_PRECEDENCE);
        return filter;
    }

    @AfterEach
    void stop() {
        isRead.countDown();
        clients.forEach(HttpClient::shutdownNow);
        context.close();
    }

    @Test
    void shouldMakeNoFurtherProofForACallerThatHasNotReadOne() throws Exception {
        HttpClient slow = client("127.0.0.1");

        CompletableFuture<HttpResponse<String>> held = ask(slow, true);
        Facts.await("the answer is not read", () -> unread.get() == 1);
        HttpResponse<String> again = ask(slow, false).get();

        assertThat(again.statusCode()).as(again.body()).isEqualTo(503);
        assertThat(again.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(again.body()).contains("another large answer to address 127.0.0.1 has not been read yet");

        isRead.countDown();
        assertThat(held.get().statusCode()).as("no report is certified").isEqualTo(404);
        Facts.await("the place is free", () -> ask(slow, false).get().statusCode() == 404);
    }

    /** Two that read nothing held both places for proofs. */
    @Test
    void shouldMakeProofsThoughSomeAreNotRead() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            held.add(ask(client("127.0.0." + i), true));
            int count = i;
            Facts.await("the answer is not read", () -> unread.get() == count);
        }

        assertThat(ask(client("127.0.0.4"), false).get().statusCode())
                .as("no report is certified")
                .isEqualTo(404);

        isRead.countDown();
        for (CompletableFuture<HttpResponse<String>> each : held) {
            assertThat(each.get().statusCode()).isEqualTo(404);
        }
    }

    private HttpClient client(String address) throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .localAddress(InetAddress.getByName(address))
                .build();
        clients.add(client);
        return client;
    }

    private CompletableFuture<HttpResponse<String>> ask(HttpClient client, boolean isUnread) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + PROOF));
        if (isUnread) {
            request.header(UNREAD, "true");
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
