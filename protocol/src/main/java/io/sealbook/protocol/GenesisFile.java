package io.sealbook.protocol;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.SignatureScheme;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * A genesis file read and checked: the message, with every default filled in, and the digest of the file's bytes. That
 * digest is the previous hash of block 1 and is compared in every handshake, so two members with different files never
 * talk past each other.
 */
public final class GenesisFile {
    /**
     * Bytes of the largest block that a chain may admit: nodes send blocks to each other, and engines read them, whole.
     */
    public static final int BLOCK_LENGTH_MAX = 16_000_000;

    /** Batches of a block, whatever their size. */
    public static final int BLOCK_BATCHES_MAX = 65_536;
    /** Sessions of a broker at most: nodes and engines keep a state of fixed size for each. */
    public static final int SESSIONS_PER_BROKER_MAX = 1_024;

    /** Orders that may rest at once, of all brokers: an engine numbers them in 24 bits. */
    public static final int LIVE_ORDER_COUNT_MAX = 1 << 24;

    private static final int POINT_LENGTH = 64;
    /**
     * Of a block's header, 136 bytes, and of its entry for a batch, 48 bytes; see block-archive/doc/segment-format.md.
     */
    private static final int BLOCK_HEADER_LENGTH = 136;

    private static final int BLOCK_ENTRY_LENGTH = 48;

    private final Genesis genesis;
    private final Digest digest;

    private GenesisFile(Genesis genesis, Digest digest) {
        this.genesis = genesis;
        this.digest = digest;
    }

    /**
     * Reads and checks a genesis file.
     *
     * @param json the file's bytes, UTF-8
     * @throws IllegalArgumentException if it is not the JSON form of a Genesis or breaks a rule; the message names the
     *     fact
     */
    public static GenesisFile parse(byte[] json) {
        Genesis.Builder builder = Genesis.newBuilder();
        try {
            JsonFormat.parser().merge(new String(json, StandardCharsets.UTF_8), builder);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("genesis: not the JSON form of a genesis: " + e.getMessage(), e);
        }
        Genesis genesis = withDefaults(builder.build());
        check(genesis);
        return new GenesisFile(genesis, Digest.sha256(json));
    }

    /** Returns the JSON form that {@link #parse} reads. */
    public static String toJson(Genesis genesis) {
        try {
            return JsonFormat.printer().print(genesis) + "\n";
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("genesis: cannot be written as JSON: " + e.getMessage(), e);
        }
    }

    public Genesis genesis() {
        return genesis;
    }

    /** Returns SHA-256 over the file's bytes. */
    public Digest digest() {
        return digest;
    }

    /**
     * Returns a genesis with every default filled in, as {@link #parse} does.
     *
     * @throws IllegalArgumentException if the brokers' quotas do not fit the market
     */
    public static Genesis withDefaults(Genesis genesis) {
        Genesis.Builder builder = genesis.toBuilder().setParameters(withDefaults(genesis.getParameters()));
        LiveOrderQuotas.fill(builder);
        return builder.build();
    }

    private static Parameters withDefaults(Parameters given) {
        return Parameters.newBuilder()
                .setBlockMaxBatches(orDefault(given.getBlockMaxBatches(), 500))
                .setBlockMaxWaitMs(orDefault(given.getBlockMaxWaitMs(), 500))
                .setPipelineWindow(orDefault(given.getPipelineWindow(), 32))
                .setCheckpointInterval(orDefault(given.getCheckpointInterval(), 16))
                .setLogWindow(orDefault(given.getLogWindow(), 128))
                .setOrderCountMax(orDefault(given.getOrderCountMax(), 256))
                .setValidityBlocksMax(orDefault(given.getValidityBlocksMax(), 10_000))
                .setRequestTimeoutMs(orDefault(given.getRequestTimeoutMs(), 2_000))
                .setViewChangeTimeoutMaxMs(orDefault(given.getViewChangeTimeoutMaxMs(), 8_000))
                .setBlockTimeDriftMaxMs(orDefault(given.getBlockTimeDriftMaxMs(), 5_000))
                .setBlocksPerSegment(orDefault(given.getBlocksPerSegment(), 4_096))
                .setSessionsPerBroker(orDefault(given.getSessionsPerBroker(), 16))
                .setLiveOrderCountMax(orDefault(given.getLiveOrderCountMax(), 1_000_000))
                .build();
    }

    private static int orDefault(int value, int defaultValue) {
        return value == 0 ? defaultValue : value;
    }

    private static void check(Genesis genesis) {
        require(genesis.getChainId() != 0, "chainId is 0");
        require(genesis.getNodesCount() >= 4, "needs at least 4 nodes, has " + genesis.getNodesCount());
        for (int i = 0; i < genesis.getNodesCount(); i++) {
            Node node = genesis.getNodes(i);
            require(node.getNodeId() == i, "nodes[" + i + "] has nodeId " + Integer.toUnsignedString(node.getNodeId()));
            checkKey(node.getIdentity(), "nodes[" + i + "].identity");
        }
        Set<Integer> brokerIds = new HashSet<>();
        for (Broker broker : genesis.getBrokersList()) {
            String name = "broker " + Integer.toUnsignedString(broker.getBrokerId());
            require(broker.getBrokerId() != 0, "a broker has id 0");
            require(
                    broker.getBrokerId() != SessionKey.ADMINISTRATION,
                    name + ": this id is that of administrative sessions");
            require(brokerIds.add(broker.getBrokerId()), name + " occurs twice");
            Set<Integer> keyIds = new HashSet<>();
            for (BrokerKey key : broker.getKeysList()) {
                require(keyIds.add(key.getKeyId()), name + ": key " + key.getKeyId() + " occurs twice");
                require(key.getKeyId() >>> 16 == 0, name + ": key id above 65535: " + key.getKeyId());
                checkKey(key.getKey(), name + " key " + key.getKeyId());
            }
            require(!keyIds.isEmpty(), name + " has no key");
        }
        Set<Integer> auditorIds = new HashSet<>();
        for (Auditor auditor : genesis.getAuditorsList()) {
            String name = "auditor " + Integer.toUnsignedString(auditor.getAuditorId());
            require(auditor.getAuditorId() != 0, "an auditor has id 0");
            require(auditorIds.add(auditor.getAuditorId()), name + " occurs twice");
            checkKey(auditor.getKey(), name);
        }
        AccountOwners.check(genesis.getBrokersList());
        Set<Integer> instrumentIds = new HashSet<>();
        for (Instrument instrument : genesis.getInstrumentsList()) {
            String name = "instrument " + Integer.toUnsignedString(instrument.getInstrumentId());
            require(instrument.getInstrumentId() != 0, "an instrument has id 0");
            require(instrumentIds.add(instrument.getInstrumentId()), name + " occurs twice");
            require(
                    0 < instrument.getPriceMin() && instrument.getPriceMin() <= instrument.getPriceMax(),
                    name + ": prices " + instrument.getPriceMin() + ".." + instrument.getPriceMax());
            require(instrument.getQuantityMax() > 0, name + ": quantityMax " + instrument.getQuantityMax());
        }
        Parameters parameters = genesis.getParameters();
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
                0 < sessions && sessions <= SESSIONS_PER_BROKER_MAX,
                "sessionsPerBroker " + Integer.toUnsignedString(sessions) + ", expected 1.." + SESSIONS_PER_BROKER_MAX);
        checkBlockLength(parameters);
    }

    /**
     * Every block that agreement may deliver must pass the hand-off: a limit that is too large is found here, before
     * the first block.
     */
    private static void checkBlockLength(Parameters parameters) {
        int batches = parameters.getBlockMaxBatches();
        int orders = parameters.getOrderCountMax();
        require(
                0 < batches && batches <= BLOCK_BATCHES_MAX,
                "blockMaxBatches " + Integer.toUnsignedString(batches) + ", expected 1.." + BLOCK_BATCHES_MAX);
        long length = blockLengthMax(parameters);
        require(
                length <= BLOCK_LENGTH_MAX,
                "blocks of " + batches + " batches (blockMaxBatches) of " + orders
                        + " orders (orderCountMax) take up to " + length + " bytes, at most " + BLOCK_LENGTH_MAX
                        + " pass to the engine");
    }

    /** Returns the bytes of the largest block that these parameters admit. */
    public static long blockLengthMax(Parameters parameters) {
        return BLOCK_HEADER_LENGTH
                + (long) parameters.getBlockMaxBatches()
                        * (BLOCK_ENTRY_LENGTH + SignedBatch.signedLength(parameters.getOrderCountMax()));
    }

    private static void checkKey(PublicKey key, String owner) {
        require(
                key.getScheme() == SignatureScheme.SM2_SM3 || key.getScheme() == SignatureScheme.ECDSA_SECP256K1_SHA256,
                owner + ": unknown scheme " + key.getSchemeValue());
        require(
                key.getPoint().size() == POINT_LENGTH,
                owner + ": point has " + key.getPoint().size() + " bytes, expected " + POINT_LENGTH);
    }

    static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException("genesis: " + fact);
        }
    }
}
