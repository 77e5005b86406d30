package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
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
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member shows two batches that exclude each other to a node that has blocks with the session's numbers already, and
 * can read neither batch: the block is too old, or the session was restored from its head. Batches 1 to 10 are
 * delivered.
 */
class ShownEvidenceTest {
    private static final int PEER = 2;
    private static final int LIAR = 3;
    private static final int DELIVERED = 10;
    private static final int SESSION = 7;
    private static final long KEY = SessionKey.of(TestMembers.BROKER, SESSION);
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir
    private Path directory;

    private final TestMembers members = new TestMembers();
    private final CountingVerifier verifier = new CountingVerifier();
    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);
    private final Sessions sessions = new Sessions();
    private final List<Equivocation> found = new ArrayList<>();
    /** Batches 1 to 11 of the chain. */
    private final List<byte[]> chain = new ArrayList<>();

    private final DecodeStage decoding = new DecodeStage(
            new BatchDecoder(members.genesis(), new BrokerRegistry(members.after()), count -> {}), store, sessions);
    private final SignatureStage signatures = new SignatureStage(1, verifier);
    private EvidenceStore evidence;
    private PayloadLog log;
    private Admission admission;
    private long nowNs;

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
                new Equivocations(sessions, evidence, id -> Optional.empty(), verifier, new NoEvents()),
                new Found());
        Digest previous = Digest.ZERO;
        for (int number = 1; number <= DELIVERED + 1; number++) {
            chain.add(batch(number, previous, 1));
            previous = id(number);
        }
    }

    @AfterEach
    void close() {
        log.close();
        evidence.close();
    }

    @Test
    void shouldFindEvidenceOfABlockThatCannotBeRead() {
        deliver();

        show(PEER, version(3), batchOf(3));

        assertThat(found).extracting(Equivocation::number).containsExactly(3L);
        assertThat(sessions.isSuspended(KEY)).isTrue();
        assertThat(evidence.sessions()).containsExactly(KEY);
    }

    @Test
    void shouldFindEvidenceBelowTheHeadOfARestoredSession() {
        sessions.restore(KEY, DELIVERED, id(DELIVERED));

        show(PEER, batchOf(3), version(3));

        assertThat(found).extracting(Equivocation::number).containsExactly(3L);
        assertThat(evidence.read(KEY)).hasValueSatisfying(kept -> {
            assertThat(kept.first()).isEqualTo(batchOf(3));
            assertThat(kept.second()).isEqualTo(version(3));
        });
    }

    /** The second version names another batch before it, and no number has two batches. */
    @Test
    void shouldFindAForkAtTheHeadOfARestoredSession() {
        sessions.restore(KEY, DELIVERED, id(DELIVERED));
        byte[] fork = batch(DELIVERED + 1, BatchId.of(version(DELIVERED)), 1);

        show(PEER, fork, batchOf(DELIVERED));

        assertThat(found).extracting(Equivocation::number).containsExactly((long) DELIVERED);
    }

    @Test
    void shouldCompareWhatEachMemberShowsForItself() {
        sessions.restore(KEY, DELIVERED, id(DELIVERED));

        show(PEER, batchOf(3));
        show(LIAR, version(3));

        assertThat(sessions.isSuspended(KEY)).isFalse();
    }

    /** They come whenever a member is asked twice: their signatures cost nothing. */
    @Test
    void shouldVerifyNoLateCopiesOfOneChain() {
        deliver();

        show(PEER, batchOf(3), batchOf(4), batchOf(3), batchOf(3), batchOf(10));

        assertThat(verifier.verified).isZero();
        assertThat(sessions.isSuspended(KEY)).isFalse();
    }

    /** No honest member has a batch whose signature is bad: what a liar shows is looked at once per second. */
    @Test
    void shouldKeepNoForgedBatchAsEvidence() {
        sessions.restore(KEY, DELIVERED, id(DELIVERED));

        for (int i = 0; i < 10; i++) {
            show(LIAR, batchOf(3), forged(version(3)), forged(version(4)), batchOf(4));
        }
        assertThat(sessions.isSuspended(KEY)).isFalse();
        assertThat(verifier.verified).isEqualTo(2);

        nowNs += SECOND_NS;
        show(LIAR, batchOf(3), forged(version(3)));
        assertThat(sessions.isSuspended(KEY)).isFalse();

        show(PEER, batchOf(3), version(3));
        assertThat(sessions.isSuspended(KEY)).as("a liar harms no other").isTrue();
    }

    @Test
    void shouldFindWhatAMemberShowsASecondAfterABadSignature() {
        sessions.restore(KEY, DELIVERED, id(DELIVERED));
        show(LIAR, batchOf(3), forged(version(3)));

        nowNs += SECOND_NS;
        show(LIAR, batchOf(3), version(3));

        assertThat(sessions.isSuspended(KEY)).isTrue();
    }

    private void deliver() {
        for (int number = 1; number <= DELIVERED; number++) {
            sessions.delivered(KEY, number, id(number));
        }
    }

    private void show(int peer, byte[]... batches) {
        for (byte[] batch : batches) {
            IngressSlot slot = new IngressSlot();
            slot.fill(new ArrivedBatch(new Source(peer), 0, batch, BatchId.of(batch), nowNs));
            decoding.decode(slot);
            signatures.add(slot);
            signatures.verify();
            admission.decide(slot, true, 1);
        }
    }

    private Digest id(int number) {
        return BatchId.of(batchOf(number));
    }

    private byte[] batchOf(int number) {
        return chain.get(number - 1);
    }

    /** Returns another batch that the broker signed under a number, after the same one. */
    private byte[] version(int number) {
        return batch(number, id(number - 1), 2);
    }

    private static byte[] forged(byte[] batch) {
        byte[] forged = batch.clone();
        forged[forged.length - 20] ^= 1;
        return forged;
    }

    private byte[] batch(int number, Digest previous, long quantity) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .chainId(members.genesis().getChainId())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .validUntilBlock(100)
                .brokerId(TestMembers.BROKER)
                .keyId(1)
                .session(SESSION)
                .scheme(Scheme.SM2_SM3)
                .ordersCount(1)
                .next()
                .accountId(TestMembers.ACCOUNT)
                .instrumentId(TestMembers.INSTRUMENT)
                .price(50)
                .quantity(quantity)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY);
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, members.genesis().getChainId(), BatchId.of(signed));
        members.broker().sign(region, 0, region.length, signed, SignedBatch.batchLength(1));
        return signed;
    }

    private static final class CountingVerifier implements SignatureVerifier {
        private final SignatureVerifier verifier = SignatureProviders.named(BouncyCastleProvider.NAME);
        private int verified;

        @Override
        public String provider() {
            return verifier.provider();
        }

        @Override
        public int verify(SignatureBatch batch) {
            verified += batch.size();
            return verifier.verify(batch);
        }

        @Override
        public void close() {
            verifier.close();
        }
    }

    private final class Found implements AdmittedBatches {
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

    private record Source(int peer) implements BatchSource {
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            // No caller waits for it.
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
