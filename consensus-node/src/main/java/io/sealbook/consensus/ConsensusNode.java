package io.sealbook.consensus;

import com.google.protobuf.ByteString;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveRecovery;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.admin.AdminServer;
import io.sealbook.consensus.admin.Readiness;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.BlockChecker;
import io.sealbook.consensus.agent.CombinedCycle;
import io.sealbook.consensus.agent.CommitCycle;
import io.sealbook.consensus.agent.CommitQueue;
import io.sealbook.consensus.agent.CycleThread;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.ReplicaAgent;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.config.ThreadLayout;
import io.sealbook.consensus.gateway.Followers;
import io.sealbook.consensus.gateway.GatewayContext;
import io.sealbook.consensus.gateway.GatewayServer;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.handoff.ResultReader;
import io.sealbook.consensus.ingress.DegradingVerifier;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.ProcessMeters;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.ProviderFinding;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.handoff.BlockResult;
import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.status.NodePhase;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Quorum;
import io.sealbook.peer.PeerConfig;
import io.sealbook.peer.PeerLimits;
import io.sealbook.peer.PeerTransport;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.Parameters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One node, wired. Its constructor reads as the diagram of the process; {@link #start} sets its threads going.
 * Parts are opened in the reverse of the order in which they are to be closed.
 *
 * <pre>
 *   brokers ──▶ GatewayServer ─┐                          ┌─▶ archive ─▶ queue/blocks ─▶ engine
 *                              ├─▶ Ingress ─▶ AgentInbox  │                                 │
 *   peers ──▶ PeerTransport ───┘       ▲          │       │                                 │
 *               │                      │          ▼       │                                 │
 *               └── PeerInbox ─────────┼──▶ ReplicaAgent ─┴─ Committer ─▶ Followers         │
 *                                      └───────────────────── ResultReader ◀─ queue/results ┘
 * </pre>
 */
public final class ConsensusNode implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConsensusNode.class);
    private static final int NONCES_PER_BROKER_MAX = 1 << 20;
    private static final int SERVICE_TASKS_MAX = 1_024;

    private final NodeConfig config;
    private final GenesisFile genesis;
    private final Node self;
    private final Consumer<Throwable> fatal;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final NodeState state;
    private final NodeMetrics metrics;
    private final DegradingVerifier verifier;
    private final ThreadPoolExecutor service;

    private final BlockArchive archive;
    private final ReplicaLog replicaLog;
    private final PayloadLog payloadLog;
    private final BlockQueue blockQueue;
    private final AgentInbox inbox = new AgentInbox();
    private final CommitQueue commits;
    private final PeerTransport transport;
    private final NodeCore core;
    private final Ingress ingress;
    private final ResultReader results;
    private final Followers followers;
    private final GatewayServer gateway;
    private final AdminServer admin;
    private final List<CycleThread> threads = new ArrayList<>();
    private final OpenParts parts;
    private volatile boolean isClosed;

    /**
     * Opens the node's files and wires its parts; nothing runs yet. When a part cannot be opened, those before it are
     * closed.
     *
     * @param directory of the node
     * @param options of this start
     * @param fatal is told about a failure after which the process must end; called at most a few times, from any
     *     thread
     * @throws ConfigException if the settings, key or genesis file do not fit together
     * @throws io.sealbook.node.restart.LostReplicaLogException if the records of this replica's votes are lost and the
     *     options do not accept that
     */
    public static ConsensusNode open(NodeDirectory directory, StartOptions options, Consumer<Throwable> fatal)
            throws IOException {
        OpenParts parts = new OpenParts();
        try {
            return new ConsensusNode(directory, options, fatal, parts);
        } catch (Throwable failure) {
            parts.closeAfter(failure);
            throw failure;
        }
    }

    private ConsensusNode(NodeDirectory directory, StartOptions options, Consumer<Throwable> fatal, OpenParts parts)
            throws IOException {
        this.parts = parts;
        this.config = NodeConfig.read(directory);
        this.genesis = directory.readGenesis();
        this.fatal = fatal;
        this.self = self(genesis, config);
        Signer identity = identity(directory);
        Parameters parameters = genesis.genesis().getParameters();
        int nodeCount = genesis.genesis().getNodesCount();

        state = new NodeState(genesis.digest());
        metrics = new NodeMetrics(registry, state);
        parts.add(new ProcessMeters(registry, directory.root()));
        verifier = parts.add(new DegradingVerifier(chooseVerifier(), metrics));
        metrics.verifierCounters(verifier);
        admin = parts.add(new AdminServer(config.network().admin(), registry, this::readiness, this::status));

        archive = parts.add(BlockArchive.open(
                directory.archive(),
                new ArchiveConfig(genesis.digest(), parameters.getBlocksPerSegment(), config.durability())));
        logRecovery(archive);
        replicaLog = parts.add(ReplicaLog.open(FileStorage.open(directory.replicaLog()), config.durability()));
        VoteMark voteMark = parts.add(VoteMark.open(FileStorage.open(directory.replicaMark()), config.durability()));
        payloadLog = parts.add(PayloadLog.open(FileStorage.open(directory.payloadLog()), config.durability()));
        blockQueue = parts.add(new BlockQueue(directory.blockQueue(), config.durability()));

        service = serviceThread();
        parts.add(service::shutdownNow);
        commits = new CommitQueue(parameters.getLogWindow());
        PeerGate gate = new PeerGate(nodeCount, commits, service, metrics);
        transport = parts.add(new PeerTransport(
                new PeerConfig(
                        config.nodeId(),
                        genesis,
                        identity,
                        verifier,
                        config.network().bindAddress(),
                        config.offload(),
                        PeerLimits.DEFAULTS,
                        MessageLogConfig.defaults(new SecureRandom().nextLong())),
                gate,
                registry));
        BlockChecker blockChecker =
                parts.add(new BlockChecker(config.nodeId(), config.ingress().verifyLanes(), commits, this::onFailure));
        core = NodeCore.open(
                setup(identity, options),
                new NodeFiles(archive, replicaLog, voteMark, payloadLog),
                new NodePorts(
                        new TransportPeers(transport),
                        blockQueue,
                        commits::offer,
                        inbox::offer,
                        blockChecker,
                        state,
                        new EventRecorder(metrics)));
        log.info("replica: {} records, last block {}", replicaLog.records().size(), state.lastBlock());

        ReplicaAgent agent =
                new ReplicaAgent(core.replicaCycle(), transport.inbox(), inbox, new SystemEpochNanoClock());
        CommitCycle committer = new CommitCycle(core.committer(), commits, metrics);
        long stable = core.replica().lowWatermark();
        results = parts.add(new ResultReader(
                directory.resultQueue(), Math.max(0, stable - 1), archive::lastSequence, this::onResult));
        ResultCycle resultCycle = new ResultCycle(results, state);
        followers = new Followers(core.blocks(), metrics, config.receiptStallMs());
        core.blocks().onCommitted(followers::signal);
        core.blocks().onCommitted(resultCycle::wakeUp);

        if (config.threads() == ThreadLayout.ONE) {
            thread("agent", new CombinedCycle(agent, committer));
        } else {
            thread("agent", agent);
            thread("commit", committer);
        }
        thread("results", resultCycle);
        thread("followers", followers);
        parts.add(() -> {
            // What a thread fails at from here on, it fails at because files and sockets close.
            isClosed = true;
            stopThreads();
        });

        // Closed while the threads still run: what is in the ring gets its verdict.
        ingress = parts.add(new Ingress(
                new IngressContext(config.nodeId(), config.ingress(), metrics, this::onFailure),
                () -> core.signatureStage(config.ingress().verifyBatchMax()),
                core.admission(new Admitted())));
        gate.connect(core, transport, ingress);
        gateway = parts.add(new GatewayServer(
                new InetSocketAddress(config.network().bindAddress(), self.getGatewayPort()),
                config.gateway(),
                new GatewayContext(
                        config.nodeId(),
                        ingress,
                        core.blocks(),
                        new ArchiveProofs(archive),
                        state,
                        metrics,
                        config.ingress().submitInFlightMax(),
                        this::status),
                followers,
                service));
        gauges();
    }

    private static Node self(GenesisFile genesis, NodeConfig config) {
        if (config.nodeId() >= genesis.genesis().getNodesCount()) {
            throw new ConfigException("node.properties: node-id=" + config.nodeId() + ", genesis has "
                    + genesis.genesis().getNodesCount() + " nodes");
        }
        return genesis.genesis().getNodes(config.nodeId());
    }

    private Signer identity(NodeDirectory directory) throws IOException {
        Signer signer = KeyFile.readSigner(directory.keyFile());
        if (!Arrays.equals(
                signer.verificationKey().point(), self.getIdentity().getPoint().toByteArray())) {
            throw new ConfigException(
                    "node.key is not the key that the genesis file names for node " + config.nodeId());
        }
        return signer;
    }

    private SignatureVerifier chooseVerifier() {
        SignatureProviders.Choice choice;
        try {
            choice = SignatureProviders.choose(config.ingress().verifier());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("node.properties: " + e.getMessage(), e);
        }
        for (ProviderFinding finding : choice.findings()) {
            log.atLevel(finding.isFault() ? Level.WARN : Level.INFO).log("verifier: {}", finding);
        }
        return choice.verifier();
    }

    private ThreadPoolExecutor serviceThread() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(SERVICE_TASKS_MAX), task -> {
                    Thread thread = new Thread(task, "service-" + config.nodeId());
                    thread.setDaemon(true);
                    return thread;
                });
        return executor;
    }

    private NodeSetup setup(Signer identity, StartOptions options) {
        return new NodeSetup(
                config.nodeId(),
                genesis,
                config.durability(),
                config.payloadRoute(),
                config.ingress().payloadStoreBytesMax(),
                NONCES_PER_BROKER_MAX,
                new SecureRandom().nextLong(),
                options.isLostReplicaLogAccepted(),
                identity::sign,
                verifier);
    }

    /** Says what opening the archive had to mend; the log answers whether a crash, or the disk, cost anything. */
    private static void logRecovery(BlockArchive archive) {
        ArchiveRecovery recovery = archive.recovery();
        log.info(
                "archive: blocks {} to {}, {} scanned in segments that were not closed",
                archive.firstSequence(),
                archive.lastSequence(),
                recovery.blocksScanned());
        if (recovery.tornBytes() > 0) {
            log.warn(
                    "archive: dropped {} bytes that a crash left behind block {}; "
                            + "peers have the blocks that were delivered",
                    recovery.tornBytes(),
                    archive.lastSequence());
        }
        if (!recovery.damagedBlocks().isEmpty()) {
            log.error(
                    "archive: blocks {} are damaged and not served; "
                            + "verify the disk, restore the archive of another node",
                    recovery.damagedBlocks());
        }
    }

    private void thread(String name, DutyCycle cycle) {
        threads.add(new CycleThread(name + "-" + config.nodeId(), cycle, this::onFailure));
    }

    private void gauges() {
        ArchiveRecovery recovery = archive.recovery();
        metrics.gauge(
                "archive.torn.bytes", "How many bytes did the last start cut off the archive?", recovery::tornBytes);
        metrics.gauge(
                "archive.damaged.blocks",
                "How many archived blocks cannot be read?",
                () -> recovery.damagedBlocks().size());
        metrics.gauge(
                "ready",
                "Does it take batches and see a quorum (1) or not (0)?",
                () -> readiness().isReady() ? 1 : 0);
        metrics.gauge("ring.depth", "How many batches wait for their verdict?", ingress::depth);
        metrics.gauge("inbox.depth", "How much waits for agreement?", inbox::depth);
        metrics.gauge("commit.depth", "How many blocks wait for the archive?", commits::depth);
        metrics.gauge("payload.count", "How many batches wait for their block?", core.payloads()::count);
        metrics.gauge("payload.bytes", "How many bytes do they take?", core.payloads()::bytes);
        metrics.gauge(
                "admin.connections", "How many connections hold places of the admin port?", admin::connectionCount);
        metrics.gauge(
                "gateway.connections", "How many connections do brokers and readers hold?", gateway::connectionCount);
        metrics.gauge("payload.log.bytes", "How much of the disk does the payload log take?", payloadLog::length);
        metrics.gauge("nonce.count", "How many nonces take up room?", core.nonces()::heldCount);
        metrics.gauge("followers", "How many follow receipts or blocks?", followers::count);
        metrics.gauge(
                "connected.peers",
                "How many members are connected?",
                () -> transport.connected().size());
    }

    /**
     * Starts servers and threads: the admin port first, so that a node which cannot have it takes no part, and the
     * gateway last, so that nobody is answered before the node can serve.
     *
     * @throws IOException if a port cannot be bound; the node is to be closed then
     */
    public void start() throws IOException {
        admin.start();
        ingress.start();
        transport.start();
        threads.forEach(CycleThread::start);
        gateway.start();
        log.info(
                "node {} ready: gateway {}:{}, admin {}:{}, verifier {}, durability {}",
                config.nodeId(),
                config.network().bindAddress(),
                gateway.port(),
                config.network().admin().address(),
                admin.port(),
                verifier.provider(),
                config.durability());
    }

    private final class Admitted implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            core.spreading().spread(payload, state.agreement().primary());
        }

        /** Waits for room, which fills the ring and so reaches the brokers. */
        @Override
        public void onDurable(Payload payload) {
            inbox.put(new Input.BatchAvailable(
                    payload.batchId(), payload.brokerId(), payload.arrivalTimeNs(), payload.validUntilBlock()));
        }
    }

    private void onResult(BlockResult result) {
        core.checkpointing()
                .onResult(result.sequence(), result.digest().bytes(), result.executedTimeNs())
                .ifPresent(inbox::put);
    }

    /** Whatever a core thread did not foresee ends the process: a silent replica is safe, a lying one is not. */
    private void onFailure(Throwable failure) {
        if (isClosed) {
            log.debug("failure while closing", failure);
            return;
        }
        Throwable reason = StorageFailures.isStorage(failure) ? StorageFailures.stopsVoting(failure) : failure;
        state.stopping(reason.getMessage() == null ? reason.toString() : reason.getMessage());
        fatal.accept(reason);
        stopThreads();
        transport.close();
    }

    private void stopThreads() {
        inbox.close();
        commits.stop();
        threads.forEach(CycleThread::close);
    }

    private Readiness readiness() {
        NodePhase phase = state.phase();
        if (!phase.takesBatches()) {
            return new Readiness(false, phase + (state.trouble().isEmpty() ? "" : ": " + state.trouble()));
        }
        int needed = Quorum.of(genesis.genesis().getNodesCount()).size() - 1;
        int connected = transport.connected().size();
        return connected >= needed
                ? new Readiness(true, "")
                : new Readiness(false, connected + " peers connected, a quorum needs " + needed);
    }

    /** Returns the node's state as brokers and operators are told. */
    public NodeStatus status() {
        NodeState.Agreement agreement = state.agreement();
        NodeState.LastBlock last = state.lastBlock();
        NodeState.LastResult result = state.lastResult();
        Readiness readiness = readiness();
        return NodeStatus.newBuilder()
                .setNodeId(config.nodeId())
                .setChainId(genesis.genesis().getChainId())
                .setState(state.phase().name())
                .setView(agreement.view())
                .setPrimary(agreement.primary())
                .setLastDelivered(last.sequence())
                .setLastExecuted(result.sequence())
                .setStableCheckpoint(agreement.lowWatermark())
                .setLastBlockHash(ByteString.copyFrom(last.hash()))
                .setResultDigest(ByteString.copyFrom(result.digest()))
                .setLowWatermark(agreement.lowWatermark())
                .setHighWatermark(agreement.highWatermark())
                .setPendingBatches(agreement.pendingBatches())
                .setCommittedBatches(core.window().batchCount() + metrics.committedBatches())
                .setCommittedOrders(core.window().orderCount() + metrics.committedOrders())
                .addAllConnectedPeers(transport.connected())
                .setVerifier(verifier.provider())
                .setDurability(config.durability().name().toLowerCase(Locale.ROOT))
                .setReady(readiness.isReady())
                .setNotReadyReason(readiness.reason())
                .build();
    }

    public NodeMetrics metrics() {
        return metrics;
    }

    public NodeState state() {
        return state;
    }

    public int adminPort() {
        return admin.port();
    }

    /** Takes no more batches, answers what is under way, and closes every file. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        state.stopping("stopped by its operator");
        parts.close();
        log.info("node {} stopped at block {}", config.nodeId(), state.lastBlock());
    }
}
