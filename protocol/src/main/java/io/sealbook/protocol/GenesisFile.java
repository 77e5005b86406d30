package io.sealbook.protocol;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.charset.StandardCharsets;

/**
 * A genesis file read and checked: the message, with every default filled in, and the digest of what the file says
 * beside addresses. That digest is the previous hash of block 1 and is compared in every handshake, so two members with
 * different files never talk past each other.
 */
public final class GenesisFile {
    /**
     * Bytes of the largest block that a chain may admit: nodes send blocks to each other, and engines read them, whole.
     */
    public static final int BLOCK_LENGTH_MAX = 16_000_000;

    /** Bytes of the largest NEW-VIEW, a frame of one vote: without it no view begins. */
    public static final int NEW_VIEW_LENGTH_MAX = 16 << 20;

    /** Batches of a block, whatever their size. */
    public static final int BLOCK_BATCHES_MAX = 65_536;
    /** Sessions of a broker at most: nodes and engines keep a state of fixed size for each. */
    public static final int SESSIONS_PER_BROKER_MAX = 1_024;
    /** Sessions of a broker that the tools write into a new genesis file. */
    public static final int NEW_SESSIONS_PER_BROKER = 64;

    /** Blocks ahead of the current one until which a batch may be valid. */
    public static final int VALIDITY_BLOCKS_MAX = 1 << 24;

    /** Brokers of a chain, removed ones included. */
    public static final int BROKER_COUNT_MAX = 1 << 16;
    /** Admitted prices of one instrument. */
    public static final int PRICE_COUNT_MAX = 1 << 26;
    /** Of all instruments together, rounded up to multiples of 64 for each. */
    public static final long PRICE_SUM_MAX = 1L << 33;

    /** Orders that may rest at once, of all brokers: an engine numbers them in 24 bits. */
    public static final int LIVE_ORDER_COUNT_MAX = 1 << 24;

    /** Of a NEW-VIEW: node and signature of one who signed. */
    private static final int SIGNED_LENGTH = 2 * Short.BYTES + SignedBatch.SIGNATURE_LENGTH;
    /** View, sequence, number of the proposal, and the primary's signature. */
    private static final int PRE_PREPARE_LENGTH = 2 * Long.BYTES + Integer.BYTES + SIGNED_LENGTH;
    /** View, sequence, time, digest of the one before, and the number of sessions. */
    private static final int PROPOSAL_LENGTH = 3 * Long.BYTES + Digest.LENGTH + Integer.BYTES;
    /** Session, number and batch id. */
    private static final int SESSION_END_LENGTH = 2 * Long.BYTES + Digest.LENGTH;
    /** View, sequence and three digests of the stable checkpoint, and two counts. */
    private static final int VIEW_CHANGE_LENGTH = 2 * Long.BYTES + 3 * Digest.LENGTH + 2 * Integer.BYTES;
    /** Version, kind, view and two counts. */
    private static final int NEW_VIEW_LENGTH = 2 * Byte.BYTES + Long.BYTES + 2 * Integer.BYTES;

    /**
     * Of a block's header, 144 bytes, and of its entry for a batch, 48 bytes; see block-archive/doc/segment-format.md.
     */
    private static final int BLOCK_HEADER_LENGTH = 144;

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
        Genesis written = builder.build();
        Genesis genesis = withDefaults(written);
        try {
            GenesisRules.checkFile(genesis);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("genesis: " + e.getMessage(), e);
        }
        return new GenesisFile(genesis, digest(written));
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

    /**
     * Returns SHA-256 over the protobuf form of what the file says, its fields in the order of their numbers, without
     * the nodes' hosts and ports (protocol/doc/genesis-digest.md). Defaults are not filled in: a later version may have
     * parameters that this one does not know.
     */
    public Digest digest() {
        return digest;
    }

    private static Digest digest(Genesis written) {
        Genesis.Builder agreed = written.toBuilder().clearNodes();
        written.getNodesList().forEach(node -> agreed.addNodes(withoutAddress(node)));
        return Digest.sha256(agreed.build().toByteArray());
    }

    /** Returns a node without host and ports: where it is reached is its own affair (decision 50). */
    public static Node withoutAddress(Node node) {
        return node.toBuilder()
                .clearHost()
                .clearVotePort()
                .clearPayloadPort()
                .clearGatewayPort()
                .clearEnginePort()
                .build();
    }

    /**
     * Returns a genesis with every default filled in, as {@link #parse} does.
     *
     * @throws IllegalArgumentException if the brokers' quotas do not fit the market
     */
    public static Genesis withDefaults(Genesis genesis) {
        Genesis.Builder builder = genesis.toBuilder().setParameters(withDefaults(genesis.getParameters()));
        try {
            LiveOrderQuotas.fill(builder);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("genesis: " + e.getMessage(), e);
        }
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
                .setSessionsPerKey(given.getSessionsPerKey())
                .setFairOrder(given.getFairOrder())
                .setLiveOrderCountMax(orDefault(given.getLiveOrderCountMax(), 1_000_000))
                .setProtocolVersion(ProtocolVersion.of(given))
                .build();
    }

    private static int orDefault(int value, int defaultValue) {
        return value == 0 ? defaultValue : value;
    }

    /**
     * Returns the bytes of the largest block that these parameters admit: it has at most one administrative batch of
     * each node.
     *
     * @param parameters with their defaults
     * @param nodeCount members
     */
    public static long blockLengthMax(Parameters parameters, int nodeCount) {
        long orders = BLOCK_ENTRY_LENGTH + (long) SignedBatch.signedLength(parameters.getOrderCountMax());
        long administration = BLOCK_ENTRY_LENGTH
                + (long) AdministrativeBatch.signedLength(AdministrativeBatch.TRANSACTION_LENGTH_MAX);
        return BLOCK_HEADER_LENGTH + parameters.getBlockMaxBatches() * orders + nodeCount * administration;
    }

    /**
     * Returns the bytes of a NEW-VIEW of correct nodes that have one stable checkpoint and have prepared all blocks of
     * the log window, each with as many sessions as batches. It is longer where VIEW-CHANGEs show proposals that others
     * do not: of blocks before the latest checkpoint, or of several views. Its layout is that of
     * peer-link/doc/peer-protocol.md.
     *
     * @param parameters with their defaults
     * @param nodeCount members
     */
    public static long newViewLengthMax(Parameters parameters, int nodeCount) {
        long window = parameters.getLogWindow();
        long quorum = nodeCount - (nodeCount - 1) / 3;
        long proposals = window * (PROPOSAL_LENGTH + SESSION_END_LENGTH * (long) parameters.getBlockMaxBatches());
        long certificate = PRE_PREPARE_LENGTH + Integer.BYTES + (quorum - 1) * SIGNED_LENGTH;
        long viewChange = VIEW_CHANGE_LENGTH + quorum * SIGNED_LENGTH + window * certificate + SIGNED_LENGTH;
        return NEW_VIEW_LENGTH + SIGNED_LENGTH + quorum * viewChange + window * PRE_PREPARE_LENGTH + proposals;
    }
}
