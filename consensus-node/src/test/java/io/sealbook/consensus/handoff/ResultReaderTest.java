package io.sealbook.consensus.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.BlockResultEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import org.agrona.concurrent.UnsafeBuffer;
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
    void shouldPassOverWhatARestartedEngineTellsAgain() {
        write(1, 2, 3);
        try (ResultReader reader = reader(0)) {
            reader.poll();
            write(2, 3, 4);
            reader.poll();
        }

        assertThat(told).containsExactly(1L, 2L, 3L, 4L);
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

    private ResultReader reader(long lastKnown) {
        return new ResultReader(directory, lastKnown, lastArchived::get, (sequence, digest, time) -> {
            assertThat(digest).startsWith((byte) sequence);
            told.add(sequence);
        });
    }

    private void write(long... sequences) {
        try (ChronicleQueue queue = Queues.openForWriting(directory);
                ExcerptAppender appender = queue.createAppender()) {
            for (long sequence : sequences) {
                byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + BlockResultEncoder.BLOCK_LENGTH];
                new BlockResultEncoder()
                        .wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
                        .blockSequence(sequence)
                        .resultDigest0(sequence)
                        .executedTimeNs(1);
                appender.writeBytes(out -> out.write(bytes));
            }
        }
    }
}
