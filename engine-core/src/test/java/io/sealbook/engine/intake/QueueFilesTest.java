package io.sealbook.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.BlockLocation;
import io.sealbook.handoff.HandOffQueues;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.time.SetTimeProvider;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue with a file for each of five days, ten blocks a day, whose writer and readers stay open while files go. */
class QueueFilesTest {
    private static final int BLOCKS_A_DAY = 10;

    @TempDir
    Path directory;

    private final SetTimeProvider clock = new SetTimeProvider(TimeUnit.DAYS.toNanos(20_000));
    private ChronicleQueue writing;
    private ExcerptAppender appender;
    private long sequence;
    private QueueFiles files;

    @BeforeEach
    void writeFiveDays() {
        writing = HandOffQueues.settings(directory).timeProvider(clock).build();
        appender = writing.createAppender();
        files = QueueFiles.ofBlocks(directory);
        for (int day = 0; day < 5; day++) {
            writeADay();
        }
    }

    @AfterEach
    void close() {
        writing.close();
    }

    @Test
    void shouldDeleteOnlyFilesThatLieWhollyBeforeTheBlock() throws IOException {
        assertThat(files.pruneBefore(10)).isZero();
        assertThat(files.pruneBefore(11)).isEqualTo(1);
        assertThat(files.pruneBefore(30)).isEqualTo(1);
        assertThat(files.pruneBefore(30)).isZero();

        assertThat(names()).hasSize(3);
        assertThat(sequences(TailerDirection.FORWARD)).first().isEqualTo(21L);
    }

    @Test
    void shouldKeepTheNewestFileWhateverIsAskedFor() throws IOException {
        assertThat(files.pruneBefore(Long.MAX_VALUE)).isEqualTo(4);

        assertThat(names()).hasSize(1);
        assertThat(sequences(TailerDirection.FORWARD))
                .containsExactly(41L, 42L, 43L, 44L, 45L, 46L, 47L, 48L, 49L, 50L);
        assertThat(sequences(TailerDirection.BACKWARD)).first().isEqualTo(50L);
    }

    @Test
    void shouldLeaveOpenWritersAndReadersAtWork() {
        try (ChronicleQueue reading = HandOffQueues.openForReading(directory);
                ExcerptTailer late = reading.createTailer();
                ExcerptTailer atEnd = reading.createTailer()) {
            assertThat(read(late)).isEqualTo(1);
            atEnd.toEnd();

            files.pruneBefore(45);
            writeADay();

            assertThat(read(atEnd)).isEqualTo(51);
            late.toStart();
            assertThat(read(late)).isEqualTo(41);
            assertThat(sequences(TailerDirection.BACKWARD)).hasSize(20).first().isEqualTo(60L);
        }
    }

    @Test
    void shouldPassOverAFileWithoutExcerptAndSayNothingOfNoQueue() throws IOException {
        assertThat(QueueFiles.ofBlocks(directory.resolve("absent")).pruneBefore(9))
                .isZero();
        assertThat(QueueFiles.ofBlocks(directory.resolve("absent")).bytes()).isZero();
        assertThat(files.bytes()).isPositive();
        Files.delete(names().get(2));
        Files.createFile(directory.resolve("20241006F.cq4"));

        assertThat(files.pruneBefore(45)).isEqualTo(4);
        assertThat(sequences(TailerDirection.FORWARD)).first().isEqualTo(41L);
    }

    private void writeADay() {
        Bytes<byte[]> buffer = Bytes.allocateElasticOnHeap();
        for (int i = 0; i < BLOCKS_A_DAY; i++) {
            buffer.clear();
            buffer.write(new BlockLocation(++sequence, Digest.ZERO, 1, 0, BlockHeader.LENGTH, 0).encode());
            appender.writeBytes(buffer);
        }
        clock.advanceMillis(TimeUnit.DAYS.toMillis(1));
    }

    private List<Long> sequences(TailerDirection direction) {
        List<Long> sequences = new ArrayList<>();
        try (ChronicleQueue queue = HandOffQueues.openForReading(directory);
                ExcerptTailer tailer = queue.createTailer()) {
            tailer.direction(direction);
            if (direction == TailerDirection.BACKWARD) {
                tailer.toEnd();
            }
            for (long next = read(tailer); next > 0; next = read(tailer)) {
                sequences.add(next);
            }
        }
        return sequences;
    }

    /** Returns the sequence of the next block; 0 when there is none. */
    private static long read(ExcerptTailer tailer) {
        Bytes<byte[]> buffer = Bytes.allocateElasticOnHeap();
        return tailer.readBytes(buffer)
                ? BlockLocation.decode(buffer.toByteArray()).sequence()
                : 0;
    }

    private List<Path> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(file -> file.toString().endsWith("F.cq4"))
                    .sorted()
                    .toList();
        }
    }
}
