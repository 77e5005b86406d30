package io.sealbook.consensus.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import io.sealbook.consensus.config.AdminConfig;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The waits of one connection, on a clock of the test's. */
@Timeout(60)
class AdminExchangeTest {
    private static final int TIMEOUT_MS = 1_000;
    private static final int MOST_OF_IT_MS = 900;

    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private EmbeddedChannel channel;

    @BeforeEach
    void connect() {
        channel = new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return isActive() ? new InetSocketAddress("127.0.0.1", 1) : null;
            }
        };
        channel.freezeTime();
        AdminConfig config = new AdminConfig("127.0.0.1", 0, 1, TIMEOUT_MS, AdminConfig.RATES_DEFAULT);
        new AdminConnections(
                        config,
                        Optional.empty(),
                        Map.of("/slow", this::slowAnswer),
                        OperatorGate.ofNobody(),
                        new AdminRates(config.rates(), false, new SimpleMeterRegistry(), System::nanoTime))
                .add(channel);
    }

    @AfterEach
    void close() {
        mayAnswer.countDown();
        channel.finishAndReleaseAll();
    }

    @Test
    void shouldGiveEachRequestItsTimeHoweverLongTheConnectionWasIdle() {
        for (int i = 0; i < 3; i++) {
            pass(MOST_OF_IT_MS);
            send("GET /no");
            pass(MOST_OF_IT_MS);
            send("where HTTP/1.1\r\n\r\n");

            assertThat(channel.isOpen()).isTrue();
            assertThat(answer()).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void shouldGiveAnAnswerItsTimeHoweverLateTheRequestCame() {
        pass(MOST_OF_IT_MS);
        send("GET /slow HTTP/1.1\r\n\r\n");

        pass(MOST_OF_IT_MS);
        assertThat(channel.isOpen()).isTrue();
        pass(TIMEOUT_MS);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldCloseAConnectionWhoseRequestComesByteByByte() {
        for (int i = 0; i < 2; i++) {
            assertThat(channel.isOpen()).isTrue();
            send("G");
            pass(TIMEOUT_MS / 2);
        }

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldCloseAConnectionOnWhichNoRequestBegins() {
        send("GET /nowhere HTTP/1.1\r\n\r\n");
        assertThat(answer()).startsWith("HTTP/1.1 404 ");

        pass(MOST_OF_IT_MS);
        assertThat(channel.isOpen()).isTrue();
        pass(TIMEOUT_MS);
        assertThat(channel.isOpen()).isFalse();
    }

    private Answer slowAnswer() {
        try {
            mayAnswer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Answer.text(HttpResponseStatus.OK, "late");
    }

    private void pass(int ms) {
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private String answer() {
        StringBuilder text = new StringBuilder();
        for (Object part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            text.append(((ByteBuf) part).toString(StandardCharsets.US_ASCII));
            ReferenceCountUtil.release(part);
        }
        return text.toString();
    }
}
