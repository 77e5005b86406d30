package io.sealbook.node.replicalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.peer.message.RandomMessages;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplicaLogTest {
    private static final int SEGMENT_LENGTH = 16 << 10;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldGiveBackWhatWasAppended(Durability durability) {
        List<ReplicaRecord> records = new RandomMessages(1).records();
        try (ReplicaLog log = open(durability)) {
            records.forEach(log::append);
            log.sync();
            assertThat(log.records()).isEqualTo(records);
        }

        try (ReplicaLog log = open(durability)) {
            assertThat(log.records()).containsAll(records.subList(0, 2)).contains(records.get(4));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCutTheTailAtEveryByte(Durability durability) throws IOException {
        List<ReplicaRecord> records = accepted(1, 6);
        List<Long> ends = new ArrayList<>();
        Path written = directory.resolve("written");
        try (ReplicaLog log = ReplicaLog.open(FileStorage.open(written), durability, SEGMENT_LENGTH)) {
            for (ReplicaRecord record : records) {
                log.append(record);
                ends.add(log.end());
            }
            int step = durability == Durability.PROCESS ? 1 : 7; // Every open fsyncs.
            // Not synced: under DISK nothing proves that these bytes had to survive.
            for (int length = Segment.HEADER_LENGTH; length <= log.end(); length += step) {
                Path cut = directory.resolve("cut");
                Files.createDirectories(cut);
                byte[] bytes = Files.readAllBytes(onlySegment(written));
                Files.write(cut.resolve(onlySegment(written).getFileName()), Arrays.copyOf(bytes, length));
                int limit = length;
                long whole = ends.stream().filter(end -> end <= limit).count();

                try (ReplicaLog reopened = ReplicaLog.open(FileStorage.open(cut), durability, SEGMENT_LENGTH)) {
                    assertThat(reopened.records()).as("cut at %d", length).isEqualTo(records.subList(0, (int) whole));
                    reopened.append(records.get(0));
                }
                try (ReplicaLog again = ReplicaLog.open(FileStorage.open(cut), durability, SEGMENT_LENGTH)) {
                    assertThat(again.records()).hasSize((int) whole + 1).endsWith(records.get(0));
                }
            }
        }
    }

    @Test
    void shouldNameATruncatedHeaderAsDamage() throws IOException {
        try (ReplicaLog log = open(Durability.PROCESS)) {
            log.append(accepted(1, 1).get(0));
        }
        for (int length = 0; length < Segment.HEADER_LENGTH; length++) {
            truncate(length);

            assertThatExceptionOfType(ReplicaLogDamageException.class).isThrownBy(() -> open(Durability.PROCESS));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameEveryFlippedBitBeforeDurableBytesAsDamage(Durability durability) throws IOException {
        long durableEnd;
        try (ReplicaLog log = open(durability)) {
            accepted(1, 3).forEach(log::append);
            log.sync();
            durableEnd = log.end();
            log.append(accepted(4, 1).get(0));
            log.sync();
        }
        byte[] bytes = Files.readAllBytes(onlySegment(directory));
        for (int at = 0; at < durableEnd; at++) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            Files.write(onlySegment(directory), flipped);
            if (isPadding(bytes, at)) {
                continue;
            }

            assertThatExceptionOfType(ReplicaLogDamageException.class)
                    .as("byte %d", at)
                    .isThrownBy(() -> open(durability))
                    .satisfies(e -> assertThat(e.offset()).isLessThanOrEqualTo(durableEnd));
        }
        Files.write(onlySegment(directory), bytes);
        try (ReplicaLog log = open(durability)) {
            assertThat(log.records()).isEqualTo(accepted(1, 4));
        }
    }

    @Test
    void shouldCutUnsyncedRecordsThatReachedTheDiskOutOfOrder() throws IOException {
        long durableEnd;
        try (ReplicaLog log = open(Durability.DISK)) {
            log.append(accepted(1, 1).get(0));
            log.sync();
            durableEnd = log.end();
            accepted(2, 2).forEach(log::append);
        }
        try (RandomAccessFile file = new RandomAccessFile(onlySegment(directory).toFile(), "rw")) {
            file.seek(durableEnd + 20);
            file.write(0xFF);
        }

        try (ReplicaLog log = open(Durability.DISK)) {
            assertThat(log.records()).isEqualTo(accepted(1, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayBoundedWhileCheckpointsAdvance(Durability durability) throws IOException {
        List<ReplicaRecord> expected = new ArrayList<>();
        try (ReplicaLog log = open(durability)) {
            log.append(new ReplicaRecord.ViewLeft(1, List.of()));
            for (long sequence = 1; sequence <= 2_000; sequence++) {
                log.append(accepted(sequence, 1).get(0));
                log.append(new ReplicaRecord.Prepared(1, sequence, Digest.ZERO, List.of()));
                if (sequence % 16 == 0) {
                    log.append(stable(sequence));
                    log.truncateBelow(sequence);
                }
                if (sequence % 64 == 0) {
                    log.sync();
                }
            }
            expected.addAll(log.records());
            assertThat(expected).hasSize(2).containsExactly(new ReplicaRecord.ViewLeft(1, List.of()), stable(2_000));
        }

        try (ReplicaLog log = open(durability)) {
            assertThat(log.records()).isEqualTo(expected);
        }
        assertThat(Files.size(onlySegment(directory))).isEqualTo(SEGMENT_LENGTH);
    }

    /** Engines stand still, and view after view proposes the same block again; the first view prepared two. */
    @ParameterizedTest
    @EnumSource
    void shouldStayBoundedWhileViewsChangeWithoutACheckpoint(Durability durability) throws IOException {
        List<ReplicaRecord> expected = new ArrayList<>();
        try (ReplicaLog log = open(durability)) {
            log.append(entered(1, 17, 18));
            log.append(new ReplicaRecord.Prepared(1, 17, Digest.ZERO, List.of()));
            log.append(new ReplicaRecord.Prepared(1, 18, Digest.ZERO, List.of()));
            for (long view = 2; view <= 200; view++) {
                log.append(new ReplicaRecord.ViewLeft(view, List.of()));
                log.append(entered(view, 17));
                log.append(new ReplicaRecord.Prepared(view, 17, Digest.ZERO, List.of()));
                log.sync();
            }
            log.append(new ReplicaRecord.ViewLeft(201, List.of()));
            expected.addAll(log.records());
        }

        assertThat(expected)
                .containsExactly(
                        withoutViewChanges(entered(1, 18)),
                        new ReplicaRecord.Prepared(1, 18, Digest.ZERO, List.of()),
                        withoutViewChanges(entered(199, 17)),
                        entered(200, 17),
                        new ReplicaRecord.Prepared(200, 17, Digest.ZERO, List.of()),
                        new ReplicaRecord.ViewLeft(201, List.of()));
        try (ReplicaLog log = open(durability)) {
            assertThat(log.records()).isEqualTo(expected);
        }
        assertThat(Files.size(onlySegment(directory))).isEqualTo(SEGMENT_LENGTH);
    }

    /** An epoch that the archive has lost the end of goes on with what the replica said in it. */
    @Test
    void shouldKeepTheViewsOfTheEpochThatWasBegunLast() {
        List<ReplicaRecord> records = List.of(
                new ReplicaRecord.EpochBegan(2, StableCertificate.GENESIS),
                new ReplicaRecord.ViewLeft(3, List.of()),
                entered(3, 17),
                new ReplicaRecord.EpochBegan(1, StableCertificate.GENESIS),
                new ReplicaRecord.ViewLeft(1, List.of()),
                entered(1, 17),
                new ReplicaRecord.EpochBegan(2, StableCertificate.GENESIS));
        try (ReplicaLog log = open(Durability.PROCESS)) {
            records.forEach(log::append);

            assertThat(log.records()).containsExactly(records.get(0), records.get(1), records.get(2), records.get(6));
        }
    }

    @Test
    void shouldKeepWhatIsAboveTheStableSequence() {
        try (ReplicaLog log = open(Durability.PROCESS)) {
            log.append(new ReplicaRecord.ViewLeft(1, List.of()));
            log.append(new ReplicaRecord.ViewLeft(2, List.of()));
            accepted(1, 20).forEach(log::append);
            log.append(stable(16));
            log.truncateBelow(16);
            log.truncateBelow(8);
        }

        List<ReplicaRecord> expected = new ArrayList<>();
        expected.add(new ReplicaRecord.ViewLeft(2, List.of()));
        expected.addAll(accepted(17, 4));
        expected.add(stable(16));
        try (ReplicaLog log = open(Durability.PROCESS)) {
            assertThat(log.records()).isEqualTo(expected);
        }
    }

    /** An isolated replica stays so whatever checkpoints follow, until the record of its end. */
    @Test
    void shouldKeepTheLastIsolationUntilItEnds() {
        Outcome own = new Outcome(Digest.ZERO, Digest.ZERO);
        ReplicaRecord first = new ReplicaRecord.Isolated(8, own, own);
        ReplicaRecord second = new ReplicaRecord.Isolated(24, own, own);
        try (ReplicaLog log = open(Durability.PROCESS)) {
            log.append(first);
            log.truncateBelow(16);
            assertThat(log.records()).containsExactly(first);

            log.append(new ReplicaRecord.IsolationEnded(16));
            log.truncateBelow(17);
            assertThat(log.records()).isEmpty();

            log.append(second);
            log.truncateBelow(32);
        }

        try (ReplicaLog log = open(Durability.PROCESS)) {
            log.truncateBelow(48);
            assertThat(log.records()).containsExactly(second);
        }
    }

    @Test
    void shouldTakeARecordLargerThanASegment() {
        PrePrepare large = new PrePrepare(
                0, 1, new Proposal(0, 1, 1, Digest.ZERO, ends(2 * SEGMENT_LENGTH / 40)), 0, Signature.of(new byte[65]));
        try (ReplicaLog log = open(Durability.PROCESS)) {
            log.append(new ReplicaRecord.ViewLeft(3, List.of()));
            log.append(new ReplicaRecord.Accepted(large));
        }

        try (ReplicaLog log = open(Durability.PROCESS)) {
            assertThat(log.records())
                    .containsExactly(new ReplicaRecord.ViewLeft(3, List.of()), new ReplicaRecord.Accepted(large));
        }
    }

    @Test
    void shouldForgetAnUnfinishedSegmentAndASupersededOne() throws IOException {
        try (ReplicaLog log = open(Durability.PROCESS)) {
            log.append(new ReplicaRecord.ViewLeft(3, List.of()));
        }
        Files.write(directory.resolve("next.tmp"), new byte[100]);
        Files.write(directory.resolve("0000000000000000.segment"), new byte[100]);

        try (ReplicaLog log = open(Durability.PROCESS)) {
            assertThat(log.records()).containsExactly(new ReplicaRecord.ViewLeft(3, List.of()));
        }
        assertThat(onlySegment(directory)).hasFileName("0000000000000001.segment");
        assertThat(directory.resolve("next.tmp")).doesNotExist();
    }

    @Test
    void shouldStayFailedAfterOneFailedWrite() {
        try (ReplicaLog log = open(Durability.DISK)) {
            log.append(new ReplicaRecord.ViewLeft(1, List.of()));
            log.sync();
            Thread.currentThread().interrupt(); // Makes the channel fail and close.
            assertThatExceptionOfType(ReplicaLogFailedException.class)
                    .isThrownBy(() -> log.append(new ReplicaRecord.ViewLeft(2, List.of())));
            assertThat(Thread.interrupted()).isTrue();

            assertThatExceptionOfType(ReplicaLogFailedException.class).isThrownBy(log::sync);
            assertThatExceptionOfType(ReplicaLogFailedException.class)
                    .isThrownBy(() -> log.append(new ReplicaRecord.ViewLeft(3, List.of())));
        }
        try (ReplicaLog log = open(Durability.DISK)) {
            assertThat(log.records()).containsExactly(new ReplicaRecord.ViewLeft(1, List.of()));
        }
    }

    private ReplicaLog open(Durability durability) {
        return ReplicaLog.open(FileStorage.open(directory), durability, SEGMENT_LENGTH);
    }

    private void truncate(long length) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(onlySegment(directory).toFile(), "rw")) {
            file.setLength(length);
        }
    }

    private static Path onlySegment(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> segments =
                    files.filter(file -> file.toString().endsWith(".segment")).toList();
            assertThat(segments).hasSize(1);
            return segments.get(0);
        }
    }

    /** Zeros that fill a record up to a multiple of 8 are no part of it. */
    private static boolean isPadding(byte[] bytes, int at) {
        int offset = Segment.HEADER_LENGTH;
        while (true) {
            int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
            int end = offset + Segment.recordLength(length);
            if (at < end) {
                return at >= offset + Segment.RECORD_HEADER_LENGTH + length;
            }
            offset = end;
        }
    }

    private static List<ReplicaRecord> accepted(long from, int count) {
        List<ReplicaRecord> records = new ArrayList<>();
        for (long sequence = from; sequence < from + count; sequence++) {
            Proposal proposal = new Proposal(0, sequence, sequence, Digest.ZERO, ends((int) sequence % 3));
            records.add(
                    new ReplicaRecord.Accepted(new PrePrepare(0, sequence, proposal, 0, Signature.of(new byte[65]))));
        }
        return records;
    }

    /** The record of a view whose NEW-VIEW proposes these blocks, each with the first batch of a session. */
    private static ReplicaRecord.ViewEntered entered(long view, long... sequences) {
        ViewChange shown = new ViewChange(
                view,
                new StableCertificate(16, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of()),
                List.of(),
                0,
                Signature.of(new byte[65]));
        List<PrePrepare> proposals = Arrays.stream(sequences)
                .mapToObj(sequence -> new PrePrepare(
                        view,
                        sequence,
                        new Proposal(0, sequence, sequence, Digest.ZERO, ends(1)),
                        0,
                        Signature.of(new byte[65])))
                .toList();
        return new ReplicaRecord.ViewEntered(
                new NewView(view, List.of(shown, shown, shown), proposals, 0, Signature.of(new byte[65])));
    }

    private static ReplicaRecord withoutViewChanges(ReplicaRecord.ViewEntered entered) {
        NewView newView = entered.newView();
        return new ReplicaRecord.ViewEntered(
                new NewView(newView.view(), List.of(), newView.prePrepares(), newView.sender(), newView.signature()));
    }

    private static List<SessionEnd> ends(int count) {
        return IntStream.range(0, count)
                .mapToObj(session -> new SessionEnd(session, 5, Digest.sha256(new byte[] {1})))
                .toList();
    }

    private static ReplicaRecord stable(long sequence) {
        return new ReplicaRecord.Stable(
                new StableCertificate(sequence, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of()));
    }
}
