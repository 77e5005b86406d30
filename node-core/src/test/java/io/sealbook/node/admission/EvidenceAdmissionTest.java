package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.session.EndedKeys;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two batches of one session prove, by how far ahead they are and by the keys that signed them. */
class EvidenceAdmissionTest {
    private static final int PEER = 2;
    private static final int SESSION = 7;
    private static final long KEY = SessionKey.of(TestMembers.BROKER, SESSION);
    /** The one that is revoked, and the one after it. */
    private static final int OLD = 1;

    private static final int NEW = 2;

    @TempDir
    private Path directory;

    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);
    private final Sessions sessions = new Sessions();
    private final EndedKeys endedKeys = new EndedKeys();
    private final List<Equivocation> found = new ArrayList<>();
    private final List<Digest> crowded = new ArrayList<>();
    private final List<Digest> durable = new ArrayList<>();
    private EvidenceStore evidence;
    private PayloadLog log;
    private Admission admission;
    private Verdict verdict;

    @BeforeEach
    void open() {
        log = PayloadLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        admission = new Admission(
                new AdmissionContext(
                        0,
                        1_000,
                        new NodeState(Digest.ZERO),
                        endedKeys,
                        member -> 0,
                        new NoEvents(),
                        slot -> {},
                        (batchId, peer) -> crowded.add(batchId)),
                store,
                log,
                sessions,
                new Equivocations(
                        sessions,
                        evidence,
                        endedKeys,
                        id -> Optional.ofNullable(store.get(id)).map(Payload::signedBatch),
                        new NoEvents()),
                new Admitted());
    }

    @AfterEach
    void close() {
        log.close();
        evidence.close();
    }

    /**
     * A faulty member may hand all batches up to there to one other member alone: the rest waits for the first ones,
     * and gets nothing but the evidence.
     */
    @Test
    void shouldFindEvidenceBeyondWhatASessionMayHold() {
        byte[] one = batch(2_000, Digest.sha256(new byte[] {1}), OLD);
        byte[] other = batch(2_000, Digest.sha256(new byte[] {2}), OLD);
        fromPeer(batch(1, Digest.ZERO, OLD), PEER);

        fromPeer(one, PEER);
        fromPeer(other, PEER + 1);
        fromPeer(one, PEER);
        assertThat(sessions.isSuspended(KEY))
                .as("what each member sends is compared for itself")
                .isFalse();

        fromPeer(other, PEER);
        assertThat(sessions.isSuspended(KEY)).isTrue();
        assertThat(found).extracting(Equivocation::number).containsExactly(2_000L);
        assertThat(evidence.sessions()).containsExactly(KEY);
    }

    /** Its thief and one faulty member could suspend all sessions of the owner otherwise, for ever. */
    @Test
    void shouldTakeNothingOfAPeerUnderARevokedKey() {
        byte[] ofThief = batch(1, Digest.ZERO, OLD);
        byte[] ofOwner = batch(1, Digest.ZERO, NEW);
        revoke();

        fromPeer(ofThief, PEER);
        assertThat(verdict.status()).isEqualTo(SubmitStatus.REFUSED);
        assertThat(crowded).as("its next copy is news").containsExactly(BatchId.of(ofThief));
        handIn(ofOwner);
        assertThat(verdict.status()).isEqualTo(SubmitStatus.ACCEPTED);

        fromPeer(ofThief, PEER);
        assertThat(found).isEmpty();
        assertThat(sessions.isSuspended(KEY)).isFalse();
        assertThat(store.contains(BatchId.of(ofThief))).isFalse();
    }

    /** The lane may have judged it before the block that revoked the key. */
    @Test
    void shouldTakeNothingOfABrokerUnderARevokedKey() {
        byte[] late = batch(1, Digest.ZERO, OLD);
        revoke();

        handIn(late);

        assertThat(verdict.reason()).isEqualTo(RefusalReason.UNKNOWN_KEY);
        assertThat(verdict.detail()).isEqualTo("the key of number 1 of session 7 of broker 1 has ended");
    }

    /** A primary that lags may have proposed it, and others may have voted for that. */
    @Test
    void shouldTakeABatchUnderARevokedKeyThatAProposalNamesAndLeaveItsNumberFree() {
        byte[] ofThief = batch(2, Digest.sha256(new byte[] {1}), OLD);
        byte[] first = batch(1, Digest.ZERO, NEW);
        byte[] second = batch(2, BatchId.of(first), NEW);
        revoke();
        store.want(List.of(BatchId.of(ofThief)));

        fromPeer(ofThief, PEER);
        assertThat(verdict.status()).isEqualTo(SubmitStatus.ACCEPTED);
        assertThat(durable).containsExactly(BatchId.of(ofThief));

        handIn(first);
        handIn(second);
        assertThat(verdict.status()).isEqualTo(SubmitStatus.ACCEPTED);
        assertThat(found).isEmpty();
    }

    /** The agent drops it in a moment. */
    @Test
    void shouldFindNoEvidenceInABatchThatIsHeldUnderAKeyThatHasEnded() {
        fromPeer(batch(1, Digest.ZERO, OLD), PEER);
        revoke();

        fromPeer(batch(1, Digest.ZERO, NEW), PEER);

        assertThat(found).isEmpty();
        assertThat(sessions.isSuspended(KEY)).isFalse();
    }

    /** Before the key is revoked nobody can say which of the two keys is the thief's. */
    @Test
    void shouldFindEvidenceInBatchesUnderTwoKeysThatCount() {
        handIn(batch(1, Digest.ZERO, OLD));
        fromPeer(batch(1, Digest.ZERO, NEW), PEER);

        assertThat(sessions.isSuspended(KEY)).isTrue();
    }

    /** Evidence that counts no more leaves its place to what counts. */
    @Test
    void shouldKeepEvidenceInPlaceOfWhatARevokedKeyHasMadeVoid() {
        fromPeer(batch(1, Digest.ZERO, OLD), PEER);
        fromPeer(batch(1, Digest.ZERO, NEW), PEER);
        assertThat(evidence.counts(KEY, endedKeys)).isTrue();
        revoke();
        assertThat(evidence.counts(KEY, endedKeys)).isFalse();
        sessions.resume(KEY);

        fromPeer(batch(1, Digest.ZERO, NEW), PEER);
        fromPeer(batch(1, Digest.ZERO, NEW + 1), PEER);

        assertThat(sessions.isSuspended(KEY)).isTrue();
        assertThat(evidence.counts(KEY, endedKeys)).isTrue();
    }

    private void revoke() {
        endedKeys.become(new TestMembers().after(TestMembers.revokeKey(OLD)));
    }

    private void fromPeer(byte[] signedBatch, int peer) {
        admission.decide(slot(signedBatch, peer), true, 1);
    }

    private void handIn(byte[] signedBatch) {
        admission.decide(slot(signedBatch, BatchSource.BROKER), true, 1);
    }

    private IngressSlot slot(byte[] signedBatch, int from) {
        BatchView batch = new BatchView().wrap(signedBatch);
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(new Source(from), 0, signedBatch, BatchId.of(signedBatch), 0));
        slot.brokerId = batch.brokerId();
        slot.position = batch.position();
        slot.sessionKey = batch.sessionKey();
        slot.validUntilBlock = batch.validUntilBlock();
        slot.orderCount = 1;
        return slot;
    }

    private static byte[] batch(long number, Digest previous, int keyId) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .validUntilBlock(100)
                .brokerId(TestMembers.BROKER)
                .keyId(keyId)
                .session(SESSION)
                .ordersCount(1);
        return signed;
    }

    private final class Admitted implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            // It is spread elsewhere.
        }

        @Override
        public void onDurable(Payload payload) {
            durable.add(payload.batchId());
        }

        @Override
        public void onEquivocation(Equivocation equivocation) {
            found.add(equivocation);
        }
    }

    private final class Source implements BatchSource {
        private final int peer;

        Source(int peer) {
            this.peer = peer;
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public void onVerdict(long correlationId, Verdict given) {
            verdict = given;
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
