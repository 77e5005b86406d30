package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.membership.RateQuota;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.payloadlog.RecordingStorage;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order a batch is stored, spread, made durable, told and answered. */
class AdmissionTest {
    private static final int PEER = 2;

    @TempDir
    private Path directory;

    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);
    private final Sessions sessions = new Sessions();
    private EvidenceStore evidence;
    private RecordingStorage storage;
    private List<String> events;
    private PayloadLog log;
    private Admission admission;
    private Verdict lastRefusal;
    private long blockBeforeNextTransaction;
    private NodeState state;

    @BeforeEach
    void open() {
        storage = new RecordingStorage(FileStorage.open(directory));
        log = PayloadLog.open(storage, Durability.DISK);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        events = storage.events;
        events.clear();
        state = new NodeState(Digest.ZERO);
        admission = new Admission(
                new AdmissionContext(
                        0,
                        1_000,
                        state,
                        member -> member == 3 ? blockBeforeNextTransaction : 0,
                        new Refused(),
                        slot -> events.add("early " + slot.batchId),
                        (batchId, peer) -> events.add("crowded " + batchId)),
                store,
                log,
                sessions,
                new Equivocations(
                        sessions,
                        evidence,
                        id -> Optional.ofNullable(store.get(id)).map(Payload::signedBatch),
                        SignatureProviders.named(BouncyCastleProvider.NAME),
                        new NoEvents()),
                new Events());
    }

    @AfterEach
    void close() {
        log.close();
        evidence.close();
    }

    @Test
    void shouldTellAgreementAndAnswerOnlyWhatIsDurable() {
        admission.decide(slot(1, BatchSource.BROKER), false, 1);
        admission.decide(slot(2, PEER), false, 1);
        assertThat(events).containsExactly("stored 1");

        admission.decide(slot(3, BatchSource.BROKER), true, 1);

        assertThat(events)
                .containsExactly(
                        "stored 1",
                        "stored 3",
                        "write",
                        "sync",
                        "durable 1",
                        "ACCEPTED 1",
                        "durable 2",
                        "ACCEPTED 2",
                        "durable 3",
                        "ACCEPTED 3",
                        "end",
                        "end");
    }

    @Test
    void shouldAnswerInOrderWhatNeedsNoDurability() {
        admission.decide(slot(1, PEER), false, 1);
        IngressSlot refused = slot(2, PEER);
        refused.refuse(RefusalReason.BAD_SIGNATURE, "wrong");
        admission.decide(refused, false, 1);
        admission.decide(slot(1, PEER), true, 1);

        assertThat(events)
                .containsExactly(
                        "peer 2 refused",
                        "write",
                        "sync",
                        "durable 1",
                        "ACCEPTED 1",
                        "REFUSED 2",
                        "ALREADY_KNOWN 1",
                        "end");
    }

    @Test
    void shouldNotSyncForRefusals() {
        IngressSlot refused = slot(1, PEER);
        refused.refuse(RefusalReason.BAD_SIGNATURE, "wrong");

        admission.decide(refused, true, 1);

        assertThat(events).containsExactly("peer 2 refused", "REFUSED 1", "end");
    }

    @Test
    void shouldMakeALongRunDurableInGroups() {
        for (int i = 1; i <= 1_000; i++) {
            admission.decide(slot(i, PEER), false, 1);
        }

        assertThat(events.stream().filter("sync"::equals).count()).isEqualTo(3);
        assertThat(events.stream().filter(event -> event.startsWith("durable")).count())
                .isEqualTo(768);
    }

    @Test
    void shouldTellNobodyWhatCouldNotBeMadeDurable() {
        storage.isFull = true;

        assertThatThrownBy(() -> admission.decide(slot(1, PEER), true, 1)).isInstanceOf(StorageFailureException.class);
        assertThatThrownBy(() -> admission.decide(slot(2, PEER), true, 1)).isInstanceOf(StorageFailureException.class);

        assertThat(events).isEmpty();
    }

    /** A broker's other history, from number 1 on, would fill the memory beyond all limits. */
    @Test
    void shouldWantNothingBesideDeliveredBatches() {
        Digest before = Digest.sha256(new byte[] {1});
        Digest named = Digest.sha256(new byte[] {2});
        for (int number = 1; number <= 5; number++) {
            sessions.delivered(SessionKey.of(1, 7), number, Digest.sha256(new byte[] {3, (byte) number}));
        }
        store.want(List.of(named));

        admission.decide(slot(new BatchPosition(7, 6, before), named, PEER), true, 1);

        assertThat(store.contains(named)).isTrue();
        assertThat(store.isWanted(before)).isFalse();
    }

    @Test
    void shouldWantWhatAWantedBatchFollows() {
        Digest before = Digest.sha256(new byte[] {1});
        Digest named = Digest.sha256(new byte[] {2});
        for (int number = 1; number <= 4; number++) {
            sessions.delivered(SessionKey.of(1, 7), number, Digest.sha256(new byte[] {3, (byte) number}));
        }
        store.want(List.of(named));

        admission.decide(slot(new BatchPosition(7, 6, before), named, PEER), true, 1);

        assertThat(store.isWanted(before)).isTrue();
    }

    /** Each member may wait for its own version: all of them must learn that there are two. */
    @Test
    void shouldFindThatAPeersBatchFollowsAnotherThanTheOneThatIsHeld() {
        byte[] first = batch(1, Digest.ZERO);
        byte[] fork = batch(2, Digest.sha256(new byte[] {1}));

        admission.decide(slot(first, PEER), true, 1);
        admission.decide(slot(fork, PEER), true, 1);

        assertThat(events).contains("equivocation 7");
        assertThat(sessions.isSuspended(SessionKey.of(1, 7))).isTrue();
    }

    /** It may have lost count, and no other node has the batch. */
    @Test
    void shouldOnlyRefuseABrokersBatchThatFollowsAnother() {
        admission.decide(slot(batch(1, Digest.ZERO), PEER), true, 1);
        admission.decide(slot(batch(2, Digest.sha256(new byte[] {1})), BatchSource.BROKER), true, 1);

        assertThat(events).contains("REFUSED 7");
        assertThat(sessions.isSuspended(SessionKey.of(1, 7))).isFalse();
    }

    /** It is ahead of this node, and not at fault. */
    @Test
    void shouldNotBlameAPeerForAKeyThatIsNotKnownYet() {
        IngressSlot unknown = slot(1, PEER);
        Digest id = unknown.batchId;
        unknown.refuseUnknown(RefusalReason.UNKNOWN_KEY, "key 2");
        admission.decide(unknown, true, 1);
        assertThat(events).containsExactly("early peer 2", "early " + id, "REFUSED 1", "end");

        events.clear();
        IngressSlot wrong = slot(2, PEER);
        wrong.refuse(RefusalReason.UNKNOWN_KEY, "scheme 2");
        admission.decide(wrong, true, 1);
        assertThat(events).containsExactly("peer 2 refused", "REFUSED 2", "end");

        events.clear();
        IngressSlot ofBroker = slot(3, BatchSource.BROKER);
        ofBroker.refuseUnknown(RefusalReason.UNKNOWN_KEY, "key 2");
        admission.decide(ofBroker, true, 1);
        assertThat(events).containsExactly("REFUSED 3", "end");
    }

    /** Its next copy must be news: agreement may ask for the batch in the next instant. */
    @Test
    void shouldSayWhichBatchOfAPeerHadNoRoom() {
        BatchPosition farAhead = new BatchPosition(7, 2_000, Digest.sha256(new byte[] {1}));
        Digest id = Digest.sha256(new byte[] {2});
        admission.decide(slot(farAhead, id, PEER), true, 1);
        assertThat(events).containsExactly("crowded " + id, "peer 2 refused", "REFUSED 7", "end");

        events.clear();
        admission.decide(slot(farAhead, id, BatchSource.BROKER), true, 1);
        assertThat(events).noneMatch(event -> event.startsWith("crowded"));
    }

    /** Else a faulty member, and a primary with it, could fill a block with one approved transaction. */
    @Test
    void shouldTakeAMembersNextTransactionAfterTheBlockOfTheLast() {
        IngressSlot first = administrative(BatchPosition.first(3), BatchSource.BROKER);
        BatchPosition second = BatchPosition.first(3).after(first.batchId);
        Digest secondId = administrative(second, PEER).batchId;
        admission.decide(first, true, 1);
        assertThat(events).contains("ACCEPTED 3");

        events.clear();
        store.want(List.of(secondId));
        admission.decide(administrative(second, PEER), true, 1);
        assertThat(events).containsExactly("early peer 2", "early " + secondId, "REFUSED 3", "end");

        events.clear();
        sessions.delivered(SessionKey.of(SessionKey.ADMINISTRATION, 3), 1, second.previous());
        admission.decide(administrative(second, PEER), true, 1);
        assertThat(events).contains("ACCEPTED 3");
    }

    /** Two operators of a member may submit at one time: no other node has the second transaction. */
    @Test
    void shouldOnlyRefuseASecondTransactionUnderOneNumberAtTheDoor() {
        byte[] first = transaction(1);
        byte[] second = transaction(2);
        long session = SessionKey.of(SessionKey.ADMINISTRATION, 3);

        admission.decide(administrative(first, BatchSource.BROKER), true, 1);
        admission.decide(administrative(second, BatchSource.BROKER), true, 1);
        assertThat(lastRefusal.reason()).isEqualTo(RefusalReason.NUMBER_TAKEN);
        assertThat(sessions.isSuspended(session)).isFalse();
        assertThat(evidence.sessions()).isEmpty();

        admission.decide(administrative(second, PEER), true, 1);
        assertThat(events).as("a peer that has it got it from the member").contains("equivocation 3");
        assertThat(sessions.isSuspended(session)).isTrue();
    }

    /** It is refused even if a proposal names it: each node that takes it has blocks that this one will have. */
    @Test
    void shouldLetAMemberWaitWhoseTransactionsChangeNothing() {
        BatchPosition position = BatchPosition.first(3);
        Digest id = administrative(position, PEER).batchId;
        blockBeforeNextTransaction = 2;
        lastBlock(1);

        admission.decide(administrative(position, BatchSource.BROKER), true, 1);
        assertThat(lastRefusal.reason()).isEqualTo(RefusalReason.RATE_QUOTA);
        assertThat(lastRefusal.detail())
                .isEqualTo("too many transactions of node 3 have changed nothing; the next one is taken after block 2");

        events.clear();
        store.want(List.of(id));
        admission.decide(administrative(position, PEER), true, 1);
        assertThat(events).containsExactly("crowded " + id, "peer 2 refused", "REFUSED 3", "end");

        events.clear();
        admission.decide(administrative(BatchPosition.first(4), PEER), true, 1);
        assertThat(events).as("of another member").contains("ACCEPTED 4");

        events.clear();
        lastBlock(2);
        admission.decide(administrative(position, PEER), true, 1);
        assertThat(events).contains("ACCEPTED 3");
        blockBeforeNextTransaction = 4;
        sessions.delivered(SessionKey.of(SessionKey.ADMINISTRATION, 3), 1, id);
        store.remove(id);
        events.clear();
        admission.decide(administrative(position, PEER), true, 1);
        assertThat(events).as("it is in a block").contains("ALREADY_KNOWN 3");
    }

    private void lastBlock(long sequence) {
        state.lastBlock(new NodeState.LastBlock(sequence, 1, Digest.ZERO, Digest.ZERO, 0));
    }

    /**
     * Four sessions of a broker that may send two orders per second: as if its lanes had asked before any was taken.
     */
    @Test
    void shouldRefuseBeyondTheRateWithoutAGapAndWithoutAnEnd() {
        DoorRate rate = DoorRate.of(new RateQuota(2, 0));
        for (int session = 1; session <= 4; session++) {
            admission.decide(rated(slot(session, session == 4 ? PEER : BatchSource.BROKER), rate), true, 1);
        }
        assertThat(events).contains("ACCEPTED 1", "ACCEPTED 2", "REFUSED 3", "ACCEPTED 4");
        assertThat(lastRefusal.reason()).isEqualTo(RefusalReason.RATE_QUOTA);
        assertThat(lastRefusal.retryAfterMs()).isEqualTo(500);
        assertThat(sessions.head(SessionKey.of(1, 3)).next())
                .as("the number is free")
                .isEqualTo(1);

        IngressSlot again = rated(slot(1, BatchSource.BROKER), rate);
        events.clear();
        admission.decide(again, true, 1);
        assertThat(events).as("it is held").contains("ALREADY_KNOWN 1");
        IngressSlot named = rated(slot(5, BatchSource.BROKER), rate);
        store.want(List.of(named.batchId));
        admission.decide(named, true, 1);
        assertThat(events).as("a proposal names it").contains("ACCEPTED 5");

        IngressSlot later = rated(slot(3, BatchSource.BROKER), rate);
        later.receivedNanos = 1_400_000_000;
        admission.decide(later, true, 1);
        assertThat(events).as("four orders are charged, two of them paid for").contains("REFUSED 3");
        later = rated(slot(3, BatchSource.BROKER), rate);
        later.receivedNanos = 1_400_000_000 + lastRefusal.retryAfterMs() * 1_000_000L;
        admission.decide(later, true, 1);
        assertThat(events).contains("ACCEPTED 3");
    }

    private static IngressSlot rated(IngressSlot slot, DoorRate rate) {
        slot.rate = rate;
        return slot;
    }

    private IngressSlot administrative(BatchPosition position, int from) {
        Digest id = Digest.sha256(new byte[] {9, (byte) position.session(), (byte) position.number()});
        IngressSlot slot = slot(position, id, from);
        slot.sessionKey = SessionKey.of(SessionKey.ADMINISTRATION, position.session());
        slot.brokerId = SessionKey.ADMINISTRATION;
        slot.validUntilBlock = Long.MAX_VALUE;
        slot.orderCount = 0;
        return slot;
    }

    private static byte[] transaction(int content) {
        return AdministrativeBatch.unsigned(1, BatchPosition.first(3), 1, 0, new byte[] {(byte) content});
    }

    private IngressSlot administrative(byte[] signedBatch, int from) {
        IngressSlot slot = slot(signedBatch, from);
        slot.sessionKey = SessionKey.of(SessionKey.ADMINISTRATION, 3);
        slot.brokerId = SessionKey.ADMINISTRATION;
        slot.validUntilBlock = Long.MAX_VALUE;
        slot.orderCount = 0;
        return slot;
    }

    private static byte[] batch(long number, Digest previous) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .brokerId(1)
                .session(7)
                .ordersCount(1);
        return signed;
    }

    private IngressSlot slot(byte[] signedBatch, int from) {
        IngressSlot slot = slot(new BatchView().wrap(signedBatch).position(), BatchId.of(signedBatch), from);
        slot.bytes = signedBatch;
        return slot;
    }

    private IngressSlot slot(BatchPosition position, Digest id, int from) {
        IngressSlot slot = slot(position.session(), from);
        slot.batchId = id;
        slot.position = position;
        return slot;
    }

    private IngressSlot slot(int number, int from) {
        IngressSlot slot = new IngressSlot();
        Digest id = Digest.sha256(new byte[] {(byte) number, (byte) (number >> 8)});
        slot.fill(new ArrivedBatch(new Source(from), number, new byte[SignedBatch.signedLength(1)], id, 0));
        slot.brokerId = 1;
        slot.position = BatchPosition.first(number);
        slot.sessionKey = SessionKey.of(1, number);
        slot.validUntilBlock = 100;
        slot.orderCount = 1;
        return slot;
    }

    private final class Refused extends NoEvents {
        @Override
        public void peerRefused(int peer, RefusalReason reason) {
            events.add("peer " + peer + " refused");
        }

        @Override
        public void early(int peer) {
            events.add("early peer " + peer);
        }
    }

    private final class Events implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            events.add("stored " + payload.position().session());
        }

        @Override
        public void onDurable(Payload payload) {
            events.add("durable " + payload.position().session());
        }

        @Override
        public void onEquivocation(Equivocation evidence) {
            events.add("equivocation " + SessionKey.session(evidence.sessionKey()));
        }
    }

    /** One for brokers and one for each peer: equal sources hear of the end once. */
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
            events.add(verdict.status() + " " + correlationId);
            lastRefusal = verdict.status() == SubmitStatus.REFUSED ? verdict : lastRefusal;
        }

        @Override
        public void onVerdictsEnd() {
            events.add("end");
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Source source && source.peer == peer;
        }

        @Override
        public int hashCode() {
            return peer;
        }
    }
}
