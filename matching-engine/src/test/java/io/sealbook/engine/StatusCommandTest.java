package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.ports.HeldPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exit codes of {@code status}; {@link EngineTlsTest} asks a real engine. */
@Timeout(120)
class StatusCommandTest {
    private HttpServer engine;
    private volatile int code = 200;
    private volatile String body = "{}";

    @BeforeEach
    void listen() throws IOException {
        engine = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        engine.createContext("/api/status", exchange -> {
            byte[] answer = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        engine.start();
    }

    @AfterEach
    void close() {
        engine.stop(0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeWellOnlyWhileItExecutesNewBlocks(EnginePhase phase) {
        body = "{\"phase\":\"" + phase + "\"}";

        assertThat(status()).isEqualTo(phase == EnginePhase.TAILING ? StatusCommand.WELL : StatusCommand.NOT_WELL);
    }

    /** The block is in a damaged part of the archive: the phase is that of an engine that nothing comes to. */
    @Test
    void shouldNotBeWellWhileItWaitsForADamagedBlock() {
        body = "{\"phase\":\"TAILING\",\"obstacle\":\"block 5 is damaged\"}";
        assertThat(status()).isEqualTo(StatusCommand.NOT_WELL);
        body = "{\"phase\":\"TAILING\",\"obstacle\":null}";
        assertThat(status()).isEqualTo(StatusCommand.WELL);
    }

    @Test
    void shouldNotBeWellIfItsResultIsWrong() {
        body = "{\"phase\":\"TAILING\",\"wrongResult\":\"the result of block 5 is a, the others have b\"}";
        assertThat(status()).isEqualTo(StatusCommand.NOT_WELL);
    }

    @Test
    void shouldNotBeWellIfItRefusesOrIsNoEngine() {
        code = 429;
        body = "{\"phase\":\"TAILING\"}";
        assertThat(status()).isEqualTo(StatusCommand.NOT_WELL);
        code = 200;
        body = "<html>";
        assertThat(status()).isEqualTo(StatusCommand.NOT_WELL);
    }

    @Test
    void shouldDistinguishNoAnswerFromABadOne() {
        try (HeldPort nobody = new HeldPort()) {
            assertThat(StatusCommand.run(List.of("127.0.0.1:" + nobody.number())))
                    .isEqualTo(StatusCommand.NO_ANSWER);
        }
    }

    @Test
    void shouldDistinguishWrongUse(@TempDir Path empty) {
        assertThat(StatusCommand.run(List.of("a:1", "b:1"))).isEqualTo(StatusCommand.WRONG_USE);
        assertThat(StatusCommand.run(List.of("no address"))).isEqualTo(StatusCommand.WRONG_USE);
        assertThat(StatusCommand.run(List.of("127.0.0.1:99999"))).isEqualTo(StatusCommand.WRONG_USE);
        assertThat(StatusCommand.run(List.of("127.0.0.1:1", "--tls=\0"))).isEqualTo(StatusCommand.WRONG_USE);
        assertThat(StatusCommand.run(List.of("127.0.0.1:1", "--tls=" + empty))).isEqualTo(StatusCommand.WRONG_USE);
    }

    private int status() {
        return StatusCommand.run(List.of("127.0.0.1:" + engine.getAddress().getPort()));
    }
}
