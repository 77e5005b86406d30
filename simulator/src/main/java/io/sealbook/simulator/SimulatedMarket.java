package io.sealbook.simulator;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;

/** What the members of a simulated cluster agree on before they start. */
final class SimulatedMarket {
    static final long CHAIN_ID = 42;
    static final int KEY_ID = 1;
    private static final int FIRST_REPLACEMENT_KEY = 48;

    static final int INSTRUMENTS = 2;
    static final int PRICE_MAX = 100;
    static final int QUANTITY_MAX = 1_000;
    static final int VALIDITY_BLOCKS_MAX = 10_000;
    static final int ORDER_COUNT_MAX = 8;
    static final int SESSIONS_PER_KEY = 4;
    private static final int KEYS_APART = 2;
    /** Few, so that a run rolls segments. */
    private static final int BLOCKS_PER_SEGMENT = 16;

    /** Few, because every restart of an engine begins with an empty one. */
    private static final int RESTING_ORDERS_MAX = 4_096;

    private SimulatedMarket() {}

    static Genesis genesis(Scenario scenario) {
        Genesis.Builder genesis = Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .setParameters(Parameters.newBuilder()
                        .setBlockMaxBatches(scenario.blockMaxBatches())
                        .setBlockMaxWaitMs(50)
                        .setPipelineWindow(scenario.pipelineWindow())
                        .setCheckpointInterval(scenario.checkpointInterval())
                        .setLogWindow(scenario.logWindow())
                        .setOrderCountMax(ORDER_COUNT_MAX)
                        .setValidityBlocksMax(VALIDITY_BLOCKS_MAX)
                        .setRequestTimeoutMs(1_000)
                        .setViewChangeTimeoutMaxMs(8_000)
                        .setBlockTimeDriftMaxMs(5_000)
                        .setFairOrder(scenario.isFair())
                        .setBlocksPerSegment(BLOCKS_PER_SEGMENT)
                        .setSessionsPerBroker(KEYS_APART * SESSIONS_PER_KEY)
                        .setSessionsPerKey(SESSIONS_PER_KEY)
                        .setLiveOrderCountMax(RESTING_ORDERS_MAX));
        for (int i = 0; i < scenario.replicaCount(); i++) {
            genesis.addNodes(Node.newBuilder().setNodeId(i).setIdentity(publicKey(ToySignatures.key(i))));
        }
        for (int broker = 1; broker <= scenario.clientCount(); broker++) {
            genesis.addBrokers(Broker.newBuilder()
                    .setBrokerId(broker)
                    .addAccounts(AccountRange.newBuilder().setFirst(broker))
                    .addKeys(BrokerKey.newBuilder()
                            .setKeyId(KEY_ID)
                            .setKey(publicKey(ToySignatures.key(keyIndex(scenario, broker))))));
        }
        for (int i = 1; i <= INSTRUMENTS; i++) {
            genesis.addInstruments(Instrument.newBuilder()
                    .setInstrumentId(i)
                    .setSymbol("I" + i)
                    .setPriceMin(1)
                    .setPriceMax(PRICE_MAX)
                    .setQuantityMax(QUANTITY_MAX));
        }
        return genesis.build();
    }

    /** Returns the quota of a broker. */
    static int quota(Genesis genesis, int brokerId) {
        return genesis.getBrokersList().stream()
                .filter(broker -> broker.getBrokerId() == brokerId)
                .findFirst()
                .orElseThrow()
                .getLiveOrderCountMax();
    }

    /** Returns the key of the machine that takes a member's place. */
    static int keyOfReplacement(int node) {
        return FIRST_REPLACEMENT_KEY + node;
    }

    static int keyIndex(Scenario scenario, int brokerId) {
        return scenario.replicaCount() + brokerId;
    }

    static PublicKey publicKey(VerificationKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.point()))
                .build();
    }
}
