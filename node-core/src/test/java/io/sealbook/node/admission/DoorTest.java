package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a node refuses to brokers by its present terms, and takes from members all the same. */
class DoorTest {
    private static final int PEER = 2;
    private static final int BROKER = 1;
    private static final int ACCOUNT = 10;

    private final Signer signer = Signers.generate(SignatureScheme.SM2_SM3);
    private final Genesis genesis = GenesisFile.withDefaults(Genesis.newBuilder()
            .setChainId(9)
            .addBrokers(Broker.newBuilder()
                    .setBrokerId(BROKER)
                    .addAccounts(AccountRange.newBuilder().setFirst(ACCOUNT))
                    .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(key(signer))))
            .addInstruments(Instrument.newBuilder()
                    .setInstrumentId(1)
                    .setPriceMin(1)
                    .setPriceMax(100)
                    .setQuantityMax(50))
            .build());
    private final BrokerRegistry registry = new BrokerRegistry(genesis);
    private final Sessions sessions = new Sessions();
    private final DecodeStage door = new DecodeStage(
            new BatchDecoder(genesis, registry, count -> {}), new PayloadStore(1 << 20, 4, 0), sessions);

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
        byte[] batch = order(1, ACCOUNT, 2, 3, 50);
        assertThat(refusal(batch, BatchSource.BROKER)).isEqualTo(RefusalReason.UNKNOWN_INSTRUMENT);

        registry.become(genesis.toBuilder()
                .addInstruments(genesis.getInstruments(0).toBuilder().setInstrumentId(2))
                .build());
        assertThat(refusal(batch, BatchSource.BROKER)).isNull();

        Genesis.Builder narrow = genesis.toBuilder();
        narrow.addInstruments(
                genesis.getInstruments(0).toBuilder().setInstrumentId(2).setPriceMax(2));
        registry.become(narrow.build());
        assertThat(refusal(batch, BatchSource.BROKER)).isEqualTo(RefusalReason.INVALID_PRICE);
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

    private RefusalReason refusal(byte[] batch, int from) {
        return judged(batch, from).refusal;
    }

    private IngressSlot judged(byte[] batch, int from) {
        IngressSlot slot = new IngressSlot();
        slot.fill(new Source(from), 1, batch, null, 0);
        door.decode(slot);
        return slot;
    }

    private static PublicKey key(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
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
