package io.sealbook.engine.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.handoff.IsolationNotice;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RebuildRecordTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatWasWritten() {
        Path file = directory.resolve("rebuild");
        RebuildRecord record = new RebuildRecord(
                new IsolationNotice(48, Digest.ZERO, Digest.ZERO, Digest.ZERO, Digest.ZERO, 32),
                2,
                32,
                true,
                Optional.of(Digest.sha256(new byte[] {1})),
                3);

        record.write(file);

        assertThat(RebuildRecord.read(file)).contains(record);
    }

    /** A byte that is no UTF-8, an empty file, a number that is none: the engine starts and counts anew. */
    @Test
    void shouldTakeADamagedRecordForNone() throws IOException {
        Path file = directory.resolve("rebuild");
        for (byte[] damaged : new byte[][] {{(byte) 0xff}, {}, "attempt=x".getBytes(StandardCharsets.UTF_8)}) {
            Files.write(file, damaged);

            assertThat(RebuildRecord.read(file)).isEmpty();
        }
    }
}
