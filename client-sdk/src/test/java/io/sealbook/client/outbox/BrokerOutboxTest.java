package io.sealbook.client.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.Order;
import io.sealbook.client.OutboxException;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.client.codec.SessionEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.process.OtherProcess;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerOutboxTest {
    private static final long CHAIN_ID = 77;
    private static final int BROKER_ID = 5;
    private static final int SESSION = 3;

    @TempDir
    private Path directory;

    private final SessionEncoder encoder =
            new SessionEncoder(CHAIN_ID, BROKER_ID, 1, SignatureScheme.SM2_SM3, 10, BatchPosition.first(SESSION));

    @Test
    void shouldReturnWhatWasKeptAndWhereItGoesOn() {
        List<SealedBatch> batches = List.of(next(), next(), next());
        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.next()).isEmpty();
            outbox.append(batches.subList(0, 1));
            outbox.append(batches.subList(1, 3));
        }
        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.next()).contains(encoder.next());
            assertThat(outbox.kept()).extracting(SealedBatch::number).containsExactly(1L, 2L, 3L);
            for (int i = 0; i < batches.size(); i++) {
                assertThat(outbox.kept().get(i).signedBytes())
                        .isEqualTo(batches.get(i).signedBytes());
                assertThat(outbox.kept().get(i).batchId())
                        .isEqualTo(batches.get(i).batchId());
                assertThat(outbox.kept().get(i).validUntilBlock()).isEqualTo(1_000);
            }
        }
    }

    /** A crash may leave any part of the last write. */
    @Test
    void shouldCutOffAnUnfinishedBatch() throws IOException {
        SealedBatch whole = next();
        SealedBatch torn = next();
        long wholeLength;
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(whole));
            wholeLength = Files.size(onlyFile());
            outbox.append(List.of(torn));
        }
        byte[] bytes = Files.readAllBytes(onlyFile());
        for (int length = (int) wholeLength; length < bytes.length; length++) {
            Files.write(onlyFile(), Arrays.copyOf(bytes, length), StandardOpenOption.TRUNCATE_EXISTING);
            try (BrokerOutbox outbox = open()) {
                assertThat(outbox.kept()).as("%d bytes", length).hasSize(1);
                assertThat(outbox.next().orElseThrow().number()).isEqualTo(2);
            }
            assertThat(Files.size(onlyFile())).isEqualTo(wholeLength);
        }
    }

    @Test
    void shouldNameTheReasonThatAPathIsNot() throws IOException {
        Path file = Files.createFile(directory.resolve("outbox"));

        assertThatThrownBy(() -> BrokerOutbox.open(file, CHAIN_ID, BROKER_ID))
                .isInstanceOf(OutboxException.class)
                .hasMessage("outbox " + file + " cannot be opened: " + file + " exists");
    }

    /** Whoever appends must be able to fail the batches, and keep none after them. */
    @Test
    void shouldRefuseBatchesAfterAnError() {
        SealedBatch first = next();
        List<SealedBatch> breaking = new AbstractList<>() {
            @Override
            public SealedBatch get(int index) {
                return first;
            }

            @Override
            public int size() {
                return 1;
            }

            @Override
            public Stream<SealedBatch> stream() {
                throw new OutOfMemoryError("Cannot reserve 10 bytes of direct buffer memory");
            }
        };
        try (BrokerOutbox outbox = open()) {
            assertThatThrownBy(() -> outbox.append(breaking))
                    .isInstanceOfSatisfying(
                            OutboxException.class, e -> assertThat(e.isSent()).isFalse())
                    .hasMessageContaining("number 1: Cannot reserve 10 bytes")
                    .hasCauseInstanceOf(OutOfMemoryError.class);
        }
    }

    /** A disk that is full takes a part of a write: what was not kept must not be sent by the next program. */
    @Test
    void shouldKeepNothingOfAWriteThatTheDiskRefuses() throws Exception {
        Process program = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -f 16 && exec \"$0\" -cp \"$1\" \"$2\" \"$3\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"),
                        FullOutbox.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(output).isZero();

        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.kept()).hasSize(Integer.parseInt(output.strip()));
        }
    }

    /** An interrupt closes the file: the write fails, and nothing can be cut off. */
    @Test
    void shouldSayThatTheNextProgramMaySendWhatCannotBeCutOff() {
        SealedBatch first = next();
        SealedBatch second = next();
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(first));
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> outbox.append(List.of(second)))
                    .isInstanceOfSatisfying(
                            OutboxException.class, e -> assertThat(e.isSent()).isTrue());
        } finally {
            Thread.interrupted();
        }
    }

    /** A program that keeps batches, many in a write, until the disk refuses, and prints how many it could keep. */
    static final class FullOutbox {
        private static final int TOGETHER = 16;

        private FullOutbox() {}

        public static void main(String[] args) {
            BrokerOutboxTest test = new BrokerOutboxTest();
            test.directory = Path.of(args[0]);
            int kept = 0;
            try (BrokerOutbox outbox = test.open()) {
                while (true) {
                    outbox.append(Stream.generate(test::next).limit(TOGETHER).toList());
                    kept += TOGETHER;
                }
            } catch (OutboxException full) {
                System.out.println(kept);
            }
        }
    }

    /** What was durable may have been sent: its numbers must not be signed again. */
    @Test
    void shouldRefuseDamageBeforeABatchThatWasKeptLater() throws IOException {
        long firstEnd;
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(next()));
            firstEnd = Files.size(onlyFile());
            outbox.append(List.of(next()));
        }
        byte[] bytes = Files.readAllBytes(onlyFile());
        for (int at = 0; at < firstEnd; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            Files.write(onlyFile(), damaged);
            assertThatThrownBy(this::open).as("byte %d", at).isInstanceOf(OutboxException.class);
            assertThat(Files.readAllBytes(onlyFile())).as("unchanged").isEqualTo(damaged);
        }
    }

    /** Pages of one write reach the disk in any order: nothing of it was sent before all were there. */
    @Test
    void shouldCutOffAWriteOfWhichOnlyTheEndIsThere() throws IOException {
        long firstEnd;
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(next()));
            firstEnd = Files.size(onlyFile());
            outbox.append(List.of(next(), next()));
        }
        byte[] bytes = Files.readAllBytes(onlyFile());
        Arrays.fill(bytes, (int) firstEnd, (int) firstEnd + 40, (byte) 0);
        Files.write(onlyFile(), bytes);

        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.kept()).hasSize(1);
        }
        assertThat(Files.size(onlyFile())).isEqualTo(firstEnd);
    }

    @Test
    void shouldRefuseDamageInAFileThatIsNotTheLast() throws IOException {
        try (BrokerOutbox outbox = openWithSmallFiles()) {
            outbox.append(List.of(next()));
            outbox.append(List.of(next()));
        }
        Path first = files().get(0);
        byte[] bytes = Files.readAllBytes(first);
        bytes[bytes.length - 1] ^= 1;
        Files.write(first, bytes);

        assertThatThrownBy(this::open).hasMessageContaining("is damaged at offset");
    }

    /** A crash while a file is made leaves a part of its header, or zeros. */
    @Test
    void shouldGoOnAfterAFileThatWasNeverBegun() throws IOException {
        try (BrokerOutbox outbox = openWithSmallFiles()) {
            outbox.append(List.of(next()));
            outbox.append(List.of(next()));
        }
        byte[] bytes = Files.readAllBytes(onlyFile());
        for (byte[] begun : List.of(new byte[0], new byte[8], Arrays.copyOf(bytes, 3), Arrays.copyOf(bytes, 8))) {
            Files.write(files().get(0).resolveSibling(OutboxSegment.PREFIX + "0000000000000000002"), begun);
            try (BrokerOutbox outbox = open()) {
                assertThat(outbox.kept()).hasSize(1);
            }
        }
    }

    @Test
    void shouldGoOnAfterARestart() {
        SealedBatch first = next();
        SealedBatch second = next();
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(first));
        }
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(second));
        }
        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.kept()).hasSize(2);
        }
    }

    @Test
    void shouldDeleteFilesThatAreDoneButNeverTheLast() throws IOException {
        try (BrokerOutbox outbox = openWithSmallFiles()) {
            for (int i = 1; i <= 4; i++) {
                outbox.append(List.of(next()));
            }
            assertThat(files()).hasSize(4);
            outbox.done(2);
            assertThat(files()).as("number 1 is open").hasSize(4);
            outbox.done(1);
            assertThat(files()).hasSize(2);
            outbox.done(3);
            outbox.done(4);
            assertThat(files()).hasSize(1);
        }
        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.next()).contains(encoder.next());
        }
    }

    /** A file that is left, and none after it, would be a gap. */
    @Test
    void shouldDeleteNoFileAfterOneThatCannotBeDeleted() throws IOException {
        try (BrokerOutbox outbox = openWithSmallFiles()) {
            for (int i = 1; i <= 4; i++) {
                outbox.append(List.of(next()));
            }
            Path first = files().get(0);
            Path aside = Files.move(first, directory.resolve("aside"));
            Files.createDirectories(first.resolve("not-empty"));
            assertThatThrownBy(() -> outbox.done(1)).isInstanceOf(OutboxException.class);
            assertThatThrownBy(() -> outbox.done(2)).isInstanceOf(OutboxException.class);
            assertThat(files()).hasSize(4);
            Files.delete(first.resolve("not-empty"));
            Files.delete(first);
            Files.move(aside, first);

            outbox.done(3);

            assertThat(files()).hasSize(1);
        }
        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.kept()).extracting(SealedBatch::number).containsExactly(4L);
            assertThat(outbox.next()).contains(encoder.next());
        }
    }

    @Test
    void shouldKeepASecondClientOut() throws Exception {
        try (BrokerOutbox outbox = open()) {
            assertThat(outbox.kept()).isEmpty();
            assertThatThrownBy(this::open)
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("is used by another client");
            assertThat(OtherProcess.canLock(directory.resolve("lock"))).isFalse();
        }
        open().close();
    }

    @Test
    void shouldRefuseTheOutboxOfAnotherBroker() {
        try (BrokerOutbox outbox = open()) {
            outbox.append(List.of(next()));
        }
        assertThatThrownBy(() -> BrokerOutbox.open(directory, CHAIN_ID, BROKER_ID + 1))
                .hasMessageContaining("belongs to broker 5 of chain 77");
        assertThatThrownBy(() -> BrokerOutbox.open(directory, CHAIN_ID + 1, BROKER_ID))
                .hasMessageContaining("belongs to broker 5 of chain 77");
    }

    @Test
    void shouldRefuseAnOutboxThatLacksAFile() throws IOException {
        try (BrokerOutbox outbox = openWithSmallFiles()) {
            for (int i = 1; i <= 3; i++) {
                outbox.append(List.of(next()));
            }
        }
        Files.delete(files().get(1));

        assertThatThrownBy(this::open).hasMessageContaining("number 2 of session 3 is missing");
    }

    private SealedBatch next() {
        return encoder.encode(List.of(Order.limit(1, 1, 1, Side.BUY, 100, 10)), 1_000, 1);
    }

    private BrokerOutbox open() {
        return BrokerOutbox.open(directory, CHAIN_ID, BROKER_ID);
    }

    /** A file for each call of append. */
    private BrokerOutbox openWithSmallFiles() {
        return BrokerOutbox.open(directory, CHAIN_ID, BROKER_ID, 1);
    }

    private Path onlyFile() {
        return files().get(files().size() - 1);
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith(OutboxSegment.PREFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
