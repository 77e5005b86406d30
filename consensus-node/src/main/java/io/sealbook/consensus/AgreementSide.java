package io.sealbook.consensus;

import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.BlockChecker;
import io.sealbook.consensus.agent.CombinedCycle;
import io.sealbook.consensus.agent.CommitCycle;
import io.sealbook.consensus.agent.CommitQueue;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.NodeLoop;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.consensus.agent.ReplicaAgent;
import io.sealbook.consensus.config.IdentityInEpoch;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.ReplacedIdentityException;
import io.sealbook.consensus.config.StageThreads;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.config.ThreadLayout;
import io.sealbook.consensus.endpoint.LaterNodes;
import io.sealbook.consensus.endpoint.NodeEndpoints;
import io.sealbook.consensus.handoff.IsolationFile;
import io.sealbook.consensus.life.FailureStop;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.consensus.peers.Farewell;
import io.sealbook.consensus.peers.FormerNodeException;
import io.sealbook.consensus.peers.PeerGate;
import io.sealbook.consensus.peers.Speech;
import io.sealbook.consensus.peers.TransportPeers;
import io.sealbook.consensus.repair.ScrubCycle;
import io.sealbook.consensus.repair.StartRepair;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.storage.NodeStorage;
import io.sealbook.membership.Membership;
import io.sealbook.node.NodeCore;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.StartRepairCore;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.repair.Scrub;
import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.peer.EpochNodes;
import io.sealbook.peer.PeerConfig;
import io.sealbook.peer.PeerLimits;
import io.sealbook.peer.PeerTransport;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The members' side of a node: connections, agreement, and commit to the engine's side. */
final class AgreementSide {
    private static final Logger log = LoggerFactory.getLogger(AgreementSide.class);
    private static final int SERVICE_TASKS_MAX = 1_024;
    /** Between two readings of the whole archive; only a short archive is read so soon again. */
    private static final long SCRUB_REST_NS = TimeUnit.HOURS.toNanos(1);

    private final NodeContext context;
    private final NodeDirectory directory;
    private final NodeStorage storage;
    private final ExecutionSide execution;
    final IdentityInEpoch identity;
    final Optional<NodeLoop> loop;
    final AgentInbox inbox = new AgentInbox();
    final CommitQueue commits;
    final FailureStop failures;
    final NodeThreads threads;
    /** Closed after the threads have ended, before anything that they use is closed. */
    final OpenParts afterThreads;

    final ThreadPoolExecutor service;
    final PeerGate gate;
    final Speech speech;
    final NodeCore core;
    final NodeEndpoints endpoints;
    final PeerTransport transport;
    final Optional<Scrub> scrub;
    final CompletableFuture<StableCertificate> epochEnd = new CompletableFuture<>();
    final CompletableFuture<Void> engineRebuild = new CompletableFuture<>();

    /**
     * Opens everything; starts nothing.
     *
     * @param context of the node
     * @param directory of the node
     * @param storage its open files
     * @param execution the engine's side
     * @param options of this start
     * @param fatal receives a failure after which the process must end
     * @throws IOException if the file of nodes cannot be read or written
     */
    AgreementSide(
            NodeContext context,
            NodeDirectory directory,
            NodeStorage storage,
            ExecutionSide execution,
            StartOptions options,
            Consumer<Throwable> fatal)
            throws IOException {
        this.context = context;
        this.directory = directory;
        this.storage = storage;
        this.execution = execution;
        OpenParts parts = context.parts();
        loop = areStagesShared() ? Optional.of(parts.add(new NodeLoop(context.nodeId()))) : Optional.empty();
        commits = new CommitQueue(context.member().parameters().getLogWindow());
        failures = new FailureStop(context.state()::stopping, fatal, this::stopSpeaking);
        threads = new NodeThreads(context.nodeId(), inbox, commits, failures, loop);
        service = serviceThread();
        parts.add(service::shutdownNow);
        gate = new PeerGate(inbox, commits, service, context.metrics());
        TransportPeers peers = new TransportPeers();
        speech = context.speech().apply(peers);
        NodeSetup setup = setup(options);
        repairForStart(setup);
        core = core(setup, parts.add(blockChecker()));
        AgreementEpoch epoch = core.membership().epoch();
        context.metrics().peers(context.nodeId(), epoch.nodeCount());
        identity = identity(epoch);
        if (!identity.takesPart()) {
            // Brokers are sent elsewhere.
            context.state().catchingUp(true);
        }
        endpoints = endpoints(epoch.membership(), core.membership());
        publish(endpoints, epoch);
        transport = parts.add(transport(epoch));
        peers.connect(transport);
        scrub = scrub();
        addAgreement();
        afterThreads = parts.add(new OpenParts());
        parts.add(this::stopThreads);
    }

    private IdentityInEpoch identity(AgreementEpoch epoch) throws IOException {
        Member member = context.member();
        try {
            return IdentityInEpoch.of(member, epoch.membership());
        } catch (ReplacedIdentityException replaced) {
            Membership before = new MembershipHistory(
                            storage.archive(), member.genesis().genesis())
                    .asOf(epoch.origin().sequence())
                    .membership();
            boolean wasPresent = before.hasNode(member.nodeId())
                    && before.identity(member.nodeId()).equals(member.identity().verificationKey());
            throw wasPresent
                    ? new FormerNodeException(member.nodeId(), epoch.number(), farewell(before, epoch))
                    : replaced;
        }
    }

    private Farewell farewell(Membership last, AgreementEpoch next) throws IOException {
        int nodeCount = last.terms().getNodesCount();
        Set<Integer> staying = IntStream.range(0, nodeCount)
                .filter(node -> next.membership().hasNode(node)
                        && next.membership().identity(node).equals(last.identity(node)))
                .boxed()
                .collect(Collectors.toSet());
        return new Farewell(new Farewell.LastEpoch(
                context.nodeId(),
                nodes(last, endpoints(last, core.membership())),
                context.member().identity(),
                context.config().network().bindAddress(),
                context.config().experiment().offload(),
                new CheckpointProof(next.origin(), context.nodeId()),
                staying,
                Math.min(Quorum.of(nodeCount).oneCorrect(), staying.size())));
    }

    private ThreadPoolExecutor serviceThread() {
        return new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(SERVICE_TASKS_MAX), task -> {
                    Thread thread = new Thread(task, "service-" + context.nodeId());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    private boolean areStagesShared() {
        NodeConfig config = context.config();
        boolean isReplica =
                execution.isInside() && !config.experiment().execution().mode().isInProcess();
        boolean areShared = config.stageThreads()
                .areShared(new StageThreads.Circumstances(
                        isReplica,
                        config.durability(),
                        context.verifier().preferredBatch().callers(),
                        Runtime.getRuntime().availableProcessors()));
        log.info("stages of a batch: {}", areShared ? "one event loop" : "threads of their own");
        return areShared;
    }

    private NodeEndpoints endpoints(Membership epoch, ChainMembership membership) throws IOException {
        return new NodeEndpoints(
                context.knownNodes(),
                epoch.terms().getChainId(),
                () -> membership.membership().terms().getNodesList(),
                LaterNodes.after(
                        epoch.epoch(),
                        directory.membershipProofFile(),
                        context.member().genesis(),
                        context.verifier()));
    }

    private void publish(NodeEndpoints known, AgreementEpoch epoch) throws IOException {
        if (identity.takesPart()) {
            known.publish(self(epoch.membership()), context.member().identity());
        } else {
            known.save();
        }
    }

    /** The node takes no part before it knows the batches of its newest blocks. */
    private void repairForStart(NodeSetup setup) throws IOException {
        StartRepairCore start =
                new StartRepairCore(setup, storage.files(), execution.sink(), new EventRecorder(context.metrics()));
        if (start.areBlocksWhole()) {
            return;
        }
        AgreementEpoch epoch = start.epoch();
        NodeEndpoints known = endpoints(epoch.membership(), start.membership());
        boolean isRepaired = new StartRepair(start, peerConfig(epoch, known))
                .run(context.config().repair().startWaitMs());
        if (!isRepaired) {
            log.error("archive: no peer has sent blocks {}, which this start needs", start.damaged());
        }
    }

    private PeerTransport transport(AgreementEpoch epoch) {
        PeerConfig config = peerConfig(epoch, endpoints);
        return loop.map(shared -> new PeerTransport(config, gate, context.registry(), shared.group()))
                .orElseGet(() -> new PeerTransport(config, gate, context.registry()));
    }

    /** This node's ports are those of its settings, whoever has signed for it. */
    private PeerConfig peerConfig(AgreementEpoch epoch, NodeEndpoints known) {
        return new PeerConfig(
                context.nodeId(),
                nodes(epoch.membership(), known),
                context.member().identity(),
                context.verifier(),
                context.config().network().bindAddress(),
                context.config().experiment().offload(),
                PeerLimits.DEFAULTS,
                MessageLogConfig.defaults(new SecureRandom().nextLong()));
    }

    private EpochNodes nodes(Membership epoch, NodeEndpoints known) {
        return new EpochNodes(
                epoch.epoch(),
                epoch.epochBlock(),
                epoch.terms(),
                context.member().genesis().digest(),
                node -> node.getNodeId() == context.nodeId() ? List.of(self(epoch)) : known.addresses(node),
                known.later().nodes());
    }

    private BlockChecker blockChecker() {
        return new BlockChecker(context.nodeId(), context.config().ingress().verifyLanes(), commits, failures);
    }

    private NodeCore core(NodeSetup setup, BlockChecker blockChecker) {
        IsolationFile isolationFile =
                new IsolationFile(directory.isolationFile(), storage.archive()::certificateBefore, this::rebuildIfDue);
        NodePorts ports = new NodePorts(
                speech,
                execution.sink(),
                commits::offer,
                inbox::offer,
                epochEnd::complete,
                blockChecker,
                context.state(),
                new EventRecorder(context.metrics(), Optional.of(isolationFile)));
        NodeCore restored = NodeCore.open(setup, storage.files(), ports);
        if (context.state().isolatedAt() == 0) {
            isolationFile.delete();
        }
        int recordCount = storage.files().replicaLog().records().size();
        log.info(
                "replica: {} records, last block {}",
                recordCount,
                context.state().lastBlock());
        return restored;
    }

    private Optional<Scrub> scrub() {
        long bytesPerSecond = context.config().repair().scrubBytesPerSecond();
        return bytesPerSecond == 0
                ? Optional.empty()
                : Optional.of(new Scrub(
                        storage.archive(),
                        bytesPerSecond,
                        SCRUB_REST_NS,
                        () -> context.state().lastResult().sequence()));
    }

    private NodeSetup setup(StartOptions options) {
        return new NodeSetup(
                context.nodeId(),
                context.member().genesis(),
                context.config().durability(),
                context.config().experiment().execution().mode().proposesAfter(),
                context.config().experiment().payloadRoute(),
                context.config().experiment().decoding(),
                context.config().ingress().payloadStoreBytesMax(),
                new SecureRandom().nextLong(),
                options.isLostReplicaLogAccepted(),
                context.member().identity()::sign,
                context.verifier());
    }

    private void addAgreement() {
        ReplicaAgent agent =
                new ReplicaAgent(core.replicaCycle(), transport.inbox(), inbox, new SystemEpochNanoClock());
        DutyCycle committer =
                execution.connect(core, inbox, threads, new CommitCycle(core.committer(), commits, context.metrics()));
        if (loop.isPresent() || context.config().experiment().threads() == ThreadLayout.ONE) {
            threads.addOnPath("agent", new CombinedCycle(agent, committer));
        } else {
            threads.add("agent", agent);
            threads.add("commit", committer);
        }
        scrub.ifPresent(each -> threads.add("scrub", new ScrubCycle(each)));
    }

    /**
     * Returns this node as its epoch names it, at the addresses of its settings; one without host and ports if its
     * epoch does not name it.
     */
    Node self() {
        return self(core.membership().epoch().membership());
    }

    private Node self(Membership epoch) {
        return epoch.hasNode(context.nodeId())
                ? context.config().address().over(epoch.terms().getNodes(context.nodeId()))
                : Node.getDefaultInstance();
    }

    /** Hands the view over if this node is its primary: it stops. */
    void handOver() {
        if (threads.areRunning() && identity.takesPart()) {
            new HandOver(context.nodeId(), context.state(), inbox)
                    .run(
                            core.membership().epoch().nodeCount(),
                            transport.connected().size());
        }
    }

    private void rebuildIfDue() {
        if (execution.isRebuildDue()) {
            engineRebuild.complete(null);
        }
    }

    /** After a failure no vote leaves any more. */
    private void stopSpeaking() {
        threads.stop();
        transport.close();
    }

    private void stopThreads() {
        failures.beginClosing();
        threads.stop();
    }
}
