package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.node.agent.AgentContext;
import io.sealbook.node.agent.ReplicaCycle;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which batches are stored beyond the limits: those that a proposal names, and no others. */
class AcknowledgedBatchTest {
    private static final int MEMBERS = 4;
    private static final int PRIMARY = 0;
    private static final int SELF = 1;
    private static final int FAULTY = 3;
    private static final int STORE_BYTES_MAX = 1 << 20;
    /** A peer gets twice its share. */
    private static final int PEER_BYTES_MAX = 2 * STORE_BYTES_MAX / MEMBERS;

    private static final int BATCH_LENGTH = 10_000;
    private static final int BATCHES = 200;
    private static final long TICK_NS = 1_000_000_000;
    private static final Signature ANY = Signature.of(new byte[65]);

    @TempDir
    private Path directory;

    private final Set<Digest> requested = new LinkedHashSet<>();
    private final PayloadStore store = new PayloadStore(STORE_BYTES_MAX, MEMBERS, SELF);
    private final NodeState state = new NodeState(Digest.ZERO);
    private final Sessions sessions = new Sessions();
    private EvidenceStore evidence;
    private ReplicaLog replicaLog;
    private VoteMark mark;
    private PayloadLog payloadLog;
    private ReplicaCycle cycle;
    private Admission admission;
    private long nowNs;

    @BeforeEach
    void open() {
        NoEvents events = new NoEvents();
        replicaLog = ReplicaLog.open(FileStorage.open(directory.resolve("replica-log")), Durability.PROCESS);
        mark = VoteMark.open(FileStorage.open(directory.resolve("mark")), Durability.PROCESS);
        payloadLog = PayloadLog.open(FileStorage.open(directory.resolve("payload-log")), Durability.PROCESS);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        ReplicaConfig config = ReplicaConfig.builder(SELF, MEMBERS, 7)
                .blockTimeDriftMaxNs(Long.MAX_VALUE)
                .build();
        cycle = new ReplicaCycle(
                new Replica(config, bytes -> new byte[65]),
                List.of(),
                new AgentContext(
                        new AskedPeers(),
                        new Spreading(SELF, MEMBERS, PayloadRoute.DIRECT, store, new AskedPeers(), events, 1),
                        replicaLog,
                        mark,
                        Durability.PROCESS,
                        store,
                        sessions,
                        evidence,
                        member -> 0,
                        task -> true,
                        state,
                        events));
        admission = new Admission(
                new AdmissionContext(SELF, 1_000, state, member -> 0, events, early -> {}, (crowded, peer) -> {}),
                store,
                payloadLog,
                sessions,
                new Equivocations(
                        sessions,
                        evidence,
                        id -> Optional.empty(),
                        SignatureProviders.named(BouncyCastleProvider.NAME),
                        events),
                new ToAgreement());
    }

    @AfterEach
    void close() {
        replicaLog.close();
        mark.close();
        payloadLog.close();
        evidence.close();
    }

    @Test
    void shouldKeepAPeersShareForWhatItOnlyAcknowledges() {
        acknowledge(FAULTY);
        run(2 * MEMBERS);
        assertThat(requested).hasSize(BATCHES);

        deliver(FAULTY);

        assertThat(store.bytes()).isPositive().isLessThanOrEqualTo(PEER_BYTES_MAX);
    }

    @Test
    void shouldTakeWhatAProposalNamesWhenTheShareIsUsedUp() {
        acknowledge(FAULTY);
        run(2 * MEMBERS);
        deliver(FAULTY);
        requested.clear();
        Digest named = id(BATCHES + 1);
        Proposal proposal = new Proposal(0, 1, 1, Digest.ZERO, List.of(end(BATCHES + 1)));

        cycle.begin(nowNs);
        cycle.receive(new PrePrepare(0, 1, proposal, PRIMARY, ANY));
        cycle.end(nowNs);
        run(2);
        assertThat(requested).contains(named);
        admission.decide(slot(BATCHES + 1, FAULTY), true, 1);

        assertThat(store.contains(named)).isTrue();
    }

    private void acknowledge(int sender) {
        cycle.begin(nowNs);
        cycle.receive(new BatchAck(
                IntStream.rangeClosed(1, BATCHES)
                        .mapToObj(AcknowledgedBatchTest::end)
                        .toList(),
                sender));
        cycle.end(nowNs);
    }

    private void run(int ticks) {
        for (int i = 0; i < ticks; i++) {
            nowNs += TICK_NS;
            cycle.begin(nowNs);
            cycle.end(nowNs);
        }
    }

    /** A peer sends all that it acknowledged, each batch signed by a broker. */
    private void deliver(int peer) {
        cycle.begin(nowNs);
        for (int i = 1; i <= BATCHES; i++) {
            admission.decide(slot(i, peer), true, 1);
        }
        cycle.end(nowNs);
    }

    private static Digest id(int number) {
        return Digest.sha256(new byte[] {(byte) number, (byte) (number >> 8)});
    }

    private static SessionEnd end(int number) {
        return new SessionEnd(SessionKey.of(1, number), 1, id(number));
    }

    private static IngressSlot slot(int number, int peer) {
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(new Source(peer), number, new byte[BATCH_LENGTH], id(number), 0));
        slot.brokerId = 1;
        slot.position = BatchPosition.first(number);
        slot.sessionKey = SessionKey.of(1, number);
        slot.validUntilBlock = 1_000;
        slot.orderCount = 1;
        return slot;
    }

    private final class ToAgreement implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            // Only a broker's batch is spread.
        }

        @Override
        public void onDurable(Payload payload) {
            cycle.step(payload.available());
        }

        @Override
        public void onEquivocation(Equivocation evidence) {
            throw new AssertionError("no number has two batches");
        }
    }

    private record Source(int peer) implements BatchSource {
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            // A peer is not answered.
        }

        @Override
        public void onVerdictsEnd() {
            // A peer is not answered.
        }
    }

    /** Notes which batches are requested. */
    private final class AskedPeers implements Peers {
        @Override
        public void send(int to, Message message) {
            // Votes do not matter here.
        }

        @Override
        public void broadcast(Message message) {
            // Votes do not matter here.
        }

        @Override
        public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
            throw new AssertionError("no batch came from a broker");
        }

        @Override
        public void broadcastPayload(Digest batchId, byte[] signedBatch) {
            throw new AssertionError("no batch came from a broker");
        }

        @Override
        public void requestBatches(int to, List<BatchRange> ranges) {
            ranges.forEach(range -> requested.add(range.last().id()));
        }

        @Override
        public void requestBlocks(int to, long from, int count) {
            throw new AssertionError("no state is transferred");
        }

        @Override
        public Set<Integer> connected() {
            return Set.of(0, 2, FAULTY);
        }

        @Override
        public void discardThrough(long stableSequence) {
            // No votes are kept.
        }
    }
}
