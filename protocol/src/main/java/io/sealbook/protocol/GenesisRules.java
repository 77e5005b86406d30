package io.sealbook.protocol;

import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.AuditorStatus;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.SignatureScheme;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules that a genesis file and every later configuration of its chain obey. */
public final class GenesisRules {
    private static final int POINT_LENGTH = 64;
    private static final int LOG_WINDOW_MAX = 4_096;
    private static final int TIME_MAX_MS = 86_400_000;

    /** With fewer nodes not even one may be faulty. */
    public static final int NODES_MIN = 4;

    private GenesisRules() {}

    /**
     * Checks the content of a genesis file.
     *
     * @param genesis with its defaults
     * @throws IllegalArgumentException if it breaks a rule, or has a field that only a later configuration has; the
     *     message names the fact
     */
    static void checkFile(Genesis genesis) {
        ProtocolVersion.check(genesis.getParameters());
        check(genesis);
        checkNewViewLength(genesis.getParameters(), genesis.getNodesCount());
        checkIdentities(genesis.getNodesList());
        for (Broker broker : genesis.getBrokersList()) {
            require(broker.getStatus() == BrokerStatus.BROKER_ACTIVE, name(broker) + " has a status");
            for (BrokerKey key : broker.getKeysList()) {
                require(
                        key.getFromBlock() == 0 && key.getUntilBlock() == 0,
                        name(broker) + ": key " + key.getKeyId() + " names blocks");
            }
        }
        for (Instrument instrument : genesis.getInstrumentsList()) {
            require(instrument.getStatus() == InstrumentStatus.INSTRUMENT_TRADING, name(instrument) + " has a status");
        }
        for (Auditor auditor : genesis.getAuditorsList()) {
            require(auditor.getStatus() == AuditorStatus.AUDITOR_ACTIVE, name(auditor) + " has a status");
        }
    }

    /**
     * Checks a configuration.
     *
     * @param genesis with its defaults
     * @throws IllegalArgumentException if it breaks a rule; the message names the fact
     */
    public static void check(Genesis genesis) {
        require(genesis.getChainId() != 0, "chainId is 0");
        checkNodes(genesis.getNodesList());
        checkBrokers(genesis.getBrokersList());
        checkRates(genesis);
        checkAuditors(genesis.getAuditorsList());
        AccountOwners.check(present(genesis.getBrokersList()));
        checkInstruments(genesis.getInstrumentsList());
        InstrumentLimits.check(genesis);
        checkParameters(genesis.getParameters(), genesis.getNodesCount());
        LiveOrderQuotas.check(present(genesis.getBrokersList()), genesis.getParameters());
    }

    private static List<Broker> present(List<Broker> brokers) {
        return brokers.stream()
                .filter(broker -> broker.getStatus() != BrokerStatus.BROKER_REMOVED)
                .toList();
    }

    private static void checkNodes(List<Node> nodes) {
        require(nodes.size() >= NODES_MIN, "needs at least " + NODES_MIN + " nodes, has " + nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            require(node.getNodeId() == i, "nodes[" + i + "] has nodeId " + Integer.toUnsignedString(node.getNodeId()));
            checkKey(node.getIdentity(), "nodes[" + i + "].identity");
        }
    }

    private static void checkBrokers(List<Broker> brokers) {
        require(
                brokers.size() <= GenesisFile.BROKER_COUNT_MAX,
                brokers.size() + " brokers, at most " + GenesisFile.BROKER_COUNT_MAX);
        Set<Integer> brokerIds = new HashSet<>();
        for (Broker broker : brokers) {
            require(broker.getBrokerId() != 0, "a broker has id 0");
            require(
                    broker.getBrokerId() != SessionKey.ADMINISTRATION,
                    name(broker) + ": this id is that of administrative sessions");
            require(brokerIds.add(broker.getBrokerId()), name(broker) + " occurs twice");
            Set<Integer> keyIds = new HashSet<>();
            for (BrokerKey key : broker.getKeysList()) {
                require(keyIds.add(key.getKeyId()), name(broker) + ": key " + key.getKeyId() + " occurs twice");
                require(key.getKeyId() >>> 16 == 0, name(broker) + ": key id above 65535: " + key.getKeyId());
                checkKey(key.getKey(), name(broker) + " key " + key.getKeyId());
            }
            require(!keyIds.isEmpty(), name(broker) + " has no key");
            require(broker.getStatus() != BrokerStatus.UNRECOGNIZED, name(broker) + " has an unknown status");
            checkQuota(broker);
        }
    }

    /** Removed brokers included: engines hold them, too. Only the quotas of the others have to fit the market. */
    private static void checkQuota(Broker broker) {
        int quota = broker.getLiveOrderCountMax();
        require(
                quota > 0,
                name(broker) + ": liveOrderCountMax " + Integer.toUnsignedString(quota) + ", expected 1.."
                        + Integer.MAX_VALUE);
    }

    private static void checkRates(Genesis genesis) {
        int version = ProtocolVersion.of(genesis.getParameters());
        for (Broker broker : genesis.getBrokersList()) {
            boolean isRated = broker.getOrdersPerSecondMax() != 0 || broker.getBytesPerSecondMax() != 0;
            require(
                    !isRated || version >= ProtocolVersion.RATES,
                    name(broker) + " has rates, which protocol version " + version + " does not have");
        }
    }

    private static void checkAuditors(List<Auditor> auditors) {
        Set<Integer> auditorIds = new HashSet<>();
        for (Auditor auditor : auditors) {
            require(auditor.getAuditorId() != 0, "an auditor has id 0");
            require(auditorIds.add(auditor.getAuditorId()), name(auditor) + " occurs twice");
            require(auditor.getStatus() != AuditorStatus.UNRECOGNIZED, name(auditor) + " has an unknown status");
            checkKey(auditor.getKey(), name(auditor));
        }
    }

    private static void checkInstruments(List<Instrument> instruments) {
        Set<Integer> instrumentIds = new HashSet<>();
        for (Instrument instrument : instruments) {
            String name = name(instrument);
            require(instrument.getInstrumentId() != 0, "an instrument has id 0");
            require(instrumentIds.add(instrument.getInstrumentId()), name + " occurs twice");
            require(
                    0 < instrument.getPriceMin() && instrument.getPriceMin() <= instrument.getPriceMax(),
                    name + ": prices " + instrument.getPriceMin() + ".." + instrument.getPriceMax());
            require(instrument.getQuantityMax() > 0, name + ": quantityMax " + instrument.getQuantityMax());
            require(instrument.getStatus() != InstrumentStatus.UNRECOGNIZED, name + " has an unknown status");
        }
    }

    private static void checkParameters(Parameters parameters, int nodeCount) {
        requireInRange("checkpointInterval", parameters.getCheckpointInterval(), LOG_WINDOW_MAX / 2);
        requireInRange("logWindow", parameters.getLogWindow(), LOG_WINDOW_MAX);
        requireInRange("pipelineWindow", parameters.getPipelineWindow(), LOG_WINDOW_MAX);
        requireInRange("validityBlocksMax", parameters.getValidityBlocksMax(), GenesisFile.VALIDITY_BLOCKS_MAX);
        requireInRange("blockMaxWaitMs", parameters.getBlockMaxWaitMs(), TIME_MAX_MS);
        requireInRange("requestTimeoutMs", parameters.getRequestTimeoutMs(), TIME_MAX_MS);
        requireInRange("viewChangeTimeoutMaxMs", parameters.getViewChangeTimeoutMaxMs(), TIME_MAX_MS);
        requireInRange("blockTimeDriftMaxMs", parameters.getBlockTimeDriftMaxMs(), TIME_MAX_MS);
        require(
                parameters.getLogWindow() >= 2 * parameters.getCheckpointInterval(),
                "logWindow " + parameters.getLogWindow() + " is below twice checkpointInterval "
                        + parameters.getCheckpointInterval());
        require(
                parameters.getPipelineWindow() <= parameters.getLogWindow(),
                "pipelineWindow " + parameters.getPipelineWindow() + " exceeds logWindow " + parameters.getLogWindow());
        require(
                parameters.getRequestTimeoutMs() <= parameters.getViewChangeTimeoutMaxMs(),
                "requestTimeoutMs " + parameters.getRequestTimeoutMs() + " exceeds viewChangeTimeoutMaxMs "
                        + parameters.getViewChangeTimeoutMaxMs());
        require(
                parameters.getOrderCountMax() > 0,
                "orderCountMax " + parameters.getOrderCountMax() + " is not positive");
        require(
                parameters.getOrderCountMax() <= SignedBatch.ORDER_COUNT_LIMIT,
                "orderCountMax " + parameters.getOrderCountMax() + " exceeds " + SignedBatch.ORDER_COUNT_LIMIT);
        int sessions = parameters.getSessionsPerBroker();
        require(
                0 < sessions && sessions <= GenesisFile.SESSIONS_PER_BROKER_MAX,
                "sessionsPerBroker " + Integer.toUnsignedString(sessions) + ", expected 1.."
                        + GenesisFile.SESSIONS_PER_BROKER_MAX);
        int sessionsPerKey = parameters.getSessionsPerKey();
        require(
                sessionsPerKey == 0 || Integer.remainderUnsigned(sessions, sessionsPerKey) == 0,
                "sessionsPerKey " + Integer.toUnsignedString(sessionsPerKey) + " does not divide sessionsPerBroker "
                        + sessions);
        checkBlockLength(parameters, nodeCount);
    }

    private static void requireInRange(String name, int value, int max) {
        require(0 < value && value <= max, name + " " + Integer.toUnsignedString(value) + ", expected 1.." + max);
    }

    /**
     * Every block that agreement may deliver must pass the hand-off: a limit that is too large is found here, before
     * the first block.
     */
    private static void checkBlockLength(Parameters parameters, int nodeCount) {
        int batches = parameters.getBlockMaxBatches();
        int orders = parameters.getOrderCountMax();
        require(
                0 < batches && batches <= GenesisFile.BLOCK_BATCHES_MAX,
                "blockMaxBatches " + Integer.toUnsignedString(batches) + ", expected 1.."
                        + GenesisFile.BLOCK_BATCHES_MAX);
        long length = GenesisFile.blockLengthMax(parameters, nodeCount);
        require(
                length <= GenesisFile.BLOCK_LENGTH_MAX,
                "blocks of " + batches + " batches (blockMaxBatches) of " + orders
                        + " orders (orderCountMax) take up to " + length + " bytes, at most "
                        + GenesisFile.BLOCK_LENGTH_MAX + " pass to the engine");
    }

    /** Not of later configurations: what a transaction means must not depend on the build that executes it. */
    private static void checkNewViewLength(Parameters parameters, int nodeCount) {
        long length = GenesisFile.newViewLengthMax(parameters, nodeCount);
        require(
                length <= GenesisFile.NEW_VIEW_LENGTH_MAX,
                "a NEW-VIEW of " + nodeCount + " nodes takes up to " + length + " bytes with logWindow "
                        + parameters.getLogWindow() + " and blockMaxBatches " + parameters.getBlockMaxBatches()
                        + ", at most " + GenesisFile.NEW_VIEW_LENGTH_MAX + " pass");
    }

    /**
     * A member that is in the file twice votes and signs twice. A transaction that adds a node or a key of one is
     * checked against all that nodes ever had.
     */
    private static void checkIdentities(List<Node> nodes) {
        Set<PublicKey> identities = new HashSet<>();
        for (Node node : nodes) {
            require(
                    identities.add(node.getIdentity()),
                    "nodes[" + node.getNodeId() + "] has the identity key of another node");
        }
    }

    private static void checkKey(PublicKey key, String owner) {
        require(
                key.getScheme() == SignatureScheme.SM2_SM3 || key.getScheme() == SignatureScheme.ECDSA_SECP256K1_SHA256,
                owner + ": unknown scheme " + key.getSchemeValue());
        require(
                key.getPoint().size() == POINT_LENGTH,
                owner + ": point has " + key.getPoint().size() + " bytes, expected " + POINT_LENGTH);
    }

    private static String name(Broker broker) {
        return "broker " + Integer.toUnsignedString(broker.getBrokerId());
    }

    private static String name(Auditor auditor) {
        return "auditor " + Integer.toUnsignedString(auditor.getAuditorId());
    }

    private static String name(Instrument instrument) {
        return "instrument " + Integer.toUnsignedString(instrument.getInstrumentId());
    }

    static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
