package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
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

/** What two batches of one session prove that are far ahead in it. */
class EvidenceAdmissionTest {
    private static final int PEER = 2;
    private static final int SESSION = 7;
    private static final long KEY = SessionKey.of(TestMembers.BROKER, SESSION);
    private static final int KEY_ID = 1;

    @TempDir
    private Path directory;

    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);
    private final Sessions sessions = new Sessions();
    private final List<Equivocation> found = new ArrayList<>();
    private EvidenceStore evidence;
    private PayloadLog log;
    private Admission admission;

    @BeforeEach
    void open() {
        log = PayloadLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        admission = new Admission(
                new AdmissionContext(
                        0,
                        1_000,
                        new NodeState(Digest.ZERO),
                        member -> 0,
                        new NoEvents(),
                        slot -> {},
                        (batchId, peer) -> {}),
                store,
                log,
                sessions,
                new Equivocations(
                        sessions,
                        evidence,
                        id -> Optional.ofNullable(store.get(id)).map(Payload::signedBatch),
                        SignatureProviders.named(BouncyCastleProvider.NAME),
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
        byte[] one = batch(2_000, Digest.sha256(new byte[] {1}), KEY_ID);
        byte[] other = batch(2_000, Digest.sha256(new byte[] {2}), KEY_ID);
        fromPeer(batch(1, Digest.ZERO, KEY_ID), PEER);

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

    private void fromPeer(byte[] signedBatch, int peer) {
        admission.decide(slot(signedBatch, peer), true, 1);
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
            // Agreement is not here.
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
        public void onVerdict(long correlationId, Verdict verdict) {
            // Nobody waits for it.
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
