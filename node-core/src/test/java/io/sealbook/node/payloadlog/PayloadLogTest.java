package io.sealbook.node.payloadlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes back after a crash, what damage says, and how much of the disk is taken. */
class PayloadLogTest {
    private static final int SEGMENT_LENGTH = 8_192;
    /** Of a batch of one order in the log. */
    private static final int RECORD_LENGTH = 280;

    @TempDir
    private Path directory;

    private final List<PayloadLog> opened = new ArrayList<>();
    private int crashes;

    @AfterEach
    void close() {
        opened.forEach(PayloadLog::close);
    }

    @Test
    void shouldReturnWhatWasFlushedAsItWasAdmitted() throws IOException {
        PayloadLog log = open();
        Payload first = payload(1, 3);
        log.append(first);
        log.append(payload(2, 0));
        log.flush();
        log.append(payload(3, 1));

        PayloadLog restarted = crash();

        assertThat(restarted.damage()).isEmpty();
        assertThat(ids(restarted)).containsExactly(id(1), id(2));
        Payload back = restarted.payloads().getFirst();
        assertThat(back.signedBatch()).isEqualTo(first.signedBatch());
        assertThat(back)
                .usingRecursiveComparison()
                .isEqualTo(new Payload(
                        id(1),
                        first.signedBatch(),
                        1,
                        BatchPosition.first(0),
                        1_000,
                        1,
                        3,
                        1_000_001,
                        Payload.BEFORE_START));
    }

    @Test
    void shouldReturnWhatWasClosed() {
        PayloadLog log = open();
        log.append(payload(1, 0));
        opened.remove(log);
        log.close();

        assertThat(ids(open())).containsExactly(id(1));
    }

    /** Agreement dropped it: it must not be acknowledged again by a node that was restarted. */
    @Test
    void shouldNotReturnWhatWasRetiredBeforeItWasClosed() {
        PayloadLog log = open();
        int segments = 3;
        int count = segments * (SEGMENT_LENGTH / RECORD_LENGTH);
        for (int i = 1; i <= count; i++) {
            log.append(payload(i, 0));
        }
        for (int i = 1; i <= count; i++) {
            if (i % segments != 0) {
                log.retire(id(i));
            }
        }
        opened.remove(log);
        log.close();

        PayloadLog restarted = open();
        assertThat(restarted.damage()).isEmpty();
        assertThat(ids(restarted))
                .hasSize(count / segments)
                .allMatch(batch ->
                        IntStream.rangeClosed(1, count / segments).anyMatch(i -> batch.equals(id(i * segments))));
    }

    @Test
    void shouldKeepWhatIsFoundThroughFurtherCrashesUntilItIsRetired() throws IOException {
        PayloadLog log = open();
        log.append(payload(1, 0));
        log.append(payload(2, 0));
        log.flush();

        PayloadLog second = crash();
        second.retire(id(1));
        assertThat(ids(second)).containsExactly(id(2));
        second.append(payload(3, 0));
        second.flush();
        PayloadLog third = crash();

        assertThat(ids(third)).contains(id(2), id(3));
    }

    @Test
    void shouldCutATornTail() throws IOException {
        PayloadLog log = open();
        log.append(payload(1, 0));
        log.flush();
        log.append(payload(2, 0));
        log.flush();
        PayloadLog restarted = crash(files -> overwrite(files.getLast(), recordAt(1) + RECORD_LENGTH / 2, 1));

        assertThat(restarted.damage()).isEmpty();
        assertThat(ids(restarted)).containsExactly(id(1));
    }

    @Test
    void shouldNameDamageAndReturnTheRest() throws IOException {
        PayloadLog log = open();
        for (int i = 1; i <= 3; i++) {
            log.append(payload(i, 0));
            log.flush();
        }
        PayloadLog restarted = crash(files -> overwrite(files.getLast(), recordAt(1) + 100, 1));

        assertThat(restarted.damage())
                .singleElement()
                .asString()
                .contains("segment 1 was durable up to " + recordAt(2))
                .endsWith("no whole record at " + recordAt(1));
        assertThat(ids(restarted)).containsExactly(id(1), id(3));
    }

    @Test
    void shouldNameALostHeader() throws IOException {
        PayloadLog log = open();
        log.append(payload(1, 0));
        log.flush();
        PayloadLog restarted = crash(files -> overwrite(files.getLast(), 9, 1));

        assertThat(restarted.damage()).containsExactly("segment 1 has no whole header");
        assertThat(ids(restarted)).containsExactly(id(1));
    }

    @Test
    void shouldNotReturnBytesUnderAnotherId() throws IOException {
        open().append(payload(1, 0));
        PayloadLog restarted = crash(files -> {
            ByteBuffer record = ByteBuffer.allocate(RECORD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
            PayloadSegment.Entry wrong =
                    new PayloadSegment.Entry(1, 0, 0, id(2), payload(1, 0).signedBatch());
            new PayloadSegment().put(record, 1, recordAt(0), recordAt(0), wrong);
            write(files.getLast(), recordAt(0), record.array());
        });

        assertThat(ids(restarted)).isEmpty();
        assertThat(restarted.damage()).singleElement().asString().contains("are not batch");
    }

    @Test
    void shouldReuseFilesAndTakeNothingOfTheirEarlierUse() throws IOException {
        PayloadLog log = open();
        int perSegment = (SEGMENT_LENGTH - PayloadSegment.HEADER_LENGTH) / RECORD_LENGTH;
        for (int i = 1; i <= 20 * perSegment; i++) {
            log.append(payload(i, 0));
            log.flush();
            log.retire(id(i));
        }
        log.append(payload(100_000, 0));
        log.flush();

        assertThat(fileCount()).as("present, dead, spares and lock").isLessThanOrEqualTo(5);
        PayloadLog restarted = crash();

        assertThat(restarted.damage()).isEmpty();
        assertThat(ids(restarted)).contains(id(100_000)).hasSizeLessThan(2 * perSegment + 1);
    }

    @Test
    void shouldStayBoundedThoughOldBatchesLiveOnAndLoseNoneOfThem() throws IOException {
        PayloadLog log = open();
        List<Digest> old = new ArrayList<>();
        for (int i = 1; i <= 5_000; i++) {
            log.append(payload(i, 0));
            log.flush();
            if (i % 100 == 0) {
                old.add(id(i));
            } else {
                log.retire(id(i));
            }
            long live = (long) old.size() * RECORD_LENGTH;
            assertThat(log.length()).as("after %d batches", i).isLessThanOrEqualTo(2 * live + 7L * SEGMENT_LENGTH);
        }

        PayloadLog restarted = crash();

        assertThat(ids(restarted).stream().filter(old::contains)).containsExactlyElementsOf(old);
    }

    @Test
    void shouldTakeABatchLongerThanASegment() throws IOException {
        PayloadLog log = open();
        log.append(payload(1, 0));
        Payload large = payload(2, 0, 1_000);
        log.append(large);
        log.append(payload(3, 0));
        log.flush();

        PayloadLog restarted = crash();

        assertThat(ids(restarted)).containsExactly(id(1), large.batchId(), id(3));
    }

    @Test
    void shouldSyncOnceForAGroup() {
        RecordingStorage storage = new RecordingStorage(FileStorage.open(directory));
        PayloadLog log = track(PayloadLog.open(storage, Durability.DISK));
        storage.events.clear();
        for (int i = 1; i <= 50; i++) {
            log.append(payload(i, 0));
        }
        assertThat(storage.events).isEmpty();

        log.flush();
        log.flush();

        assertThat(storage.events).containsExactly("write", "sync");
    }

    /** A process that was killed before its sync leaves batches to the operating system; a power cut may follow. */
    @Test
    void shouldSyncWhatItReadsBeforeItIsAcknowledgedAgain() {
        try (PayloadLog killed = PayloadLog.open(FileStorage.open(directory), Durability.PROCESS)) {
            killed.append(payload(1, 0));
        }
        RecordingStorage storage = new RecordingStorage(FileStorage.open(directory));

        PayloadLog log = track(PayloadLog.open(storage, Durability.DISK));

        assertThat(ids(log)).containsExactly(id(1));
        assertThat(storage.events.getFirst())
                .as("before the next segment is written")
                .isEqualTo("sync");
    }

    @Test
    void shouldTakeNothingMoreAfterAFailure() {
        RecordingStorage storage = new RecordingStorage(FileStorage.open(directory));
        PayloadLog log = track(PayloadLog.open(storage, Durability.PROCESS));
        log.append(payload(1, 0));
        storage.isFull = true;

        assertThatThrownBy(log::flush)
                .isInstanceOf(StorageFailureException.class)
                .hasMessageStartingWith("stops voting: payload log: cannot write");
        storage.isFull = false;
        assertThatThrownBy(log::flush).isInstanceOf(StorageFailureException.class);
        assertThatThrownBy(() -> log.append(payload(2, 0))).isInstanceOf(StorageFailureException.class);
    }

    private PayloadLog open() {
        return track(PayloadLog.open(FileStorage.open(here()), Durability.PROCESS, SEGMENT_LENGTH));
    }

    private PayloadLog track(PayloadLog log) {
        opened.add(log);
        return log;
    }

    private interface Harm {
        void doTo(List<Path> segments) throws IOException;
    }

    private PayloadLog crash() throws IOException {
        return crash(files -> {});
    }

    /** Opens what the operating system has of the log now, as after SIGKILL. */
    private PayloadLog crash(Harm harm) throws IOException {
        Path before = here();
        crashes++;
        Files.createDirectories(here());
        try (Stream<Path> files = Files.list(before)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, here().resolve(file.getFileName()));
            }
        }
        try (Stream<Path> files = Files.list(here())) {
            harm.doTo(files.filter(file -> file.toString().endsWith(".payloads"))
                    .sorted(Comparator.naturalOrder())
                    .toList());
        }
        return open();
    }

    private Path here() {
        return directory.resolve("after-" + crashes + "-crashes");
    }

    private long fileCount() throws IOException {
        try (Stream<Path> files = Files.list(here())) {
            return files.count();
        }
    }

    private static int recordAt(int index) {
        return PayloadSegment.HEADER_LENGTH + index * RECORD_LENGTH;
    }

    private static void overwrite(Path file, int offset, int value) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= (byte) value;
        Files.write(file, bytes);
    }

    private static void write(Path file, int offset, byte[] content) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        System.arraycopy(content, 0, bytes, offset, content.length);
        Files.write(file, bytes);
    }

    private static List<Digest> ids(PayloadLog log) {
        return log.payloads().stream().map(Payload::batchId).toList();
    }

    private static Digest id(int number) {
        return payload(number, 0).batchId();
    }

    private static Payload payload(int number, int origin) {
        return payload(number, origin, 1);
    }

    private static Payload payload(int number, int origin, int orderCount) {
        byte[] signed = new byte[SignedBatch.signedLength(orderCount)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .validUntilBlock(1_000)
                .brokerId(1)
                .ordersCount(orderCount);
        return new Payload(
                BatchId.of(signed),
                signed,
                1,
                new BatchPosition(0, number, Digest.ZERO),
                1_000,
                orderCount,
                origin,
                1_000_000 + number,
                5);
    }
}
