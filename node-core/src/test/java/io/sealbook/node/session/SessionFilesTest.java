package io.sealbook.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.port.NoEvents;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
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

    private static Equivocations equivocations(Sessions sessions, EvidenceStore evidence, Map<Digest, byte[]> held) {
        return new Equivocations(sessions, evidence, id -> Optional.ofNullable(held.get(id)), new NoEvents());
    }

    private static byte[] batch(long validUntilBlock) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(1)
                .validUntilBlock(validUntilBlock)
                .brokerId(7)
                .session(2)
                .ordersCount(1);
        return signed;
    }
}
