package io.sealbook.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.node.port.NoEvents;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of sessions: heads and evidence, whole, replaced and damaged. */
class SessionFilesTest {
    private static final Digest HASH = Digest.sha256(new byte[] {1});
    private static final long KEY = SessionKey.of(7, 2);

    @TempDir
    private Path directory;

    @Test
    void shouldReadTheHeadsThatWereWrittenLast() {
        SessionHeads.AtBlock first =
                new SessionHeads.AtBlock(256, HASH, List.of(new SessionHeads.Delivered(KEY, 9, HASH)));
        SessionHeads.AtBlock second = new SessionHeads.AtBlock(512, HASH, List.of());
        try (SessionHeads heads = SessionHeads.open(FileStorage.open(directory))) {
            assertThat(heads.read()).isEmpty();
            heads.write(first);
            assertThat(heads.read()).contains(first);
            heads.write(second);
            assertThat(heads.read()).contains(second);
        }
    }

    /** Killed after the old file has gone, and while the next one is written. */
    @Test
    void shouldReadWholeHeadsThatHaveNotGotTheirName() throws IOException {
        SessionHeads.AtBlock written =
                new SessionHeads.AtBlock(256, HASH, List.of(new SessionHeads.Delivered(KEY, 9, HASH)));
        try (SessionHeads heads = SessionHeads.open(FileStorage.open(directory))) {
            heads.write(written);
        }
        Path unnamed = directory.resolve(SessionHeads.UNFINISHED);
        Files.move(directory.resolve(SessionHeads.FILE), unnamed);
        try (SessionHeads heads = SessionHeads.open(FileStorage.open(directory))) {
            assertThat(heads.read()).contains(written);
            heads.write(written);
            Files.write(unnamed, new byte[] {1, 2, 3});
            assertThat(heads.read()).contains(written);
        }
    }

    @Test
    void shouldTakeNoDamagedHeads() throws IOException {
        try (SessionHeads heads = SessionHeads.open(FileStorage.open(directory))) {
            heads.write(new SessionHeads.AtBlock(256, HASH, List.of(new SessionHeads.Delivered(KEY, 9, HASH))));
        }
        Path file = directory.resolve(SessionHeads.FILE);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            try (SessionHeads heads = SessionHeads.open(FileStorage.open(directory))) {
                assertThat(heads.read()).as("byte %d", at).isEmpty();
            }
        }
    }

    @Test
    void shouldKeepEvidenceAndSuspendTheSessionAfterARestart() throws IOException {
        Path file = directory.resolve(EvidenceStore.PREFIX + "7-2");
        byte[] one = batch(1);
        byte[] other = batch(2);
        Map<Digest, byte[]> held = new HashMap<>();
        held.put(BatchId.of(one), one);
        try (EvidenceStore evidence = EvidenceStore.open(FileStorage.open(directory))) {
            Sessions sessions = new Sessions();
            Equivocations equivocations = equivocations(sessions, evidence, held);
            sessions.offer(KEY, BatchPosition.first(2), BatchId.of(one));
            assertThat(sessions.offer(KEY, BatchPosition.first(2), BatchId.of(other)))
                    .isEqualTo(Offer.CONFLICT);

            assertThat(equivocations.found(KEY, 1, other)).isPresent();
            assertThat(equivocations.found(KEY, 1, other)).as("known already").isEmpty();

            assertThat(sessions.isSuspended(KEY)).isTrue();
            assertThat(sessions.isSuspended(SessionKey.of(7, 3)))
                    .as("another session")
                    .isFalse();
        }
        try (EvidenceStore evidence = EvidenceStore.open(FileStorage.open(directory))) {
            assertThat(evidence.sessions()).containsExactly(KEY);
            Equivocation kept = EvidenceStore.decode(Files.readAllBytes(file));
            assertThat(kept.first()).isEqualTo(one);
            assertThat(kept.second()).isEqualTo(other);
            assertThat(kept.number()).isEqualTo(1);
        }
        byte[] damaged = Files.readAllBytes(file);
        damaged[40] ^= 1;
        Files.write(file, damaged);
        try (EvidenceStore evidence = EvidenceStore.open(FileStorage.open(directory))) {
            assertThat(EvidenceStore.decode(damaged)).isNull();
            assertThat(evidence.sessions()).as("its name is enough").containsExactly(KEY);
        }
    }

    /** One member holds number 1, another one number 2 of another chain: no number has two batches anywhere. */
    @Test
    void shouldFindTwoChainsByConsecutiveNumbers() throws IOException {
        byte[] one = batch(1, Digest.ZERO, 1);
        byte[] next = batch(2, BatchId.of(one), 2);
        byte[] fork = batch(2, BatchId.of(batch(1, Digest.ZERO, 3)), 2);

        assertThat(Equivocation.of(one, next)).as("one chain").isEmpty();
        assertThat(Equivocation.of(next, one)).isEmpty();
        assertThat(Equivocation.of(one, batch(3, BatchId.of(fork), 1))).isEmpty();
        assertThat(Equivocation.of(one, one)).isEmpty();
        for (List<byte[]> held : List.of(List.of(one, fork), List.of(fork, one))) {
            byte[] first = held.get(0);
            byte[] second = held.get(1);
            Sessions sessions = new Sessions();
            sessions.offerUnordered(KEY, view(first).position(), BatchId.of(first));
            Path files = Files.createTempDirectory(directory, "evidence");
            try (EvidenceStore evidence = EvidenceStore.open(FileStorage.open(files))) {
                Equivocations equivocations = equivocations(sessions, evidence, Map.of(BatchId.of(first), first));
                assertThat(sessions.offerUnordered(KEY, view(second).position(), BatchId.of(second)))
                        .isEqualTo(Offer.BROKEN_CHAIN);

                long number = view(second).number();
                assertThat(equivocations.found(KEY, number, second))
                        .hasValueSatisfying(found -> assertThat(found.number()).isEqualTo(1));
            }
            assertThat(EvidenceStore.decode(Files.readAllBytes(files.resolve(EvidenceStore.PREFIX + "7-2"))))
                    .isNotNull();
        }
    }

    /** A number 0 is none, and the last number has none after it: such bytes prove nothing, whatever a file says. */
    @Test
    void shouldFindNoEvidenceInNumbersThatNoBatchHas() {
        byte[] last = batch(-1, HASH, 1);
        byte[] none = batch(0, Digest.ZERO, 1);

        assertThat(Equivocation.of(last, none)).isEmpty();
        assertThat(Equivocation.of(none, last)).isEmpty();
        assertThat(Equivocation.of(none, batch(0, Digest.ZERO, 2))).isEmpty();
    }

    private static BatchView view(byte[] signedBatch) {
        return new BatchView().wrap(signedBatch);
    }

    private static Equivocations equivocations(Sessions sessions, EvidenceStore evidence, Map<Digest, byte[]> held) {
        return new Equivocations(
                sessions,
                evidence,
                id -> Optional.ofNullable(held.get(id)),
                SignatureProviders.named(BouncyCastleProvider.NAME),
                new NoEvents());
    }

    private static byte[] batch(long validUntilBlock) {
        return batch(1, Digest.ZERO, validUntilBlock);
    }

    private static byte[] batch(long number, Digest previous, long validUntilBlock) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .validUntilBlock(validUntilBlock)
                .brokerId(7)
                .session(2)
                .ordersCount(1);
        return signed;
    }
}
