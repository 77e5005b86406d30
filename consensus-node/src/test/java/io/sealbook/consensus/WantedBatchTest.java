package io.sealbook.consensus;

import static io.sealbook.protocol.v1.RefusalReason.BAD_SIGNATURE;
import static io.sealbook.protocol.v1.SubmitStatus.ACCEPTED;
import static io.sealbook.protocol.v1.SubmitStatus.ALREADY_KNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.config.IngressConfig;
import io.sealbook.consensus.config.RingWait;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.ingress.RingIngress;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.KeyFile;
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
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What agreement asks for is taken, whatever the rules of admission say of it, and never without its broker's
 * signature.
 */
@Timeout(300)
class WantedBatchTest {
    private static final int PEER = 2;
    private static final int LAST_BLOCK = 500;

    @TempDir
    private Path directory;

    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);
    private final Sessions sessions = new Sessions();
    private EvidenceStore evidence;
    private final BlockingQueue<Payload> admitted = new LinkedBlockingQueue<>();
    private final BlockingQueue<Verdict> verdicts = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private SignatureVerifier verifier;
    private PayloadLog payloadLog;
    private Ingress ingress;
    private TestBroker broker;

    @BeforeEach
    void open() throws Exception {
        GenesisFile genesis = TestGenesis.write(directory);
        broker = new TestBroker(
                TestGenesis.CHAIN_ID, 1, 0, KeyFile.readSigner(directory.resolve("broker1/broker.key")), List.of());
        NodeState state = new NodeState(genesis.digest());
        state.lastBlock(new NodeState.LastBlock(LAST_BLOCK, 0, genesis.digest(), Digest.ZERO, 0));
        verifier = SignatureProviders.named("bc");
        NodeMetrics metrics = new NodeMetrics(new SimpleMeterRegistry(), state);
        BatchDecoder decoder = new BatchDecoder(
                genesis.genesis(), new BrokerRegistry(Membership.of(genesis.genesis())), metrics::decoded);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        payloadLog = PayloadLog.open(FileStorage.open(directory.resolve("payload-log")), Durability.PROCESS);
        ingress = new RingIngress(
                new IngressContext(
                        0,
                        4,
                        new IngressConfig(VerifierSettings.named("bc"), 1, 0, 64, RingWait.BLOCKING, 16, 1 << 20),
                        verifier.preferredBatch(),
                        metrics,
                        failures::add),
                new TestStages(new DecodeStage(decoder, store, sessions), verifier),
                new Admission(
                        new AdmissionContext(
                                0,
                                genesis.genesis().getParameters().getValidityBlocksMax(),
                                state,
                                member -> 0,
                                new EventRecorder(metrics),
                                early -> {},
                                (crowded, peer) -> {}),
                        store,
                        payloadLog,
                        sessions,
                        new Equivocations(
                                sessions, evidence, id -> Optional.empty(), verifier, new EventRecorder(metrics)),
                        new Taken()));
        ingress.start();
    }

    @AfterEach
    void close() {
        ingress.close();
        payloadLog.close();
        evidence.close();
        verifier.close();
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldTakeABatchWhoseValidityHasEnded() throws Exception {
        byte[] expired = broker.batch(fields -> fields.validUntilBlock = LAST_BLOCK);

        assertThat(verdictOf(expired).status()).isEqualTo(ACCEPTED);
        assertThat(admitted).extracting(Payload::batchId).containsExactly(idOf(expired));
        assertThat(store.get(idOf(expired)).signedBatch()).isEqualTo(expired);
    }

    @Test
    void shouldTakeABatchThatStandsInABlock() throws Exception {
        byte[] committed = committed();
        assertThat(verdictOf(committed).status()).isEqualTo(ALREADY_KNOWN);
        assertThat(admitted).isEmpty();

        store.want(List.of(idOf(committed)));

        assertThat(verdictOf(committed).status()).isEqualTo(ACCEPTED);
        assertThat(admitted).hasSize(1);
    }

    @Test
    void shouldTakeASecondBatchOfANumber() throws Exception {
        byte[] first = broker.batch(fields -> fields.position = BatchPosition.first(9));
        byte[] second = broker.batch(fields -> fields.position = BatchPosition.first(9));
        assertThat(verdictOf(first).status()).isEqualTo(ACCEPTED);

        store.want(List.of(idOf(second)));

        assertThat(verdictOf(second).status()).isEqualTo(ACCEPTED);
    }

    @Test
    void shouldTakeNothingWithoutItsBrokersSignature() throws Exception {
        byte[] forged = broker.batch(1);
        forged[forged.length - 3] ^= 1;
        byte[] forgedCopy = committed();
        forgedCopy[forgedCopy.length - 3] ^= 1;

        store.want(List.of(idOf(forged), idOf(forgedCopy)));

        assertThat(verdictOf(forged).reason()).isEqualTo(BAD_SIGNATURE);
        assertThat(verdictOf(forgedCopy).reason()).isEqualTo(BAD_SIGNATURE);
        assertThat(store.count()).isZero();
        assertThat(admitted).isEmpty();
    }

    private byte[] committed() {
        byte[] batch = broker.batch(1);
        sessions.delivered(new BatchView().wrap(batch).sessionKey(), 1, idOf(batch));
        return batch;
    }

    private Verdict verdictOf(byte[] batch) throws InterruptedException {
        BatchSource peer = new BatchSource() {
            @Override
            public int peer() {
                return PEER;
            }

            @Override
            public void onVerdict(long correlationId, Verdict verdict) {
                verdicts.add(verdict);
            }

            @Override
            public void onVerdictsEnd() {
                // The test takes each verdict when it comes.
            }
        };
        assertThat(ingress.offer(peer, 0, batch, idOf(batch))).isTrue();
        return verdicts.take();
    }

    private final class Taken implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            throw new AssertionError("no broker sent " + payload);
        }

        @Override
        public void onDurable(Payload payload) {
            admitted.add(payload);
        }

        @Override
        public void onEquivocation(Equivocation evidence) {
            throw new AssertionError("the batch that was held is not here any more");
        }
    }

    private static Digest idOf(byte[] batch) {
        return Digest.sha256(Arrays.copyOf(batch, batch.length - SignedBatch.SIGNATURE_LENGTH));
    }
}
