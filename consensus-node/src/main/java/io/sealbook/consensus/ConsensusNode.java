package io.sealbook.consensus;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.archive.ArchiveHealth;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.consensus.admin.AdminServer;
import io.sealbook.consensus.admin.OperatorGate;
import io.sealbook.consensus.ceremony.SignedStart;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.EnginePlace;
import io.sealbook.consensus.config.ExperimentConfig;
import io.sealbook.consensus.config.KeyModes;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.OpenedKeys;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.execution.InProcessEngineFactory;
import io.sealbook.consensus.ingress.DegradingVerifier;
import io.sealbook.consensus.ingress.VerifierChoice;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.consensus.peers.Speech;
import io.sealbook.consensus.status.CertificateMeter;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.ProcessMeters;
import io.sealbook.consensus.status.ProvenFaulty;
import io.sealbook.consensus.status.Readiness;
import io.sealbook.consensus.status.StatusReport;
import io.sealbook.consensus.storage.DamagedArchive;
import io.sealbook.consensus.storage.NodeStorage;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.tls.TlsIdentity;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node, wired. Its constructors are the diagram of the process: {@link AgreementSide} and {@link BrokerSide} hold
 * the two halves; {@link #start} starts its threads. Parts are opened in the reverse of the order in which they are
 * closed.
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

    private final NodeContext context;
    private final AdminServer admin;
    private final ExecutionSide execution;
    private final AgreementSide agreement;
    private final BrokerSide brokers;
    private final StatusReport report;
    private final ProvenFaulty provenFaulty;
    private final ArchiveHealth archive;

    /**
     * Opens the node's files and wires its parts; nothing runs yet. If a part cannot be opened, those before it are
     * closed.
     *
     * @param directory of the node
     * @param options of this start
     * @param fatal receives a failure after which the process must end; called at most a few times, from any thread
     * @throws ConfigException if the settings, key or genesis file do not fit together
     * @throws io.sealbook.consensus.config.ReplacedIdentityException if the key is a former one of the node
     * @throws io.sealbook.node.restart.LostReplicaLogException if the records of this replica's votes are lost and the
     *     options do not accept that
     */
    public static ConsensusNode open(NodeDirectory directory, StartOptions options, Consumer<Throwable> fatal)
            throws IOException {
        return open(directory, options, new OpenedKeys(), fatal);
    }

    /**
     * As {@link #open(NodeDirectory, StartOptions, Consumer)}, in a process that may have opened the node before.
     *
     * @param directory of the node
     * @param options of this start
     * @param keys of the directory
     * @param fatal receives a failure after which the process must end; called at most a few times, from any thread
     */
    public static ConsensusNode open(
            NodeDirectory directory, StartOptions options, OpenedKeys keys, Consumer<Throwable> fatal)
            throws IOException {
        return open(directory, options, keys, fatal, Optional.empty(), UnaryOperator.identity());
    }

    /**
     * Opens a node whose words to other members are changed, for a laboratory: no command of this module does so.
     * Otherwise as {@link #open(NodeDirectory, StartOptions, Consumer)}.
     *
     * @param directory of the node
     * @param options of this start
     * @param fatal receives a failure after which the process must end; called at most a few times, from any thread
     * @param speech gets what speaks through the transport, and returns what decisions speak through
     */
    public static ConsensusNode openLaboratory(
            NodeDirectory directory, StartOptions options, Consumer<Throwable> fatal, UnaryOperator<Speech> speech)
            throws IOException {
        log.warn("LABORATORY: the words of this node to other members are changed; not for production");
        return open(directory, options, new OpenedKeys(), fatal, Optional.empty(), speech);
    }

    /**
     * Opens a replica: a node with an engine inside itself. Otherwise as {@link #open(NodeDirectory, StartOptions,
     * OpenedKeys, Consumer)}.
     *
     * @param directory of the node
     * @param options of this start
     * @param keys of the directory
     * @param fatal receives a failure after which the process must end; called at most a few times, from any thread
     * @param engine opens the engine
     */
    public static ConsensusNode openReplica(
            NodeDirectory directory,
            StartOptions options,
            OpenedKeys keys,
            Consumer<Throwable> fatal,
            InProcessEngineFactory engine)
            throws IOException {
        return open(directory, options, keys, fatal, Optional.of(engine), UnaryOperator.identity());
    }

    private static ConsensusNode open(
            NodeDirectory directory,
            StartOptions options,
            OpenedKeys keys,
            Consumer<Throwable> fatal,
            Optional<InProcessEngineFactory> engine,
            UnaryOperator<Speech> speech)
            throws IOException {
        OpenParts parts = new OpenParts();
        try {
            return new ConsensusNode(directory, options, keys, fatal, engine, speech, parts);
        } catch (BlockDamagedException damaged) {
            parts.closeAfter(damaged);
            throw DamagedArchive.ofNode(directory.archive(), damaged);
        } catch (Throwable failure) {
            parts.closeAfter(failure);
            throw failure;
        }
    }

    private ConsensusNode(
            NodeDirectory directory,
            StartOptions options,
            OpenedKeys keys,
            Consumer<Throwable> fatal,
            Optional<InProcessEngineFactory> engine,
            UnaryOperator<Speech> speech,
            OpenParts parts)
            throws IOException {
        context = context(directory, keys, speech, parts);
        admin = parts.add(new AdminServer(
                context.config().network().admin(),
                context.tls(),
                context.registry(),
                this::readiness,
                this::status,
                OperatorGate.ofNode(context.nodeId(), this::terms)));
        NodeStorage storage = NodeStorage.open(directory, context.member(), parts);
        execution = engine.isPresent() ? inside(engine.get(), storage) : execution(directory, storage);
        agreement = new AgreementSide(context, directory, storage, execution, options, fatal);
        brokers = new BrokerSide(context, storage, agreement, execution.services(), this::status);
        archive = storage.archive().health();
        report = report();
        provenFaulty = new ProvenFaulty(agreement.core::provenFaulty);
        addGauges(storage);
    }

    /** Returns the terms as of the last block. */
    private Genesis terms() {
        return agreement.core.membership().membership().terms();
    }

    private static NodeContext context(
            NodeDirectory directory, OpenedKeys keys, UnaryOperator<Speech> speech, OpenParts parts)
            throws IOException {
        Member member = Member.read(directory, keys);
        KeyModes.check(directory.keyFile());
        SignedStart.check(directory, member);
        warnOfLaboratory(member.config().experiment());
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        NodeState state = new NodeState(member.genesis().digest());
        NodeMetrics metrics = new NodeMetrics(registry, state);
        parts.add(new ProcessMeters(registry, directory.written()));
        VerifierSettings verifierSettings = member.config().ingress().verifier();
        DegradingVerifier verifier = parts.add(new DegradingVerifier(
                VerifierChoice.of(verifierSettings),
                failed -> VerifierChoice.beside(failed, verifierSettings),
                metrics));
        metrics.verifierCounters(verifier);
        Optional<TlsIdentity> tls = keys.tls(member.config().network().tls().in(directory.root()));
        CertificateMeter.register(registry, tls);
        return new NodeContext(
                member, registry, state, metrics, verifier, tls, directory.knownNodesFile(), speech, parts);
    }

    private ExecutionSide inside(InProcessEngineFactory engine, NodeStorage storage) {
        if (context.config().engine() != EnginePlace.LOCAL) {
            throw new ConfigException(
                    "node.properties: engine=" + context.config().engine()
                            + " names another place than this replica, whose engine is inside; leave the setting out");
        }
        if (context.config().experiment().execution().mode().isInProcess()) {
            throw new ConfigException("node.properties: a replica has an engine, experiment.execution names another");
        }
        return InsideExecution.ofReplica(
                context,
                storage.archive(),
                engine.open(
                        context.registry(), () -> context.state().lastBlock().sequence(), context.tls()));
    }

    private ExecutionSide execution(NodeDirectory directory, NodeStorage storage) throws IOException {
        if (context.config().experiment().execution().mode().isInProcess()) {
            return InsideExecution.ofExperiment(context, storage.archive());
        }
        LongSupplier lastArchived = storage.archive()::lastSequence;
        return switch (context.config().engine()) {
            case LOCAL -> new SeparatedExecution(context, directory, storage.archive());
            case REMOTE ->
                new RemoteExecution(directory, lastArchived, context.metrics().phases());
            case NONE -> new NoExecution(lastArchived);
        };
    }

    private static void warnOfLaboratory(ExperimentConfig experiment) {
        if (experiment.isLaboratory()) {
            log.warn("LABORATORY: node.properties has laboratory=true; not for production: {}", experiment);
        }
    }

    private StatusReport report() {
        return new StatusReport(
                context.member(),
                context.state(),
                context.metrics(),
                agreement.core.membership(),
                agreement.identity,
                agreement.core.window(),
                agreement.transport::connected,
                context.verifier()::state);
    }

    private void addGauges(NodeStorage storage) {
        new NodeGauges(context.metrics())
                .archive(storage.archive())
                .scrub(agreement.scrub)
                .laboratory(context.config().experiment().isLaboratory())
                .readiness(report)
                .queues(brokers.ingress, agreement.inbox, agreement.commits)
                .payloads(agreement.core, storage.files().payloadLog(), provenFaulty)
                .connections(admin, brokers, agreement.transport);
    }

    /**
     * Starts servers and threads: the admin port first, so that a node without it takes no part, and the gateway last,
     * so that no broker gets an answer before the node can serve.
     *
     * @throws IOException if a port cannot be bound; the caller closes the node then
     */
    public void start() throws IOException {
        admin.start();
        brokers.ingress.start();
        agreement.transport.start();
        agreement.threads.start();
        execution.start();
        brokers.gateway.start();
        brokers.exchange.start();
        sayHowItServes(context.config());
    }

    private void sayHowItServes(NodeConfig config) {
        String adminAddress = config.network().admin().address();
        if (!agreement.identity.takesPart()) {
            log.warn(
                    "node {} takes no part in epoch {}: node.key is not its key there; it follows the chain and waits"
                            + " for an administrative transaction that names its key; admin {}:{}",
                    context.nodeId(),
                    epoch(),
                    adminAddress,
                    admin.port());
            return;
        }
        log.info(
                "node {} ready: gateway {}:{}, admin {}:{}, verifier {}, durability {}",
                context.nodeId(),
                config.network().bindAddress(),
                brokers.gateway.port(),
                adminAddress,
                admin.port(),
                context.verifier().provider(),
                config.durability());
    }

    /** Returns the epoch in which the node takes part, or whose end it awaits. */
    public int epoch() {
        return agreement.core.membership().epoch().number();
    }

    /** Completed with the certificate that ends the node's epoch: it must be closed then, and opened again. */
    public CompletableFuture<StableCertificate> epochEnd() {
        return agreement.epochEnd;
    }

    /** Completed when the engine inside must be rebuilt: the node must be closed then, and opened again. */
    public CompletableFuture<Void> engineRebuild() {
        return agreement.engineRebuild;
    }

    private Readiness readiness() {
        return report.readiness();
    }

    /** Returns the node's state as brokers and operators read it. */
    public NodeStatus status() {
        return report.status().toBuilder()
                .setEndpointSerials(agreement.endpoints.serials())
                .setDamagedBlocks(archive.damagedBlockCount())
                .addAllProvenFaultyMembers(provenFaulty.get())
                .build();
    }

    public NodeMetrics metrics() {
        return context.metrics();
    }

    public NodeState state() {
        return context.state();
    }

    public int adminPort() {
        return admin.port();
    }

    /**
     * Takes no more batches, hands the view over if it is the primary, answers what is under way, and closes every
     * file. A second call does nothing.
     */
    @Override
    public synchronized void close() {
        if (agreement.failures.isClosing()) {
            return;
        }
        context.state().stopping(epochEnd().isDone() ? "its epoch has ended" : "stopped by its operator");
        if (!epochEnd().isDone()) {
            agreement.handOver();
        }
        context.parts().close();
        log.info(
                "node {} stopped at block {}", context.nodeId(), context.state().lastBlock());
    }
}
