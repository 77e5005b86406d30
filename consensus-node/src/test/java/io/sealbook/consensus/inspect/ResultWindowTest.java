package io.sealbook.consensus.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which results an inspection prints if no certificate says where to begin. */
class ResultWindowTest {
    private static final int LOG_WINDOW = 16;

    @Test
    void shouldBeginWithTheFirstBlock() {
        assertThat(lines(3))
                .hasSize(7)
                .first()
                .asString()
                .startsWith("result of block 1: " + digest(1).hex());
    }

    @Test
    void shouldBeginAtMostALogWindowBefore() {
        assertThat(lines(40))
                .hasSize(21)
                .first()
                .asString()
                .startsWith("result of block 24: " + digest(24).hex());
    }

    private static List<String> lines(long middle) {
        ResultWindow window = new ResultWindow(middle, LOG_WINDOW, Optional.empty());
        for (long sequence = 1; sequence <= middle; sequence++) {
            window.onResult(sequence, digest(sequence));
        }
        StringWriter lines = new StringWriter();
        window.print(new Report(new PrintWriter(lines, true)));
        return lines.toString().lines().toList();
    }

    private static Digest digest(long sequence) {
        return Digest.sha256(new byte[] {(byte) sequence});
    }
}
