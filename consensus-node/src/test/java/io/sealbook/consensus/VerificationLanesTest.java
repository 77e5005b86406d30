package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.config.IngressConfig;
import io.sealbook.consensus.config.RingWait;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.ingress.LaneStages;
import io.sealbook.consensus.ingress.RingIngress;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.BatchPreference.Callers;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
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
import io.sealbook.vocabulary.Digest;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring's lanes with a verifier that a test holds back: what is collected, who calls, and the order of verdicts. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class VerificationLanesTest {
    private static final int RING_SIZE = 1_024;
    private static final int BATCHES = 400;
    /** Every batch of this distance has another signature than its broker's. */
    private static final int FORGED_EVERY = 7;

    private static final int WAIT_US = 500;
    private static final BatchPreference DEVICE = new BatchPreference(65, 4_096, 65_536, Callers.ONE);

    private record Answer(long correlationId, SubmitStatus status) {}

    @TempDir
    private Path directory;

    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final List<Payload> admitted = new ArrayList<>();
    private final PayloadStore store = new PayloadStore(1 << 24, 4, 0);
    private final Sessions sessions = new Sessions();
    private EvidenceStore evidence;
    private GenesisFile genesis;
    private TestBroker broker;
    private NodeState state;
    private PayloadLog payloadLog;
    private HeldVerifier verifier;
    private Ingress ingress;

    /** Verifies in Java, after a test has let it; notes who asked for how many. */
    private static final class HeldVerifier implements SignatureVerifier {
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

    @BeforeEach
    void open() throws Exception {
        genesis = TestGenesis.write(directory);
        broker = new TestBroker(
                TestGenesis.CHAIN_ID, 1, 0, KeyFile.readSigner(directory.resolve("broker1/broker.key")), List.of());
        state = new NodeState(genesis.digest());
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        payloadLog = PayloadLog.open(FileStorage.open(directory.resolve("payload-log")), Durability.PROCESS);
        verifier = new HeldVerifier();
    }

    private void start(int laneCount, BatchPreference batches) {
        NodeMetrics metrics = new NodeMetrics(new SimpleMeterRegistry(), state);
        ingress = new RingIngress(
                new IngressContext(
                        0,
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
                        failures::add),
                new Stages(),
                new Admission(
                        new AdmissionContext(0, 1_000_000, state, new EventRecorder(metrics)),
                        store,
                        payloadLog,
                        sessions,
                        new Equivocations(sessions, evidence, id -> Optional.empty(), new EventRecorder(metrics)),
                        new Taken()));
        ingress.start();
    }

    @AfterEach
    void close() {
        verifier.isHeld.countDown();
        ingress.close();
        payloadLog.close();
        evidence.close();
        verifier.close();
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldCollectForADeviceWhatLanesDecode(int laneCount) throws Exception {
        start(laneCount, DEVICE);

        submitHeldBack();

        // The first batch came alone and did not wait; the others came while it was verified, and the lanes may still
        // be decoding the last of them when it ends.
        assertThat(verifier.sizes.peek()).isEqualTo(1);
        assertThat(verifier.sizes).anyMatch(size -> size >= DEVICE.least());
        assertThat(verifier.sizes.stream().mapToInt(size -> size).sum()).isEqualTo(BATCHES);
        assertThat(verifier.callers).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldVerifyInEveryLaneOnCores(int laneCount) throws Exception {
        start(laneCount, BatchPreference.perCore(16, 32));

        submitHeldBack();

        assertThat(verifier.callers).hasSize(laneCount);
        assertThat(verifier.sizes).allMatch(size -> size <= 32).contains(32);
        assertThat(verifier.sizes.stream().mapToInt(size -> size).sum()).isEqualTo(BATCHES);
    }

    @Test
    void shouldVerifyEachAloneWhereTheExperimentAsksForIt() throws Exception {
        start(2, DEVICE.atMost(1));

        submitHeldBack();

        assertThat(verifier.sizes).hasSize(BATCHES).containsOnly(1);
    }

    /** A slot that waits for its signature holds back those after it, whichever lane has verified them. */
    @Test
    void shouldAdmitNothingBeforeItIsVerified() throws Exception {
        start(4, BatchPreference.perCore(16, 32));
        assertThat(offer(0)).isTrue();
        verifier.isAsked.await();
        for (int i = 1; i < 200; i++) {
            assertThat(offer(i)).isTrue();
        }

        assertThat(answers.poll(200, TimeUnit.MILLISECONDS)).isNull();
        assertThat(ingress.depth()).isEqualTo(200);
    }

    /** Offers one batch, and the others while it is verified; then checks every verdict and its place. */
    private void submitHeldBack() throws InterruptedException {
        assertThat(offer(0)).isTrue();
        verifier.isAsked.await();
        for (int i = 1; i < BATCHES; i++) {
            assertThat(offer(i)).isTrue();
        }
        verifier.isHeld.countDown();

        List<Answer> given = new ArrayList<>();
        while (given.size() < BATCHES) {
            given.add(answers.take());
        }
        for (int i = 0; i < BATCHES; i++) {
            assertThat(given.get(i))
                    .isEqualTo(new Answer(i, isForged(i) ? SubmitStatus.REFUSED : SubmitStatus.ACCEPTED));
        }
    }

    private static boolean isForged(int index) {
        return index % FORGED_EVERY == FORGED_EVERY - 1;
    }

    private boolean offer(int index) {
        byte[] batch = broker.batch(1);
        if (isForged(index)) {
            batch[batch.length - 3] ^= 1;
        }
        return ingress.offer(new Broker(), index, batch, null);
    }

    private final class Broker implements BatchSource {
        @Override
        public int peer() {
            return BROKER;
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
                    new BatchDecoder(genesis.genesis(), new BrokerRegistry(genesis.genesis()), headers -> {}),
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
            assertThat(admitted).contains(payload);
        }

        @Override
        public void onEquivocation(Equivocation evidence, List<Digest> waiting) {
            throw new AssertionError("no number has two batches");
        }
    }
}
