package io.sealbook.matching.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import io.sealbook.matching.MarketConfig;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetAccounts;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.protocol.v1.SetLimits;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.protocol.v1.SetQuota;
import io.sealbook.protocol.v1.SetRates;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction that the membership executes leads to a market that an engine takes. An engine that refused it would
 * end there, at every start.
 */
class AcceptedTermsTest {
    private static final long CHAIN_ID = 77;
    private static final int ROUNDS = 500;
    private static final List<SigningKey> IDENTITIES = List.of(key(), key(), key(), key());
    private static final List<PublicKey> KEYS = List.of(publicKey(key()), publicKey(key()), publicKey(key()));
    /** Of brokers; the last one is unknown. */
    private static final int[] STATUSES = {
        BrokerStatus.BROKER_ACTIVE_VALUE,
        BrokerStatus.BROKER_SUSPENDED_VALUE,
        BrokerStatus.BROKER_REMOVED_VALUE,
        BrokerStatus.BROKER_REMOVED_VALUE,
        BrokerStatus.BROKER_REMOVED_VALUE,
        3
    };

    private static final int[] COUNTS = {0, Integer.MAX_VALUE, Integer.MIN_VALUE, -1};
    private static final long[] LIMITS = {
        Long.MIN_VALUE, -1, 0, 1, 2, 100, 1 << 26, (1 << 26) + 1, 1L << 40, Long.MAX_VALUE / 1_000, Long.MAX_VALUE
    };

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldExecuteOnlyWhatLeadsToAMarketOfAnEngine(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Membership membership = Membership.of(genesis());
        int executed = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            if (round % 5 == 0) {
                membership = Membership.of(genesis());
            }
            // Changes of one broker after another may lead where no single one does.
            int brokerId = 1 + random.nextInt(3);
            List<Change> changes = IntStream.rangeClosed(0, random.nextInt(4))
                    .mapToObj(i -> change(random, brokerId))
                    .toList();
            Membership.Outcome outcome = membership.apply(transaction(membership.number() + 1, changes), round);
            membership = outcome.membership();
            Genesis terms = membership.terms();
            assertThatCode(() -> MarketConfig.of(terms))
                    .as("seed %s, round %s, after %s", seed, round, changes)
                    .doesNotThrowAnyException();
            executed += outcome.isExecuted() ? 1 : 0;
        }
        assertThat(executed).isGreaterThan(ROUNDS / 20);
    }

    private static Change change(SplittableRandom random, int brokerId) {
        Change.Builder change = Change.newBuilder();
        switch (random.nextInt(12)) {
            case 0 ->
                change.setAddBroker(
                        broker(random.nextInt(30), count(random)).toBuilder().addAccounts(accounts(random)));
            case 1 -> change.setAddKey(AddKey.newBuilder().setBrokerId(brokerId).setKey(brokerKey(random)));
            case 2 ->
                change.setRevokeKey(RevokeKey.newBuilder().setBrokerId(brokerId).setKeyId(1));
            case 3, 4 ->
                change.setSetBrokerStatus(SetBrokerStatus.newBuilder()
                        .setBrokerId(brokerId)
                        .setStatusValue(STATUSES[random.nextInt(STATUSES.length)]));
            case 5 ->
                change.setSetAccounts(
                        SetAccounts.newBuilder().setBrokerId(brokerId).addAccounts(accounts(random)));
            case 6, 7 ->
                change.setSetQuota(SetQuota.newBuilder().setBrokerId(brokerId).setLiveOrderCountMax(count(random)));
            case 8 ->
                change.setSetRates(SetRates.newBuilder()
                        .setBrokerId(brokerId)
                        .setOrdersPerSecondMax(count(random))
                        .setBytesPerSecondMax(count(random)));
            case 9 ->
                change.setAddInstrument(
                        instrument(random.nextInt(20), limit(random, 1), limit(random, 500), limit(random, 100)));
            case 10 ->
                change.setSetLimits(SetLimits.newBuilder()
                        .setInstrumentId(1)
                        .setPriceMin(limit(random, 2))
                        .setPriceMax(limit(random, 700))
                        .setQuantityMax(limit(random, 50)));
            default -> other(change, random);
        }
        return change.build();
    }

    private static void other(Change.Builder change, SplittableRandom random) {
        if (random.nextBoolean()) {
            change.setSetInstrumentStatus(SetInstrumentStatus.newBuilder()
                    .setInstrumentId(1)
                    .setStatusValue(random.nextInt(InstrumentStatus.values().length)));
        } else {
            change.setSetParameters(
                    SetParameters.newBuilder().setBlockMaxBatches(count(random)).setPipelineWindow(count(random)));
        }
    }

    /** Mostly one that fits: a list is executed as a whole or not at all. */
    private static int count(SplittableRandom random) {
        return random.nextInt(3) == 0 ? COUNTS[random.nextInt(COUNTS.length)] : random.nextInt(1, 100);
    }

    private static long limit(SplittableRandom random, long usual) {
        return random.nextInt(6) == 0 ? LIMITS[random.nextInt(LIMITS.length)] : usual;
    }

    private static AccountRange accounts(SplittableRandom random) {
        return AccountRange.newBuilder().setFirst(random.nextInt(10_000)).build();
    }

    private static BrokerKey brokerKey(SplittableRandom random) {
        return BrokerKey.newBuilder()
                .setKeyId(random.nextInt(8) == 0 ? count(random) : random.nextInt(1, 20))
                .setKey(KEYS.get(random.nextInt(KEYS.size())))
                .build();
    }

    private static byte[] transaction(long number, List<Change> changes) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(CHAIN_ID)
                        .setNumber(number)
                        .addAllChanges(changes)
                        .build()
                        .toByteString())
                .build();
        for (int node = 0; node < 3; node++) {
            transaction = ApprovedTerms.approve(transaction, node, Signers.of(IDENTITIES.get(node)));
        }
        return transaction.toByteArray();
    }

    private static Genesis genesis() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < IDENTITIES.size(); i++) {
            nodes.add(Node.newBuilder()
                    .setNodeId(i)
                    .setIdentity(publicKey(IDENTITIES.get(i)))
                    .build());
        }
        return GenesisFile.withDefaults(Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .setParameters(
                        Parameters.newBuilder().setLiveOrderCountMax(1_000).setProtocolVersion(ProtocolVersion.RATES))
                .addAllNodes(nodes)
                .addBrokers(broker(1, 400))
                .addBrokers(broker(2, 400))
                .addInstruments(instrument(1, 1, 100, 100))
                .build());
    }

    private static Broker broker(int brokerId, int quota) {
        return Broker.newBuilder()
                .setBrokerId(brokerId)
                .setLiveOrderCountMax(quota)
                .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(KEYS.get(0)))
                .build();
    }

    private static Instrument instrument(int instrumentId, long priceMin, long priceMax, long quantityMax) {
        return Instrument.newBuilder()
                .setInstrumentId(instrumentId)
                .setSymbol("A")
                .setPriceMin(priceMin)
                .setPriceMax(priceMax)
                .setQuantityMax(quantityMax)
                .build();
    }

    private static SigningKey key() {
        return SigningKey.generate(SignatureScheme.SM2_SM3);
    }

    private static PublicKey publicKey(SigningKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
    }
}
