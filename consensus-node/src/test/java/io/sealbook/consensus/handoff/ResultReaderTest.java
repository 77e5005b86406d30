package io.sealbook.consensus.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultReaderTest {
    @TempDir
    private Path directory;

    private final List<Long> told = new ArrayList<>();
    private final AtomicLong lastArchived = new AtomicLong(100);

    @Test
    void shouldTellWhatIsNewerThanTheLastKnownResult() {
        write(1, 2, 3, 4, 5);

        try (ResultReader reader = reader(3)) {
            reader.poll();
            assertThat(told).containsExactly(4L, 5L);
            write(6);
            reader.poll();
        }

        assertThat(told).containsExactly(4L, 5L, 6L);
    }

    @Test
    void shouldTellWhatARebuiltEngineTellsAgain() {
        write(1, 2, 3);
        try (ResultReader reader = reader(0)) {
            reader.poll();
            write(2, 3, 4);
            reader.poll();
        }

        assertThat(told).containsExactly(1L, 2L, 3L, 2L, 3L, 4L);
    }

    /** What was there before is not read again, also if the rebuilt engine has not come as far. */
    @Test
    void shouldBeginAmongWhatARebuiltEngineToldAgain() {
        write(1, 2, 3, 4, 5);
        write(2, 3);

        try (ResultReader reader = reader(1)) {
            reader.poll();
            assertThat(told).containsExactly(2L, 3L);
        }
        told.clear();
        try (ResultReader reader = reader(3)) {
            reader.poll();
            assertThat(told).isEmpty();
            write(4);
            reader.poll();
        }
        assertThat(told).containsExactly(4L);
    }

    @Test
    void shouldHoldAResultWhoseBlockTheArchiveDoesNotHaveYet() {
        lastArchived.set(1);
        write(1, 2, 3);

        try (ResultReader reader = reader(0)) {
            reader.poll();
            assertThat(told).containsExactly(1L);
            lastArchived.set(3);
            reader.poll();
        }

        assertThat(told).containsExactly(1L, 2L, 3L);
    }

    /** The node would take the digest of its engine's lie, or of a broken disk, as its own. */
    @Test
    void shouldRefuseAResultWhoseDigestHasChanged() throws IOException {
        write(1, 2, 3);
        flipDigest(3);

        try (ResultReader reader = reader(1)) {
            assertThatThrownBy(reader::poll)
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining("queue/results: result of block 3 is damaged: CRC32C");
        }
        assertThat(told).doesNotContain(3L);
    }

    /** Changes the first bit of a digest in the queue's file, as a disk may do. */
    private void flipDigest(long sequence) throws IOException {
        byte[] digest = digest(sequence).bytes();
        try (Stream<Path> files = Files.list(directory);
                FileChannel file = FileChannel.open(
                        files.filter(name -> name.toString().endsWith("F.cq4"))
                                .findFirst()
                                .orElseThrow(),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            ByteBuffer start = ByteBuffer.allocate(1 << 20);
            file.read(start, 0);
            for (int at = 0; at < start.position() - digest.length; at++) {
                if (Arrays.equals(start.array(), at, at + digest.length, digest, 0, digest.length)) {
                    file.write(ByteBuffer.wrap(new byte[] {(byte) (digest[0] ^ 1)}), at);
                    return;
                }
            }
        }
        throw new AssertionError("no digest of block " + sequence + " in the queue's file");
    }

    private ResultReader reader(long lastKnown) {
        return new ResultReader(directory, lastKnown, lastArchived::get, result -> {
            assertThat(result.digest()).isEqualTo(digest(result.sequence()));
            told.add(result.sequence());
        });
    }

    private void write(long... sequences) {
        try (HandOffWriter<BlockResult> queue = HandOffWriter.ofResults(directory)) {
            for (long sequence : sequences) {
                queue.append(new BlockResult(sequence, digest(sequence), 1, 0, 0));
            }
        }
    }

    private static Digest digest(long sequence) {
        return Digest.sha256(new byte[] {(byte) sequence});
    }
}
