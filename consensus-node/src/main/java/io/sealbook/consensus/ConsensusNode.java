package io.sealbook.consensus;

import com.google.protobuf.ByteString;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.admin.AdminServer;
import io.sealbook.consensus.admin.Readiness;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.CombinedCycle;
import io.sealbook.consensus.agent.CommitCycle;
import io.sealbook.consensus.agent.CycleThread;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.ReplicaAgent;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.ThreadLayout;
import io.sealbook.consensus.gateway.Followers;
import io.sealbook.consensus.gateway.GatewayContext;
import io.sealbook.consensus.gateway.GatewayServer;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.handoff.ResultReader;
import io.sealbook.consensus.ingress.DegradingVerifier;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.transfer.BlockChecker;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.node.agent.AgentContext;
import io.sealbook.node.commit.CommitContext;
import io.sealbook.node.commit.CommitTask;
import io.sealbook.node.commit.CommittedBlocks;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.restart.StartUp;
import io.sealbook.node.status.NodePhase;
import io.sealbook.node.status.NodeState;
import io.sealbook.node.transfer.BlockSignatures;
import io.sealbook.node.transfer.CertificateChecker;
import io.sealbook.node.transfer.PeerServer;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.peer.PeerConfig;
import io.sealbook.peer.PeerLimits;
import io.sealbook.peer.PeerTransport;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.Digest;
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
    private static final long NS_PER_MS = 1_000_000L;
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
    private final BlockQueue blockQueue;
    private final CommittedBlocks blocks;
    private final PayloadStore payloads;
    private final NonceWindow nonces = new NonceWindow(NONCES_PER_BROKER_MAX);
    private final StartUp.Window window;

    private final AgentInbox inbox = new AgentInbox();
    private final Ingress ingress;
    private final PeerLinks links;
    private final PeerTransport transport;
    private final BlockChecker blockChecker;
    private final CommitCycle committer;
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
     * @param fatal is told about a failure after which the process must end; called at most a few times, from any
     *     thread
     * @throws ConfigException if the settings, key or genesis file do not fit together
     */
    public static ConsensusNode open(NodeDirectory directory, Consumer<Throwable> fatal) throws IOException {
        OpenParts parts = new OpenParts();
        try {
            return new ConsensusNode(directory, fatal, parts);
        } catch (Throwable failure) {
            parts.closeAfter(failure);
            throw failure;
        }
    }

    private ConsensusNode(NodeDirectory directory, Consumer<Throwable> fatal, OpenParts parts) throws IOException {
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
        verifier = parts.add(new DegradingVerifier(chooseVerifier(), metrics));
        metrics.verifierCounters(verifier);
        admin = parts.add(new AdminServer(config.network().admin(), registry, this::readiness, this::status));

        archive = parts.add(BlockArchive.open(
                directory.archive(),
                new ArchiveConfig(genesis.digest(), parameters.getBlocksPerSegment(), config.durability())));
        StartUp.logRecovery(archive);
        replicaLog = parts.add(ReplicaLog.open(FileStorage.open(directory.replicaLog()), config.durability()));
        blockQueue = parts.add(new BlockQueue(directory.blockQueue(), config.durability()));
        StartUp.repairQueue(archive, blockQueue);

        payloads = new PayloadStore(config.ingress().payloadStoreBytesMax(), nodeCount, config.nodeId());
        blocks = new CommittedBlocks(archive);
        window = StartUp.readWindow(
                archive, Math.max(parameters.getValidityBlocksMax(), parameters.getLogWindow()), nonces, blocks);
        if (archive.lastSequence() > 0) {
            Block last = StartUp.block(archive, archive.lastSequence());
            state.lastBlock(new NodeState.LastBlock(
                    last.header().sequence(), last.header().blockTimeNs(), last.hash()));
        }

        service = serviceThread();
        parts.add(service::shutdownNow);
        links = new PeerLinks(
                config.nodeId(),
                nodeCount,
                config.payloadRoute(),
                payloads,
                new PeerServer(payloads, blocks, archive),
                service,
                metrics);
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
                links,
                registry));
        blockChecker = parts.add(new BlockChecker(
                config.nodeId(),
                config.ingress().verifyLanes(),
                new BlockSignatures(genesis.genesis(), verifier, payloads),
                this::onFailure));
        committer = new CommitCycle(
                new Committer(
                        new CommitContext(
                                archive,
                                blockQueue,
                                blocks,
                                payloads,
                                nonces,
                                inbox::offer,
                                state,
                                metrics,
                                config.durability()),
                        new StateTransfer(
                                links,
                                new CertificateChecker(genesis.genesis(), verifier),
                                blockChecker,
                                parameters.getCheckpointInterval()),
                        parameters.getLogWindow()),
                parameters.getLogWindow());
        blockChecker.connect(checked -> committer.offer(new CommitTask.BlocksChecked(checked)));

        Replica replica = restoredReplica(identity);
        ReplicaAgent agent = new ReplicaAgent(
                replica,
                transport.inbox(),
                inbox,
                new SystemEpochNanoClock(),
                new AgentContext(
                        links, replicaLog, config.durability(), payloads, nonces, committer::offer, state, metrics));
        long stable = replica.lowWatermark();
        results = parts.add(new ResultReader(
                directory.resultQueue(), Math.max(0, stable - 1), archive::lastSequence, this::onResult));
        ResultCycle resultCycle = new ResultCycle(results, state);
        followers = new Followers(blocks, metrics, config.receiptStallMs());
        blocks.onCommitted(followers::signal);
        blocks.onCommitted(resultCycle::wakeUp);

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
                new IngressContext(
                        config.nodeId(), genesis.genesis(), config.ingress(), state, metrics, this::onFailure),
                verifier,
                payloads,
                nonces,
                this::onAdmitted));
        links.connect(transport, ingress, committer);
        gateway = parts.add(new GatewayServer(
                new InetSocketAddress(config.network().bindAddress(), self.getGatewayPort()),
                new GatewayContext(
                        config.nodeId(),
                        ingress,
                        blocks,
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
        String name = config.ingress().verifier();
        SignatureProviders.Choice choice =
                name.equals("best") ? SignatureProviders.chooseBest() : SignatureProviders.chooseNamed(name);
        choice.description().forEach(line -> log.info("verifier: {}", line));
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

    private Replica restoredReplica(Signer identity) {
        Parameters parameters = genesis.genesis().getParameters();
        ReplicaConfig replicaConfig = ReplicaConfig.builder(
                        config.nodeId(),
                        genesis.genesis().getNodesCount(),
                        genesis.genesis().getChainId())
                .block(parameters.getBlockMaxBatches(), parameters.getBlockMaxWaitMs() * NS_PER_MS)
                .windows(parameters.getPipelineWindow(), parameters.getCheckpointInterval(), parameters.getLogWindow())
                .timeouts(
                        parameters.getRequestTimeoutMs() * NS_PER_MS,
                        parameters.getViewChangeTimeoutMaxMs() * NS_PER_MS)
                .blockTimeDriftMaxNs(parameters.getBlockTimeDriftMaxMs() * NS_PER_MS)
                .hashSeed(new SecureRandom().nextLong())
                .build();
        Replica replica = new Replica(replicaConfig, identity::sign);
        List<ReplicaRecord> records = replicaLog.records();
        replica.restore(
                records,
                archive.lastSequence(),
                sequence -> Digest.of(StartUp.block(archive, sequence).hash()));
        List<Output> none = new ArrayList<>();
        for (Input.BlockTransferred block : window.transferred()) {
            replica.step(block, none);
        }
        if (!none.isEmpty()) {
            throw new IllegalStateException("replica wants " + none + " before its start");
        }
        log.info("replica: {} records, last block {}", records.size(), state.lastBlock());
        return replica;
    }

    private void thread(String name, DutyCycle cycle) {
        threads.add(new CycleThread(name + "-" + config.nodeId(), cycle, this::onFailure));
    }

    private void gauges() {
        metrics.gauge("ring.depth", "How many batches wait for their verdict?", ingress::depth);
        metrics.gauge("inbox.depth", "How much waits for agreement?", inbox::depth);
        metrics.gauge("commit.depth", "How many blocks wait for the archive?", committer::depth);
        metrics.gauge("payload.count", "How many batches wait for their block?", payloads::count);
        metrics.gauge("payload.bytes", "How many bytes do they take?", payloads::bytes);
        metrics.gauge(
                "admin.connections", "How many connections hold places of the admin port?", admin::connectionCount);
        metrics.gauge("nonce.count", "How many nonces take up room?", nonces::heldCount);
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

    private void onAdmitted(Payload payload, boolean isFromBroker) {
        if (isFromBroker) {
            links.spread(payload, state.agreement().primary());
        }
        inbox.put(new Input.BatchAvailable(
                payload.batchId(), payload.brokerId(), payload.arrivalTimeNs(), payload.validUntilBlock()));
    }

    /** The engine may answer before the block's readers have been told of it; the archive holds it by then. */
    private void onResult(long sequence, byte[] resultDigest, long executedTimeNs) {
        state.lastResult(new NodeState.LastResult(sequence, resultDigest));
        if (executedTimeNs > 0) {
            archive.putExecutionTime(sequence, executedTimeNs);
        }
        if (sequence % genesis.genesis().getParameters().getCheckpointInterval() == 0) {
            Block block = StartUp.block(archive, sequence);
            inbox.put(new Input.Executed(sequence, Digest.of(block.hash()), Digest.of(resultDigest)));
        }
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
        committer.stop();
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
                .setCommittedBatches(window.batchCount() + metrics.committedBatches())
                .setCommittedOrders(window.orderCount() + metrics.committedOrders())
                .addAllConnectedPeers(transport.connected())
                .setVerifier(verifier.provider())
                .setDurability(config.durability().name().toLowerCase(Locale.ROOT))
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
