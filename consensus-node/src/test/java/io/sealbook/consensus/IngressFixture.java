package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.consensus.agent.NodeLoop;
import io.sealbook.consensus.config.IngressConfig;
import io.sealbook.consensus.config.RingWait;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.ingress.LaneStages;
import io.sealbook.consensus.ingress.LoopIngress;
import io.sealbook.consensus.ingress.RingIngress;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.membership.Membership;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.AdmissionContext;
import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.admission.BatchDecoder;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.BrokerRegistry;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/** The way of a batch to its verdict, with a verifier that a test holds back; collects the verdicts. */
final class IngressFixture implements AutoCloseable {
    private static final int NODE_ID = 0;
    private static final int NODE_COUNT = 4;
    static final int RING_SIZE = 2_048;
    /** Each of three peers surely finds a quarter of one half, and one broker takes half of the rest. */
    static final int BROKER_MAX = (RING_SIZE - (NODE_COUNT - 1) * RING_SIZE / 2 / NODE_COUNT) / 2;

    /** Every batch of this distance has another signature than its broker's. */
    private static final int FORGED_EVERY = 7;

    private static final int WAIT_US = 500;

    record Answer(long correlationId, SubmitStatus status) {}

    final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    final HeldVerifier verifier = new HeldVerifier();
    final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final List<Payload> admitted = new ArrayList<>();
    private final PayloadStore store = new PayloadStore(1 << 24, 4, 0);
    private final Sessions sessions = new Sessions();
    private final EvidenceStore evidence;
    private final GenesisFile genesis;
    private final TestBroker broker;
    private final NodeState state;
    private final NodeMetrics metrics;
    final PayloadLog payloadLog;
    private Ingress ingress;

    /** Verifies in Java, after a test has let it; notes who asked for how many. */
    static final class HeldVerifier implements SignatureVerifier {
        final CountDownLatch isHeld = new CountDownLatch(1);
        final CountDownLatch isAsked = new CountDownLatch(1);
        final BlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
        final Set<Thread> callers = ConcurrentHashMap.newKeySet();
        private final SignatureVerifier reference = SignatureProviders.named("bc");

        @Override
        public String provider() {
            return "held";
        }

        @Override
        public int verify(SignatureBatch batch) {
            sizes.add(batch.size());
            callers.add(Thread.currentThread());
            isAsked.countDown();
            try {
                isHeld.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return reference.verify(batch);
        }

        @Override
        public void close() {
            reference.close();
        }
    }

    IngressFixture(Path directory) throws Exception {
        this(directory, files -> files);
    }

    /** @param logFiles returns what the payload log writes to, over its files */
    IngressFixture(Path directory, UnaryOperator<Storage> logFiles) throws Exception {
        genesis = TestGenesis.write(directory);
        broker = new TestBroker(
                TestGenesis.CHAIN_ID, 1, 0, KeyFile.readSigner(directory.resolve("broker1/broker.key")), List.of());
        state = new NodeState(genesis.digest());
        metrics = new NodeMetrics(new SimpleMeterRegistry(), state);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        Storage files = FileStorage.open(directory.resolve("payload-log"));
        payloadLog = PayloadLog.open(logFiles.apply(files), Durability.PROCESS);
    }

    RingIngress startRing(int laneCount, BatchPreference batches) {
        RingIngress ring = new RingIngress(context(laneCount, batches), new Stages(), admission());
        start(ring);
        return ring;
    }

    /** Starts one that runs on a loop, as a part of which the caller has its cycle run. */
    LoopIngress startOnLoop(NodeLoop loop, BatchPreference batches, IntSupplier room) {
        LoopIngress onLoop = new LoopIngress(context(1, batches), loop, new Stages(), admission(), room);
        start(onLoop);
        return onLoop;
    }

    private void start(Ingress made) {
        ingress = made;
        ingress.start();
    }

    private IngressContext context(int laneCount, BatchPreference batches) {
        return new IngressContext(
                0,
                NODE_COUNT,
                new IngressConfig(
                        new VerifierSettings("bc", Map.of()),
                        laneCount,
                        WAIT_US,
                        RING_SIZE,
                        RingWait.BLOCKING,
                        64,
                        1 << 24),
                batches,
                metrics,
                failures::add);
    }

    private Admission admission() {
        return new Admission(
                new AdmissionContext(
                        0,
                        1_000_000,
                        state,
                        member -> 0,
                        new EventRecorder(metrics),
                        early -> {},
                        (crowded, peer) -> {}),
                store,
                payloadLog,
                sessions,
                new Equivocations(sessions, evidence, id -> Optional.empty(), verifier, new EventRecorder(metrics)),
                new Taken());
    }

    long depth() {
        return ingress.depth();
    }

    /** Offers one batch, and the others while it is verified. */
    void hold(int count) throws InterruptedException {
        assertThat(offer(0)).isTrue();
        verifier.isAsked.await();
        for (int i = 1; i < count; i++) {
            assertThat(offer(i)).isTrue();
        }
    }

    /** Returns the numbers of the next batches that get verdicts, in the order of these. */
    List<Long> takeAnswers(int count) throws InterruptedException {
        List<Long> given = new ArrayList<>();
        while (given.size() < count) {
            given.add(answers.take().correlationId());
        }
        return given;
    }

    /** Checks the next verdicts: those of the batches from 0 on, in their order. */
    void assertVerdicts(int count) throws InterruptedException {
        List<Answer> given = new ArrayList<>();
        while (given.size() < count) {
            given.add(answers.take());
        }
        for (int i = 0; i < count; i++) {
            assertThat(given.get(i))
                    .isEqualTo(new Answer(i, isForged(i) ? SubmitStatus.REFUSED : SubmitStatus.ACCEPTED));
        }
    }

    void closeIngress() {
        verifier.isHeld.countDown();
        ingress.close();
    }

    @Override
    public void close() {
        closeIngress();
        payloadLog.close();
        evidence.close();
        verifier.close();
        assertThat(failures).isEmpty();
    }

    private static boolean isForged(int index) {
        return index % FORGED_EVERY == FORGED_EVERY - 1;
    }

    boolean offer(int index) {
        byte[] batch = broker.batch(1);
        if (isForged(index)) {
            batch[batch.length - 3] ^= 1;
        }
        return ingress.offer(new Sender(BatchSource.BROKER, "broker 1"), index, batch, null);
    }

    /** Offers the next batch of the session as one that another broker hands in. */
    boolean offerOfOtherBroker(int correlationId) {
        return ingress.offer(new Sender(BatchSource.BROKER, "broker 2"), correlationId, broker.batch(1), null);
    }

    /** Offers what a peer has sent: a batch of the session after those that brokers have handed in here. */
    boolean offerOfPeer(int peer, int correlationId) {
        return ingress.offer(new Sender(peer, peer), correlationId, broker.batch(1), null);
    }

    private final class Sender implements BatchSource {
        private final int peer;
        private final Object holder;

        private Sender(int peer, Object holder) {
            this.peer = peer;
            this.holder = holder;
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public Object holder() {
            return holder;
        }

        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            answers.add(new Answer(correlationId, verdict.status()));
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }

    private final class Stages implements LaneStages {
        @Override
        public DecodeStage decoding() {
            return new DecodeStage(
                    new BatchDecoder(
                            genesis.genesis(), new BrokerRegistry(Membership.of(genesis.genesis())), headers -> {}),
                    store,
                    sessions);
        }

        @Override
        public SignatureStage collecting(int batchMax) {
            return new SignatureStage(batchMax, verifier);
        }
    }

    private final class Taken implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            admitted.add(payload);
        }

        @Override
        public void onDurable(Payload payload) {
            // What a peer has sent is not spread.
            assertThat(payload.origin() == NODE_ID).isEqualTo(admitted.contains(payload));
        }

        @Override
        public void onEquivocation(Equivocation evidence) {
            throw new AssertionError("no number has two batches");
        }
    }
}
