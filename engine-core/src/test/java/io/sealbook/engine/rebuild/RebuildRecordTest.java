package io.sealbook.engine.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.ForcedFiles;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.lock.WholeFile;
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
        RebuildRecord record = record();

        record.write(file);

        assertThat(RebuildRecord.read(file)).contains(record);
    }

    /** After a loss of power the attempts go on: a third rebuild by itself is one too many. */
    @Test
    void shouldBeOnDiskWithItsName() throws Exception {
        Path file = directory.resolve("rebuild");

        assertThat(ForcedFiles.below(directory, () -> record().write(file)))
                .containsExactly(WholeFile.unfinished(file), directory);
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

    private static RebuildRecord record() {
        return new RebuildRecord(
                new IsolationNotice(48, Digest.ZERO, Digest.ZERO, Digest.ZERO, Digest.ZERO, 32),
                2,
                32,
                true,
                Optional.of(Digest.sha256(new byte[] {1})),
                3);
    }
}
