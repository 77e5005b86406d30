package io.sealbook.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the two processes at the ends of a queue rely on, whichever way it goes. Writer and reader open the queue each
 * for itself, as processes do.
 *
 * @param <T> value of an excerpt
 */
@Timeout(300)
abstract class HandOffContract<T> {
    @TempDir
    Path directory;

    /** Opens the queue with a clock by which its files roll. */
    abstract HandOffWriter<T> writer(TimeProvider clock);

    abstract HandOffReader<T> reader();

    /** Returns a value about a block; equal for equal blocks. */
    abstract T value(long block);

    abstract byte[] encode(T value);

    @Test
    void shouldReadWhatIsWrittenInItsOrderAsItComes() {
        try (HandOffReader<T> reader = reader();
                HandOffWriter<T> writer = writer()) {
            assertThat(reader.read()).isEmpty();
            for (int block = 1; block <= 5; block++) {
                writer.append(value(block));
                assertThat(reader.read()).hasValueSatisfying(isValue(block));
            }
            assertThat(reader.read()).isEmpty();
        }
    }

    @Test
    void shouldGoOnAfterEitherSideHasStoppedAndStarted() {
        write(1, 2);
        write(3);

        assertThat(blocks()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldFindTheNewestFromBothEnds() {
        try (HandOffWriter<T> writer = writer();
                HandOffReader<T> own = writer.reader();
                HandOffReader<T> others = reader()) {
            assertThat(own.last()).isEmpty();
            assertThat(others.last()).isEmpty();
            writer.append(value(1));
            writer.append(value(2));

            assertThat(own.last()).hasValueSatisfying(isValue(2));
            assertThat(others.last()).hasValueSatisfying(isValue(2));
            others.toStart();
            assertThat(others.read()).hasValueSatisfying(isValue(1));
        }
    }

    @Test
    void shouldBeginAfterABlock() {
        write(1, 2, 3, 4);
        try (HandOffReader<T> reader = reader();
                HandOffWriter<T> writer = writer()) {
            reader.toFirstAfter(2);
            assertThat(reader.read()).hasValueSatisfying(isValue(3));
            reader.toFirstAfter(0);
            assertThat(reader.read()).hasValueSatisfying(isValue(1));
            reader.toFirstAfter(4);
            assertThat(reader.read()).isEmpty();
            writer.append(value(5));
            assertThat(reader.read()).hasValueSatisfying(isValue(5));
        }
    }

    @Test
    void shouldFindAnExcerptByItsIndex() {
        write(1, 2, 3);
        long index;
        try (HandOffReader<T> reader = reader()) {
            reader.read();
            reader.read();
            index = reader.lastIndex();
        }

        try (HandOffReader<T> reader = reader()) {
            assertThat(reader.moveTo(index)).isTrue();
            assertThat(reader.read()).hasValueSatisfying(isValue(2));
            assertThat(reader.read()).hasValueSatisfying(isValue(3));
            assertThat(reader.moveTo(index + 1_000)).isFalse();
        }
    }

    @Test
    void shouldNameAnExcerptThatHasChanged() throws IOException {
        write(1, 2);
        flipLastByteOf(value(2));

        try (HandOffReader<T> reader = reader()) {
            assertThat(reader.read()).hasValueSatisfying(isValue(1));
            assertThatThrownBy(reader::read)
                    .isInstanceOf(HandOffException.class)
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining("queue/");
            assertThatThrownBy(reader::last).isInstanceOf(HandOffException.class);
            assertThatThrownBy(() -> reader.toFirstAfter(0)).isInstanceOf(HandOffException.class);
        }
    }

    @Test
    void shouldNameAnExcerptOfAnotherKind() {
        try (ChronicleQueue queue = HandOffQueues.openForWriting(directory)) {
            queue.createAppender().writeBytes(out -> out.write(new byte[200]));
        }

        try (HandOffReader<T> reader = reader()) {
            assertThatThrownBy(reader::read)
                    .isInstanceOf(HandOffException.class)
                    .hasMessageContaining("200 bytes are no");
        }
    }

    @Test
    void shouldNameAFileThatHasLostItsContent() throws IOException {
        write(1, 2);
        zero(queueFile());

        try (HandOffReader<T> reader = reader()) {
            assertThatThrownBy(() -> reader.toFirstAfter(0))
                    .isInstanceOf(HandOffException.class)
                    .hasMessageContaining("queue/")
                    .hasMessageContaining("the files cannot be read");
        }
    }

    @Test
    void shouldGoOnWhereAKilledWriterLeftAnExcerptUnfinished() {
        write(1);
        ChronicleQueue killed = HandOffQueues.openForWriting(directory);
        DocumentContext unfinished = killed.createAppender().writingDocument();
        unfinished.wire().bytes().write(new byte[40]);

        write(2);

        assertThat(blocks()).containsExactly(1L, 2L);
        killed.close();
    }

    /** Days since 1970, one before and one after the day of the reader's clock. */
    @ParameterizedTest
    @ValueSource(ints = {20_000, 40_000})
    void shouldKeepTheOrderWhenTheClockGoesBackOverMidnight(int day) {
        assertThatOrderIsKept(day, day + 1, day, day, day + 1, day + 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {20_000, 40_000})
    void shouldKeepTheOrderWhenTheClockGoesBackByDays(int day) {
        assertThatOrderIsKept(day, day + 3, day + 1, day, day + 2, day + 4);
    }

    /** Appends a value on each day, first by one writer, then by one for each; a reader follows, others start anew. */
    private void assertThatOrderIsKept(int... days) {
        AtomicLong clockMs = new AtomicLong();
        long block = 0;
        try (HandOffReader<T> running = reader()) {
            try (HandOffWriter<T> writer = writer(clockMs::get)) {
                for (int day : days) {
                    clockMs.set(TimeUnit.DAYS.toMillis(day));
                    writer.append(value(++block));
                    assertThat(running.read()).hasValueSatisfying(isValue(block));
                }
            }
            for (int day : days) {
                clockMs.set(TimeUnit.DAYS.toMillis(day));
                try (HandOffWriter<T> writer = writer(clockMs::get);
                        HandOffReader<T> own = writer.reader()) {
                    assertThat(own.last()).hasValueSatisfying(isValue(block));
                    writer.append(value(++block));
                    assertThat(own.last()).hasValueSatisfying(isValue(block));
                }
                assertThat(running.read()).hasValueSatisfying(isValue(block));
            }
            assertThat(running.last()).hasValueSatisfying(isValue(block));
            running.toFirstAfter(days.length);
            assertThat(running.read()).hasValueSatisfying(isValue(days.length + 1));
        }

        assertThat(blocks())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, block).boxed().toList());
    }

    @Test
    void shouldBeHandedFromOneThreadToAnother() {
        try (HandOffWriter<T> writer = writer();
                HandOffReader<T> reader = reader()) {
            writer.append(value(1));
            reader.read();
            CompletableFuture.runAsync(
                            () -> {
                                writer.append(value(2));
                                assertThat(reader.read()).hasValueSatisfying(isValue(2));
                            },
                            thread -> new Thread(thread).start())
                    .join();
        }
    }

    @Test
    void shouldChangeNoFileWhenOpenedReadOnly() throws IOException {
        write(1, 2);
        List<String> before = contents();

        try (ChronicleQueue queue = HandOffQueues.openReadOnly(directory)) {
            assertThat(queue.createTailer()
                            .readBytes(bytes -> assertThat(bytes.toByteArray()).isEqualTo(encode(value(1)))))
                    .isTrue();
        }

        assertThat(contents()).isEqualTo(before);
    }

    private HandOffWriter<T> writer() {
        return writer(SystemTimeProvider.INSTANCE);
    }

    private void write(long... blocks) {
        try (HandOffWriter<T> writer = writer()) {
            for (long block : blocks) {
                writer.append(value(block));
            }
        }
    }

    /** Returns the blocks of all excerpts. */
    private List<Long> blocks() {
        List<Long> blocks = new ArrayList<>();
        try (HandOffReader<T> reader = reader()) {
            for (Optional<T> next = reader.read(); next.isPresent(); next = reader.read()) {
                byte[] found = encode(next.get());
                long block = 1;
                while (!Arrays.equals(found, encode(value(block)))) {
                    block++;
                }
                blocks.add(block);
            }
        }
        return blocks;
    }

    private Consumer<T> isValue(long block) {
        return found -> assertThat(encode(found)).isEqualTo(encode(value(block)));
    }

    private void flipLastByteOf(T value) throws IOException {
        byte[] wanted = encode(value);
        Path file = queueFile();
        byte[] start = start(file);
        for (int at = 0; at <= start.length - wanted.length; at++) {
            if (Arrays.equals(start, at, at + wanted.length, wanted, 0, wanted.length)) {
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    bytes.seek(at + wanted.length - 1);
                    bytes.write(wanted[wanted.length - 1] ^ 1);
                }
                return;
            }
        }
        throw new AssertionError("the value is not in " + file);
    }

    /** As a power failure leaves a file: its length is kept. */
    private static void zero(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long length = bytes.length();
            bytes.setLength(0);
            bytes.setLength(length);
        }
    }

    private Path queueFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith("F.cq4"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Returns names, times and the bytes at the beginning of all files. */
    private List<String> contents() throws IOException {
        List<String> contents = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                contents.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + " "
                        + Arrays.hashCode(start(file)));
            }
        }
        return contents;
    }

    /** Returns the first MiB of a file; that of a queue is sparse and large. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return bytes.readNBytes(1 << 20);
        }
    }
}
