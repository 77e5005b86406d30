package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SetLimits;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a node refuses to brokers by its present terms, and takes from members all the same. */
class DoorTest {
    private static final int PEER = 2;
    private static final int BROKER = TestMembers.BROKER;
    private static final int ACCOUNT = TestMembers.ACCOUNT;
    private static final int PROPOSER = 1;

    private final TestMembers members = new TestMembers();
    private final Genesis genesis = members.genesis();
    private final BrokerRegistry registry = new BrokerRegistry(members.after());
    private final Sessions sessions = new Sessions();
    private final PayloadStore payloads = new PayloadStore(1 << 20, 4, 0);
    private final DecodeStage door =
            new DecodeStage(new BatchDecoder(genesis, registry, count -> {}), payloads, sessions);
    private final SignatureStage signatures =
            new SignatureStage(1, SignatureProviders.named(BouncyCastleProvider.NAME));

    @Test
    void shouldJudgeOrdersOfBrokersByTheTerms() {
        assertThat(refusal(order(1, ACCOUNT, 1, 100, 50), BatchSource.BROKER)).isNull();
        assertThat(refusal(order(1, ACCOUNT, 2, 100, 50), BatchSource.BROKER))
                .isEqualTo(RefusalReason.UNKNOWN_INSTRUMENT);
        assertThat(refusal(order(1, 11, 1, 100, 50), BatchSource.BROKER)).isEqualTo(RefusalReason.INVALID_ACCOUNT);
        assertThat(refusal(order(1, ACCOUNT, 1, 101, 50), BatchSource.BROKER)).isEqualTo(RefusalReason.INVALID_PRICE);
        assertThat(refusal(order(1, ACCOUNT, 1, 100, 51), BatchSource.BROKER))
                .isEqualTo(RefusalReason.INVALID_QUANTITY);
    }

    /** The member may be further along the chain, where the terms are others. */
    @Test
    void shouldTakeFromPeersWhatDependsOnTheTerms() {
        assertThat(refusal(order(1, ACCOUNT, 2, 100, 50), PEER)).isNull();
        assertThat(refusal(order(1, 11, 1, 100, 50), PEER)).isNull();
        assertThat(refusal(order(1, ACCOUNT, 1, 101, 50), PEER)).isNull();
        assertThat(refusal(order(1, ACCOUNT, 1, 100, 51), PEER)).isNull();
    }

    @Test
    void shouldJudgeTheStructureOfPeersBatches() {
        byte[] batch = order(1, ACCOUNT, 1, 100, 50);
        batch[SignedBatch.ORDERS_OFFSET + 40] = 'X';

        assertThat(refusal(batch, PEER)).isEqualTo(RefusalReason.MALFORMED);
        assertThat(refusal(batch, PEER)).isEqualTo(RefusalReason.MALFORMED);
    }

    @Test
    void shouldJudgeByTheTermsOfTheMoment() {
        byte[] batch = order(1, ACCOUNT, 1, 100, 50);
        assertThat(refusal(batch, BatchSource.BROKER)).isNull();

        registry.become(members.after(limits(99)));
        assertThat(refusal(batch, BatchSource.BROKER)).isEqualTo(RefusalReason.INVALID_PRICE);

        registry.become(members.after(limits(99), limits(100)));
        assertThat(refusal(batch, BatchSource.BROKER)).isNull();
    }

    /** They come while brokers trade: a refusal here would end their sessions. */
    @Test
    void shouldLeaveHaltsAndSuspensionsToTheEngine() {
        byte[] batch = order(1, ACCOUNT, 1, 100, 50);

        registry.become(members.after(TestMembers.status(BrokerStatus.BROKER_SUSPENDED)));
        assertThat(refusal(batch, BatchSource.BROKER)).isNull();
        registry.become(members.after(TestMembers.status(InstrumentStatus.INSTRUMENT_HALTED)));
        assertThat(refusal(batch, BatchSource.BROKER)).isNull();
    }

    @Test
    void shouldTakeNothingOfARemovedBroker() {
        registry.become(members.after(TestMembers.status(BrokerStatus.BROKER_REMOVED)));

        assertThat(refusal(cancel(), BatchSource.BROKER)).isEqualTo(RefusalReason.REMOVED_BROKER);
        assertThat(judged(cancel(), BatchSource.BROKER).detail).isEqualTo("broker 1 was removed");
        assertThat(refusal(cancel(), PEER)).isNull();
    }

    @Test
    void shouldKnowKeysThatWereAddedAndRefuseThoseThatWereRevoked() {
        byte[] old = order(1, ACCOUNT, 1, 100, 50);
        byte[] fresh = inSession(genesis.getParameters().getSessionsPerKey(), order(2, ACCOUNT, 1, 100, 50));
        Change added = TestMembers.addKey(2, Signers.generate(SignatureScheme.SM2_SM3));
        assertThat(refusal(fresh, BatchSource.BROKER)).isEqualTo(RefusalReason.UNKNOWN_KEY);

        registry.become(members.after(added));
        assertThat(refusal(old, BatchSource.BROKER)).isNull();
        assertThat(refusal(fresh, BatchSource.BROKER)).isNull();

        registry.become(members.after(added, TestMembers.revokeKey(1)));
        assertThat(refusal(old, BatchSource.BROKER)).isEqualTo(RefusalReason.UNKNOWN_KEY);
        assertThat(judged(old, BatchSource.BROKER).detail).isEqualTo("key 1 of broker 1 was revoked at block 2");
        assertThat(refusal(old, PEER)).as("a block before may hold it").isNull();
        assertThat(refusal(fresh, BatchSource.BROKER)).isNull();
    }

    /** The thief of a key and a faulty member would suspend the sessions of the next one, after the theft is known. */
    @Test
    void shouldTakeNothingOfARevokedKeyInSessionsOfTheNextOne() {
        registry.become(members.after(
                TestMembers.addKey(2, Signers.generate(SignatureScheme.SM2_SM3)), TestMembers.revokeKey(1)));
        int ofNextKey = genesis.getParameters().getSessionsPerKey();

        IngressSlot stolen = judged(inSession(ofNextKey, order(1, ACCOUNT, 1, 100, 50)), PEER);

        assertThat(stolen.refusal).isEqualTo(RefusalReason.UNKNOWN_SESSION);
        assertThat(stolen.detail).isEqualTo("session 8, key 1 signs in sessions 0..7");
        assertThat(refusal(inSession(ofNextKey, order(2, ACCOUNT, 1, 100, 50)), PEER))
                .isNull();
        assertThat(refusal(inSession(0, order(2, ACCOUNT, 1, 100, 50)), BatchSource.BROKER))
                .isEqualTo(RefusalReason.UNKNOWN_SESSION);
    }

    @Test
    void shouldNoteThatTheKeyOfABatchMayComeWithTheNextBlock() {
        byte[] ofNextKey = inSession(genesis.getParameters().getSessionsPerKey(), order(2, ACCOUNT, 1, 100, 50));
        assertThat(judged(ofNextKey, PEER).isEarly).isTrue();
        byte[] ofOther = order(1, ACCOUNT, 1, 100, 50);
        ofOther[72] = 77;
        assertThat(judged(ofOther, PEER).isEarly).isTrue();
        byte[] malformed = order(1, ACCOUNT, 1, 100, 50);
        malformed[SignedBatch.ORDERS_OFFSET + 40] = 'X';
        assertThat(judged(malformed, PEER).isEarly).isFalse();
    }

    @Test
    void shouldTakeTransactionsThatAQuorumApproves() {
        byte[] approved = transaction(members.transaction(1, limits(99), 0, 1, 3));

        assertThat(judged(approved, BatchSource.BROKER).detail).isNull();
        assertThat(judged(approved, PEER).detail).isNull();
        IngressSlot slot = judged(approved, PEER);
        assertThat(slot.sessionKey).isEqualTo(SessionKey.of(SessionKey.ADMINISTRATION, PROPOSER));
        assertThat(slot.batchLength).isEqualTo(approved.length - SignedBatch.SIGNATURE_LENGTH);
        assertThat(slot.key).isEqualTo(members.node(PROPOSER).verificationKey());
        assertThat(members.after()
                        .apply(members.transaction(9, limits(1), 0, 1, 3), 1)
                        .isExecuted())
                .isFalse();
        assertThat(refusal(transaction(members.transaction(9, limits(1), 0, 1, 3)), PEER))
                .as("its number is judged at the block")
                .isNull();
    }

    @Test
    void shouldRefuseTransactionsThatNoQuorumApproves() {
        for (int from : new int[] {BatchSource.BROKER, PEER}) {
            IngressSlot few = judged(transaction(members.transaction(1, limits(99), 0, 1)), from);
            assertThat(few.refusal).isEqualTo(RefusalReason.INVALID_TRANSACTION);
            assertThat(few.detail).contains("[0, 1]").contains("3");
            byte[] forged = members.transaction(1, limits(99), 0, 1, 3);
            forged[forged.length / 2] ^= 1;
            assertThat(refusal(transaction(forged), from)).isEqualTo(RefusalReason.INVALID_TRANSACTION);
            assertThat(refusal(transaction(members.transaction(8, 1, limits(99), 0, 1, 3)), from))
                    .as("of another chain")
                    .isEqualTo(RefusalReason.INVALID_TRANSACTION);
            assertThat(refusal(transaction(new byte[] {1}), from)).isEqualTo(RefusalReason.INVALID_TRANSACTION);
        }
    }

    /** Else each caller could make the node verify the signatures of many approvals. */
    @Test
    void shouldJudgeTheSignatureOfTheProposerBeforeApprovals() {
        byte[] unapproved = transaction(members.transaction(1, limits(99), 0, 1));
        unapproved[unapproved.length - 20] ^= 1;

        assertThat(refusal(unapproved, BatchSource.BROKER)).isEqualTo(RefusalReason.BAD_SIGNATURE);
    }

    @Test
    void shouldRefuseAdministrativeBatchesOfAnotherForm() {
        byte[] sound = transaction(members.transaction(1, limits(99), 0, 1, 3));

        assertThat(refusal(bent(sound, 78, 4), PEER)).isEqualTo(RefusalReason.UNKNOWN_SESSION);
        assertThat(refusal(bent(sound, 76, 1), PEER)).isEqualTo(RefusalReason.UNKNOWN_KEY);
        assertThat(refusal(bent(sound, 80, 2), PEER)).isEqualTo(RefusalReason.UNKNOWN_KEY);
        assertThat(refusal(bent(sound, 81, 1), PEER)).isEqualTo(RefusalReason.MALFORMED);
        assertThat(refusal(bent(sound, 72, 1), PEER)).isEqualTo(RefusalReason.MALFORMED);
        assertThat(refusal(bent(sound, 86, 1), PEER)).isEqualTo(RefusalReason.MALFORMED);
        assertThat(refusal(bent(sound, 84, sound[84] + 1), PEER)).isEqualTo(RefusalReason.MALFORMED);
        assertThat(refusal(bent(sound, 8, 1), PEER)).isEqualTo(RefusalReason.WRONG_CHAIN);
        assertThat(refusal(bent(sound, 16, 0), PEER)).isEqualTo(RefusalReason.MALFORMED);
    }

    private static byte[] bent(byte[] batch, int offset, int value) {
        byte[] other = batch.clone();
        other[offset] = (byte) value;
        return other;
    }

    private byte[] transaction(byte[] transaction) {
        return members.batch(BatchPosition.first(PROPOSER), transaction);
    }

    private static Change limits(long priceMax) {
        return Change.newBuilder()
                .setSetLimits(SetLimits.newBuilder()
                        .setInstrumentId(TestMembers.INSTRUMENT)
                        .setPriceMin(1)
                        .setPriceMax(priceMax)
                        .setQuantityMax(50))
                .build();
    }

    /** A broker that lost the answer sends the batch again. */
    @Test
    void shouldNotRefuseForNewTermsWhatWasTakenBefore() {
        byte[] batch = order(1, ACCOUNT, 2, 100, 50);
        sessions.delivered(SessionKey.of(BROKER, 0), 1, BatchId.of(batch));
        assertThat(refusal(batch, BatchSource.BROKER)).isNull();

        byte[] other = order(1, ACCOUNT, 2, 99, 50);
        assertThat(refusal(other, BatchSource.BROKER)).isEqualTo(RefusalReason.UNKNOWN_INSTRUMENT);
    }

    @Test
    void shouldRefuseWhatABrokerSendsFasterThanItsRate() {
        registry.become(members.after(TestMembers.rates(10, 0)));
        for (int i = 0; i < 10; i++) {
            take(order(1, ACCOUNT, 1, 100, 1 + i), i % 2 == 0 ? BatchSource.BROKER : PEER, 0);
        }

        IngressSlot refused = judged(order(1, ACCOUNT, 1, 100, 50), BatchSource.BROKER);
        assertThat(refused.refusal).isEqualTo(RefusalReason.RATE_QUOTA);
        assertThat(refused.detail).isEqualTo("broker 1 sends faster than 10 orders per second");
        assertThat(refused.retryAfterMs).isEqualTo(100);
        assertThat(judgedAt(order(1, ACCOUNT, 1, 100, 50), 99_999_999).retryAfterMs)
                .isEqualTo(1);
        assertThat(judgedAt(order(1, ACCOUNT, 1, 100, 50), 100_000_000).refusal).isNull();
        assertThat(refusal(order(1, ACCOUNT, 1, 100, 50), PEER))
                .as("another member took it")
                .isNull();
        assertThat(refusal(cancel(), BatchSource.BROKER)).isNull();
        assertThat(refusal(order(1, ACCOUNT, 2, 100, 50), BatchSource.BROKER))
                .as("what waiting does not mend")
                .isEqualTo(RefusalReason.UNKNOWN_INSTRUMENT);
    }

    /** The lane withdraws only what the rate alone speaks against. */
    @Test
    void shouldNotRefuseForItsRateWhatIsTakenOrNamed() {
        byte[] taken = order(1, ACCOUNT, 1, 100, 50);
        byte[] named = order(1, ACCOUNT, 1, 99, 50);
        registry.become(members.after(TestMembers.rates(0, 100)));
        take(order(1, ACCOUNT, 1, 100, 1), BatchSource.BROKER, 0);
        assertThat(refusal(taken, BatchSource.BROKER)).isEqualTo(RefusalReason.RATE_QUOTA);
        assertThat(refusal(named, BatchSource.BROKER)).isEqualTo(RefusalReason.RATE_QUOTA);

        sessions.delivered(SessionKey.of(BROKER, 0), 1, BatchId.of(taken));
        payloads.want(List.of(BatchId.of(named)));

        IngressSlot again = judged(taken, BatchSource.BROKER);
        assertThat(again.refusal).isNull();
        assertThat(again.retryAfterMs).isZero();
        assertThat(refusal(named, BatchSource.BROKER)).isNull();
    }

    @Test
    void shouldGoOnWithWhatWasUsedUnderAnotherRate() {
        registry.become(members.after(TestMembers.rates(1, 0)));
        take(order(1, ACCOUNT, 1, 100, 1), BatchSource.BROKER, 0);
        assertThat(refusal(order(1, ACCOUNT, 1, 100, 2), BatchSource.BROKER)).isEqualTo(RefusalReason.RATE_QUOTA);

        registry.become(members.after(TestMembers.rates(1, 0), TestMembers.rates(2, 0)));
        assertThat(judged(order(1, ACCOUNT, 1, 100, 2), BatchSource.BROKER).retryAfterMs)
                .isEqualTo(500);
        registry.become(members.after(TestMembers.rates(1, 0), TestMembers.rates(2, 0), TestMembers.rates(0, 0)));
        assertThat(refusal(order(1, ACCOUNT, 1, 100, 2), BatchSource.BROKER)).isNull();
    }

    private void take(byte[] batch, int from, long atNs) {
        IngressSlot slot = judged(batch, from);
        assertThat(slot.detail).isNull();
        slot.receivedNanos = atNs;
        slot.rate.charge(slot);
    }

    private IngressSlot judgedAt(byte[] batch, long atNs) {
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(new Source(BatchSource.BROKER), 1, batch, null, atNs));
        door.decode(slot);
        return slot;
    }

    private RefusalReason refusal(byte[] batch, int from) {
        return judged(batch, from).refusal;
    }

    private IngressSlot judged(byte[] batch, int from) {
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(new Source(from), 1, batch, null, 0));
        door.decode(slot);
        if (SessionKey.isAdministration(slot.sessionKey)) {
            signatures.add(slot);
            signatures.verify();
        }
        return slot;
    }

    private byte[] cancel() {
        byte[] batch = order(1, ACCOUNT, 1, 0, 0);
        batch[SignedBatch.ORDERS_OFFSET + 40] = Action.CANCEL.value();
        return batch;
    }

    private byte[] order(int keyId, int account, int instrument, long price, long quantity) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        BatchPosition position = BatchPosition.first(0);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .chainId(genesis.getChainId())
                .number(position.number())
                .brokerId(BROKER)
                .keyId(keyId)
                .session(position.session())
                .scheme(Scheme.SM2_SM3)
                .ordersCount(1)
                .next()
                .accountId(account)
                .instrumentId(instrument)
                .price(price)
                .quantity(quantity)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY);
        return signed;
    }

    private static byte[] inSession(int session, byte[] batch) {
        new OrderBatchEncoder()
                .wrap(new UnsafeBuffer(batch), SignedBatch.MESSAGE_HEADER_LENGTH)
                .session(session);
        return batch;
    }

    private record Source(int peer) implements BatchSource {
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            // Only the slot is looked at.
        }

        @Override
        public void onVerdictsEnd() {
            // Only the slot is looked at.
        }
    }
}
