package io.sealbook.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.SignatureScheme;
import io.sealbook.vocabulary.Digest;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenesisFileTest {
    @Test
    void shouldKeepFairOrderAndSessionsOfAKey() {
        Genesis genesis = validGenesis()
                .setParameters(Parameters.newBuilder().setFairOrder(true).setSessionsPerKey(4))
                .build();

        GenesisFile read = GenesisFile.parse(GenesisFile.toJson(genesis).getBytes(StandardCharsets.UTF_8));

        assertThat(read.genesis().getParameters().getFairOrder()).isTrue();
        assertThat(read.genesis().getParameters().getSessionsPerKey()).isEqualTo(4);
    }

    @Test
    void shouldReadWhatItWroteAndFillInDefaults() {
        Genesis genesis = validGenesis().build();

        GenesisFile file = GenesisFile.parse(bytes(genesis));

        assertThat(file.genesis().getNodesList()).isEqualTo(genesis.getNodesList());
        assertThat(file.genesis().getParameters().getBlockMaxBatches()).isEqualTo(500);
        assertThat(file.genesis().getParameters().getLogWindow()).isEqualTo(128);
    }

    @Test
    void shouldTellFilesApartByTheirDigest() {
        Genesis genesis = validGenesis().build();
        Genesis other = validGenesis()
                .setNodes(2, genesis.getNodes(2).toBuilder().setName("other"))
                .build();
        Genesis withDefault = validGenesis()
                .setParameters(Parameters.newBuilder().setLogWindow(128))
                .build();

        assertThat(List.of(digest(validGenesis().setChainId(8).build()), digest(other), digest(withDefault)))
                .doesNotContain(digest(genesis))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldHaveOneDigestWhateverTheAddresses() {
        Genesis genesis = validGenesis().build();
        Node moved = genesis.getNodes(3).toBuilder()
                .setHost("10.0.0.13")
                .setVotePort(1)
                .setPayloadPort(2)
                .setGatewayPort(3)
                .setEnginePort(4)
                .build();
        Genesis other = genesis.toBuilder().setNodes(3, moved).build();

        assertThat(digest(other)).isEqualTo(digest(genesis));
        assertThat(GenesisFile.parse(bytes(other)).genesis().getNodes(3)).isEqualTo(moved);
        String indented = GenesisFile.toJson(genesis).replace("\n", "\n   ");
        assertThat(GenesisFile.parse(indented.getBytes(StandardCharsets.UTF_8)).digest())
                .isEqualTo(digest(genesis));
    }

    /** The digest was computed by a program of its own that encodes by protocol/doc/genesis-digest.md. */
    @Test
    void shouldHaveTheDigestOfTheExample() throws Exception {
        try (InputStream example = getClass().getResourceAsStream("/genesis/example.json")) {
            assertThat(GenesisFile.parse(example.readAllBytes()).digest().hex())
                    .isEqualTo("1646a3bfca1d93f1e016280f7b20075197e44ab5bf966eba2643cbf094aaf166");
        }
    }

    private static Digest digest(Genesis genesis) {
        return GenesisFile.parse(bytes(genesis)).digest();
    }

    @Test
    void shouldRefuseWhatBreaksARuleAndNameTheFact() {
        assertRefused(validGenesis().setChainId(0), "chainId is 0");
        assertRefused(validGenesis().removeNodes(3), "at least 4 nodes, has 3");
        assertRefused(validGenesis().setNodes(2, node(1)), "nodes[2] has nodeId 1");
        assertRefused(
                validGenesis().setNodes(2, node(1).toBuilder().setNodeId(2)),
                "nodes[2] has the identity key of another node");
        assertRefused(validGenesis().addBrokers(broker(5)).addBrokers(broker(5)), "broker 5 occurs twice");
        assertRefused(validGenesis().addBrokers(Broker.newBuilder().setBrokerId(9)), "broker 9 has no key");
        assertRefused(
                validGenesis().addBrokers(broker(0xFFFFFFFF)),
                "broker 4294967295: this id is that of administrative sessions");
        assertRefused(
                validGenesis()
                        .addInstruments(
                                Instrument.newBuilder().setInstrumentId(3).setPriceMin(0)),
                "instrument 3: prices 0..0");
        assertRefused(
                validGenesis()
                        .setParameters(Parameters.newBuilder()
                                .setCheckpointInterval(100)
                                .setLogWindow(128)),
                "logWindow 128 is below twice checkpointInterval 100");
        assertRefused(
                validGenesis().setParameters(Parameters.newBuilder().setRequestTimeoutMs(9_000)),
                "requestTimeoutMs 9000 exceeds viewChangeTimeoutMaxMs 8000");
        assertRefused(
                validGenesis().setParameters(Parameters.newBuilder().setSessionsPerBroker(1_025)),
                "sessionsPerBroker 1025, expected 1..1024");
        assertRefused(
                validGenesis().setParameters(Parameters.newBuilder().setSessionsPerKey(5)),
                "sessionsPerKey 5 does not divide sessionsPerBroker 16");
        assertRefused(
                validGenesis().setParameters(Parameters.newBuilder().setOrderCountMax(4_000)),
                "orderCountMax 4000 exceeds 1024");
        assertRefused(
                validGenesis().setParameters(Parameters.newBuilder().setOrderCountMax(-1)), "orderCountMax -1 is not");
    }

    /** Engines refuse them, too: a configuration that only engines refuse would end all of them. */
    @Test
    void shouldRefuseInstrumentsThatNoEngineCanHold() {
        assertRefused(
                validGenesis().addInstruments(instrument(7, 1 << 26, 1)),
                "instrument 7: 67108865 admitted prices, at most 67108864");
        assertRefused(
                validGenesis().addInstruments(instrument(7, 100, Long.MAX_VALUE / 100)),
                "instrument 7: priceMax 101 times quantityMax 92233720368547758 exceeds 63 bits");
        assertRefused(
                validGenesis().addInstruments(instrument(7, 1, Long.MAX_VALUE / 999_999)),
                "instrument 7: quantityMax 9223381260236 times liveOrderCountMax 1000000 exceeds 63 bits");
        Genesis.Builder many = validGenesis();
        for (int i = 0; i < 129; i++) {
            many.addInstruments(instrument(1_000 + i, (1 << 26) - 1, 1));
        }
        assertRefused(many, "too many prices together");
    }

    private static Instrument.Builder instrument(int id, long further, long quantityMax) {
        return Instrument.newBuilder()
                .setInstrumentId(id)
                .setSymbol("S")
                .setPriceMin(1)
                .setPriceMax(1 + further)
                .setQuantityMax(quantityMax);
    }

    @Test
    void shouldRefuseAnAccountOfTwoBrokers() {
        assertRefused(
                validGenesis().addBrokers(withAccounts(5, 10, 19)).addBrokers(withAccounts(6, 19, 0)),
                "account 19 belongs to broker 5 and to broker 6");
        assertRefused(
                validGenesis().addBrokers(withAccounts(5, -2, -1)).addBrokers(withAccounts(6, 1, -2)),
                "account 4294967294 belongs to broker 6 and to broker 5");
        assertRefused(
                validGenesis()
                        .addBrokers(withAccounts(5, 7, 0)
                                .addAccounts(AccountRange.newBuilder().setFirst(7))),
                "account 7 belongs to broker 5 and to broker 5");
        assertRefused(validGenesis().addBrokers(withAccounts(5, 8, 7)), "broker 5: accounts 8..7 are none");

        Genesis apart = validGenesis()
                .addBrokers(withAccounts(5, 10, 19))
                .addBrokers(withAccounts(6, 20, 29))
                .build();
        assertThat(AccountRanges.of(GenesisFile.parse(bytes(apart)).genesis().getBrokers(2)))
                .hasToString("20-29");
    }

    @Test
    void shouldShareTheRoomForLiveOrdersAmongBrokersWithoutAQuota() {
        Genesis shared = GenesisFile.parse(bytes(validGenesis()
                        .addBrokers(withQuota(2, 300_000))
                        .addBrokers(broker(3))
                        .build()))
                .genesis();
        assertThat(shared.getParameters().getLiveOrderCountMax()).isEqualTo(1_000_000);
        assertThat(quotas(shared)).containsExactly(350_000, 300_000, 350_000);

        Genesis full = GenesisFile.parse(bytes(withRoom(10)
                        .clearBrokers()
                        .addBrokers(withQuota(1, 4))
                        .addBrokers(withQuota(2, 6))
                        .build()))
                .genesis();
        assertThat(quotas(full)).containsExactly(4, 6);
    }

    @Test
    void shouldRefuseQuotasThatDoNotFitTheMarket() {
        assertRefused(
                withRoom(10).addBrokers(withQuota(2, 4)).addBrokers(withQuota(3, 7)),
                "the brokers' liveOrderCountMax add up to 11, the market's is 10");
        assertRefused(withRoom(10).addBrokers(withQuota(2, -1)), "add up to 4294967295, the market's is 10");
        assertRefused(
                withRoom(10).addBrokers(withQuota(2, 9)).addBrokers(broker(3)),
                "leave 1 of the market's 10 for 2 brokers without one");
        assertRefused(withRoom((1 << 24) + 1), "liveOrderCountMax 16777217, expected 1..16777216");
        assertRefused(withRoom(-1), "liveOrderCountMax 4294967295, expected");
    }

    @Test
    void shouldRefuseAValidityThatNoEngineTakes() {
        int most = GenesisFile.VALIDITY_BLOCKS_MAX;
        GenesisFile.parse(bytes(withValidity(most).build()));

        assertRefused(withValidity(most + 1), "validityBlocksMax 16777217, expected 1..16777216");
        assertRefused(withValidity(-1), "validityBlocksMax 4294967295, expected");
    }

    private static Genesis.Builder withValidity(int blocks) {
        return validGenesis().setParameters(Parameters.newBuilder().setValidityBlocksMax(blocks));
    }

    @Test
    void shouldRefuseRatesBelowTheirVersionOfTheRules() {
        Broker rated = broker(7).toBuilder().setOrdersPerSecondMax(1).build();

        assertRefused(validGenesis().addBrokers(rated), "broker 7 has rates, which protocol version 1 does not have");
        Genesis.Builder newer = validGenesis().addBrokers(rated);
        newer.getParametersBuilder().setProtocolVersion(ProtocolVersion.RATES);
        assertThat(GenesisFile.parse(bytes(newer.build()))
                        .genesis()
                        .getBrokers(newer.getBrokersCount() - 1)
                        .getOrdersPerSecondMax())
                .isEqualTo(1);
    }

    private static Genesis.Builder withRoom(int liveOrderCountMax) {
        return validGenesis().setParameters(Parameters.newBuilder().setLiveOrderCountMax(liveOrderCountMax));
    }

    private static Broker.Builder withQuota(int id, int liveOrderCountMax) {
        return broker(id).toBuilder().setLiveOrderCountMax(liveOrderCountMax);
    }

    private static List<Integer> quotas(Genesis genesis) {
        return genesis.getBrokersList().stream()
                .map(Broker::getLiveOrderCountMax)
                .toList();
    }

    /** Without a bound no view would begin while engines stand still and the window is full. */
    @Test
    void shouldRefuseParametersUnderWhichANewViewCouldBeTooLongForItsFrame() {
        Parameters.Builder parameters = Parameters.newBuilder().setLogWindow(4_096);
        assertRefused(
                validGenesis().setParameters(parameters),
                "a NEW-VIEW of 4 nodes takes up to 101754107 bytes with logWindow 4096 and blockMaxBatches 500,"
                        + " at most 16777216 pass");
        // As the encoder makes it, see LongNewViewTest.
        assertThat(GenesisFile.newViewLengthMax(
                        GenesisFile.withDefaults(validGenesis().build()).getParameters(), 13))
                .isEqualTo(3_841_489);
        int most = 675;
        GenesisFile.parse(bytes(
                validGenesis().setParameters(parameters.setLogWindow(most)).build()));
        assertRefused(validGenesis().setParameters(parameters.setLogWindow(most + 1)), "at most 16777216 pass");
    }

    @Test
    void shouldRefuseParametersUnderWhichABlockCouldBeTooLongForItsHandOff() {
        Parameters.Builder parameters = Parameters.newBuilder().setOrderCountMax(1_024);
        assertRefused(
                validGenesis().setParameters(parameters),
                "blocks of 500 batches (blockMaxBatches) of 1024 orders (orderCountMax) take up to 24742984 bytes");
        assertRefused(
                validGenesis()
                        .setParameters(
                                Parameters.newBuilder().setOrderCountMax(1).setBlockMaxBatches(65_537)),
                "blockMaxBatches 65537, expected 1..65536");

        int most = 322;
        GenesisFile largest = GenesisFile.parse(bytes(validGenesis()
                .setParameters(parameters.setBlockMaxBatches(most))
                .build()));
        assertThat(GenesisFile.blockLengthMax(
                        largest.genesis().getParameters(), largest.genesis().getNodesCount()))
                .isLessThanOrEqualTo(GenesisFile.BLOCK_LENGTH_MAX)
                .isGreaterThan(GenesisFile.BLOCK_LENGTH_MAX - 50_000);
        assertRefused(validGenesis().setParameters(parameters.setBlockMaxBatches(most + 1)), "pass to the engine");
    }

    @Test
    void shouldRefuseBytesThatAreNoGenesis() {
        assertThatThrownBy(() -> GenesisFile.parse("{\"chainId\": }".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not the JSON form of a genesis");
    }

    private static void assertRefused(Genesis.Builder genesis, String fact) {
        byte[] json = bytes(genesis.build());
        assertThatThrownBy(() -> GenesisFile.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fact);
    }

    private static byte[] bytes(Genesis genesis) {
        return GenesisFile.toJson(genesis).getBytes(StandardCharsets.UTF_8);
    }

    private static Genesis.Builder validGenesis() {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(7);
        for (int i = 0; i < 4; i++) {
            genesis.addNodes(node(i));
        }
        return genesis.addBrokers(broker(1))
                .addInstruments(Instrument.newBuilder()
                        .setInstrumentId(1)
                        .setSymbol("A")
                        .setPriceMin(1)
                        .setPriceMax(10)
                        .setQuantityMax(100));
    }

    private static Broker.Builder withAccounts(int id, int first, int last) {
        return broker(id).toBuilder()
                .addAccounts(AccountRange.newBuilder().setFirst(first).setLast(last));
    }

    private static Node node(int id) {
        return Node.newBuilder().setNodeId(id).setIdentity(key(id)).build();
    }

    private static Broker broker(int id) {
        return Broker.newBuilder()
                .setBrokerId(id)
                .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(key(0)))
                .build();
    }

    private static PublicKey key(int number) {
        byte[] point = new byte[64];
        point[63] = (byte) number;
        return PublicKey.newBuilder()
                .setScheme(SignatureScheme.SM2_SM3)
                .setPoint(ByteString.copyFrom(point))
                .build();
    }
}
