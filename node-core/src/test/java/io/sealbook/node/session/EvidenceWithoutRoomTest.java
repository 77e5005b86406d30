package io.sealbook.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence for which the disk has no room: the node goes on, and keeps it when there is room again. */
class EvidenceWithoutRoomTest {
    private static final int BROKER = 7;
    private static final long SECOND_NS = 1_000_000_000L;

    private final List<String> heard = new ArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void shouldHoldEvidenceInMemoryUntilThereIsRoom() {
        SmallStorage storage = new SmallStorage(FileStorage.open(directory));
        Equivocation found = equivocation(2);
        long sessionKey = SessionKey.of(BROKER, 2);
        try (EvidenceStore evidence = EvidenceStore.open(storage)) {
            evidence.onTrouble(new Listener());
            storage.isFull = true;

            evidence.add(found);
            evidence.add(found);
            evidence.add(equivocation(3));
            evidence.retry(SECOND_NS);

            assertThat(evidence.read(sessionKey)).as("for members that ask").isPresent();
            assertThat(evidence.sessions()).isEmpty();
            assertThat(heard).containsExactly("unwritten: no room");

            storage.isFull = false;
            evidence.retry(SECOND_NS + 1);
            assertThat(evidence.sessions()).as("tried a moment ago").isEmpty();
            evidence.retry(2 * SECOND_NS);
            evidence.retry(2 * SECOND_NS);
            evidence.retry(9 * SECOND_NS);

            assertThat(heard).containsExactly("unwritten: no room", "written, lost 0");
        }
        try (EvidenceStore evidence = EvidenceStore.open(FileStorage.open(directory))) {
            assertThat(evidence.sessions()).containsExactly(sessionKey, SessionKey.of(BROKER, 3));
            assertThat(evidence.read(sessionKey).orElseThrow().first()).isEqualTo(found.first());
        }
    }

    @Test
    void shouldReportTheEvidenceThatFoundNoRoomInMemoryEither() {
        SmallStorage storage = new SmallStorage(FileStorage.open(directory));
        try (EvidenceStore evidence = EvidenceStore.open(storage)) {
            evidence.onTrouble(new Listener());
            storage.isFull = true;
            for (int session = 0; session < EvidenceStore.UNWRITTEN_MAX + 3; session++) {
                evidence.add(equivocation(session));
            }
            storage.isFull = false;
            writeAll(evidence);

            assertThat(heard).containsExactly("unwritten: no room", "written, lost 3");
            assertThat(evidence.sessions()).hasSize(EvidenceStore.UNWRITTEN_MAX);
        }
    }

    /** A broker opens as many sessions as it likes, a member has few keys. */
    @Test
    void shouldHoldTheEvidenceOfAMemberRatherThanThatOfOneMoreSession() {
        SmallStorage storage = new SmallStorage(FileStorage.open(directory));
        MemberEvidence ofMember = doubleVote();
        EvidenceStore.MemberKey key = new EvidenceStore.MemberKey(ofMember.member(), ofMember.keyId());
        try (EvidenceStore evidence = EvidenceStore.open(storage)) {
            evidence.onTrouble(new Listener());
            storage.isFull = true;
            for (int session = 0; session < EvidenceStore.UNWRITTEN_MAX; session++) {
                evidence.add(equivocation(session));
            }

            assertThat(evidence.add(ofMember)).isTrue();
            assertThat(evidence.add(ofMember)).as("it is kept already").isFalse();
            evidence.add(equivocation(EvidenceStore.UNWRITTEN_MAX));

            assertThat(evidence.read(key)).contains(ofMember);
            storage.isFull = false;
            evidence.retry(SECOND_NS);
            assertThat(evidence.memberKeys()).as("written first").containsExactly(key);
            writeAll(evidence);
            assertThat(heard).containsExactly("unwritten: no room", "written, lost 2");
            assertThat(evidence.memberKeys()).containsExactly(key);
        }
    }

    /** The thread that writes has votes to send: each piece costs it two writes to the disk that must end. */
    @Test
    void shouldWriteOnePieceAtATimeAndRestAfterAFailureOnly() {
        SmallStorage storage = new SmallStorage(FileStorage.open(directory));
        try (EvidenceStore evidence = EvidenceStore.open(storage)) {
            evidence.onTrouble(new Listener());
            storage.isFull = true;
            for (int session = 0; session < 4; session++) {
                evidence.add(equivocation(session));
            }
            storage.isFull = false;

            evidence.retry(SECOND_NS);
            assertThat(evidence.sessions()).hasSize(1);
            evidence.retry(SECOND_NS);
            assertThat(evidence.sessions()).hasSize(2);

            storage.isFull = true;
            evidence.retry(SECOND_NS);
            storage.isFull = false;
            evidence.retry(2 * SECOND_NS - 1);
            assertThat(evidence.sessions())
                    .as("it failed less than a second before")
                    .hasSize(2);
            evidence.retry(2 * SECOND_NS);
            evidence.retry(2 * SECOND_NS);
            assertThat(evidence.sessions()).hasSize(4);
            assertThat(heard).containsExactly("unwritten: no room", "written, lost 0");
        }
    }

    private static void writeAll(EvidenceStore evidence) {
        for (int piece = 0; piece < EvidenceStore.UNWRITTEN_MAX; piece++) {
            evidence.retry(SECOND_NS);
        }
    }

    private static MemberEvidence doubleVote() {
        Epoch epoch = new Epoch(42, 0);
        Signature signature = Signature.of(new byte[65]);
        DoubleVote vote = DoubleVote.of(
                        2,
                        epoch,
                        Prepare.signedBytes(epoch, 5, 9, Digest.ZERO, 2),
                        signature,
                        Prepare.signedBytes(epoch, 5, 9, Digest.sha256(new byte[1]), 2),
                        signature)
                .orElseThrow();
        return new MemberEvidence(0, vote);
    }

    private static Equivocation equivocation(int session) {
        return Equivocation.of(batch(session, 1), batch(session, 2)).orElseThrow();
    }

    private static byte[] batch(int session, long validUntilBlock) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(1)
                .putPrevious(Digest.ZERO.bytes(), 0, Digest.LENGTH)
                .validUntilBlock(validUntilBlock)
                .brokerId(BROKER)
                .session(session)
                .ordersCount(1);
        return signed;
    }

    private final class Listener implements EvidenceStore.Trouble {
        @Override
        public void unwritten(String fact) {
            heard.add("unwritten: " + fact);
        }

        @Override
        public void written(int lost) {
            heard.add("written, lost " + lost);
        }
    }

    /** A directory whose disk is full at times. */
    private static final class SmallStorage implements Storage {
        private final Storage files;
        private boolean isFull;

        SmallStorage(Storage files) {
            this.files = files;
        }

        @Override
        public List<String> names() {
            return files.names();
        }

        @Override
        public StoredFile open(String name) {
            return files.open(name);
        }

        @Override
        public StoredFile create(String name) {
            if (isFull) {
                throw new StorageException("no room", null);
            }
            return files.create(name);
        }

        @Override
        public void rename(String from, String to) {
            files.rename(from, to);
        }

        @Override
        public void delete(String name) {
            files.delete(name);
        }

        @Override
        public void syncNames() {
            files.syncNames();
        }

        @Override
        public void close() {
            files.close();
        }
    }
}
