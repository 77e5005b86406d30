package io.sealbook.consensus.follow;

import io.grpc.CallCredentials;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.access.TlsPorts;
import io.sealbook.access.role.PortSecurity;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.consensus.admin.AdminServer;
import io.sealbook.consensus.admin.OperatorGate;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.agent.CycleThread;
import io.sealbook.consensus.config.FollowerConfig;
import io.sealbook.consensus.config.KeyModes;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.SourceConfig;
import io.sealbook.consensus.endpoint.EndpointExchange;
import io.sealbook.consensus.endpoint.LaterNodes;
import io.sealbook.consensus.endpoint.NodeEndpoints;
import io.sealbook.consensus.gateway.ArchiveReadMeters;
import io.sealbook.consensus.gateway.BlockFeedService;
import io.sealbook.consensus.gateway.Followers;
import io.sealbook.consensus.gateway.GatewayRefusals;
import io.sealbook.consensus.gateway.GatewayRules;
import io.sealbook.consensus.gateway.GatewayServer;
import io.sealbook.consensus.gateway.LimitedService;
import io.sealbook.consensus.gateway.ReadBudget;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.ingress.VerifierChoice;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.consensus.results.EngineKey;
import io.sealbook.consensus.results.ResultReturner;
import io.sealbook.consensus.status.CertificateMeter;
import io.sealbook.consensus.status.ProcessMeters;
import io.sealbook.consensus.storage.DamagedArchive;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.follow.BlockJudge;
import io.sealbook.node.follow.FollowTerms;
import io.sealbook.node.follow.FollowedChain;
import io.sealbook.node.restart.StartUp;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.FollowerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One follower, wired: {@link FollowCycle} stores what its sources send, a gateway serves further followers, an admin
 * port serves operators. An engine beside it reads archive and queue as beside a node.
 */
public final class ChainFollower implements AutoCloseable {
    private static final int ROTATION_MAX = 1 << 16;
    private static final Logger log = LoggerFactory.getLogger(ChainFollower.class);

    private final OpenParts parts;
    private final FollowerConfig config;
    private final GenesisFile genesis;
    private final Consumer<Throwable> fatal;
    /** A follower serves blocks and no receipts: its readers need no headers. */
    private static final HeaderDecoding NOTHING_DECODED = new HeaderDecoding(HeaderDecoding.Policy.ONCE, headers -> {});

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final FollowerMeters meters = new FollowerMeters(registry);
    private final Optional<TlsIdentity> tls;
    private final FollowerStore store;
    private final FollowCycle cycle;
    private final EngineJudge judge;
    private final NodeEndpoints endpoints;
    private final Optional<EndpointExchange> exchange;
    private final FollowerReport report;
    private final AdminServer admin;
    private final GatewayServer gateway;
    private final List<CycleThread> threads = new ArrayList<>();
    private volatile String trouble = "";
    private boolean isClosed;

    /**
     * Opens the follower's files and wires its parts; nothing runs yet.
     *
     * @param directory with genesis file and settings; archive and queue are created
     * @param fatal receives a failure after which the process must end; from any thread
     * @throws io.sealbook.consensus.config.ConfigException if the settings are wrong
     * @throws io.sealbook.vocabulary.OperatingFailureException if a file cannot be read; for a damaged block it names
     *     the command that mends it
     */
    public static ChainFollower open(NodeDirectory directory, Consumer<Throwable> fatal) throws IOException {
        OpenParts parts = new OpenParts();
        try {
            return new ChainFollower(directory, fatal, parts);
        } catch (BlockDamagedException damaged) {
            parts.closeAfter(damaged);
            throw DamagedArchive.ofFollower(directory.archive(), damaged);
        } catch (Throwable failure) {
            parts.closeAfter(failure);
            throw failure;
        }
    }

    private ChainFollower(NodeDirectory directory, Consumer<Throwable> fatal, OpenParts parts) throws IOException {
        this.parts = parts;
        this.fatal = fatal;
        config = FollowerConfig.read(directory);
        genesis = directory.readGenesis();
        parts.add(new ProcessMeters(registry, directory.written()));
        SignatureVerifier verifier =
                parts.add(VerifierChoice.of(config.verifier()).verifier());
        tls = config.network().tls().in(directory.root()).open();
        CertificateMeter.register(registry, tls);
        admin = parts.add(new AdminServer(
                config.network().admin(),
                tls,
                registry,
                () -> report().readiness(),
                () -> report().status(),
                config.auditorId() == 0
                        ? OperatorGate.ofNobody()
                        : OperatorGate.ofAuditor(config.auditorId(), this::terms)));
        store = store(directory);
        cycle = parts.add(cycle(directory, verifier));
        judge = parts.add(new EngineJudge(store.archive(), directory.resultQueue(), directory.isolationFile()));
        endpoints = new NodeEndpoints(
                directory.knownNodesFile(),
                genesis.genesis().getChainId(),
                () -> terms().getNodesList(),
                LaterNodes.NONE);
        endpoints.save();
        exchange = config.source().addresses().isEmpty()
                ? Optional.of(parts.add(EndpointExchange.ofReader(
                        endpoints, new MemberGateway.Access(genesis.genesis(), tls, Optional.empty()))))
                : Optional.empty();
        report = new FollowerReport(genesis, store.archive(), cycle::state, judge, () -> trouble);
        Followers readers = new Followers(
                store.blocks(),
                meters::readerCut,
                new ReadBudget(config.feed().archiveBytesPerSecond()),
                config.readerStallMs());
        store.blocks().onCommitted(readers::signal);
        gateway = parts.add(gateway(readers));
        threads.add(new CycleThread("follow", cycle, this::fail));
        threads.add(new CycleThread("feed", readers, this::fail));
        threads.add(new CycleThread("judge", judge, this::fail));
        if (!config.resultsTo().isEmpty()) {
            threads.add(new CycleThread("results", parts.add(returner(directory)), this::fail));
        }
        parts.add(() -> threads.forEach(CycleThread::close));
        meters.state(cycle::state);
        meters.engine(judge);
        meters.gauge(
                "archive.damaged.blocks",
                "Did the disk cost blocks that cannot be served?",
                store.archive().health()::damagedBlockCount);
        meters.gauge("feed.streams", "How many follow from here?", readers::count);
        ArchiveReadMeters.register(registry, FollowerMeters.PREFIX, "feed", readers);
    }

    /** Returns the terms as of the last confirmed block. */
    private Genesis terms() {
        return cycle.state().terms();
    }

    private ResultReturner returner(NodeDirectory directory) throws IOException {
        ResultReturner returner = new ResultReturner(
                directory.resultQueue(),
                config.resultsTo(),
                TlsPorts.channel(tls),
                EngineKey.read(directory.engineKeyFile()));
        meters.gauge(
                "last.returned",
                "What is the last block whose result was returned to the node?",
                returner::lastReturned);
        return returner;
    }

    private FollowerReport report() {
        return report;
    }

    private FollowerStore store(NodeDirectory directory) {
        Parameters parameters = genesis.genesis().getParameters();
        BlockArchive archive = parts.add(BlockArchive.open(
                directory.archive(),
                new ArchiveConfig(genesis.digest(), parameters.getBlocksPerSegment(), config.durability())));
        DamagedArchive.logRecovery(archive, DamagedArchive.repairedByCommand(directory.archive()));
        BlockQueue queue = parts.add(new BlockQueue(directory.blockQueue(), config.durability()));
        long handedOver = StartUp.repairQueue(archive, queue);
        log.info("{} blocks handed over at the start", handedOver);
        return new FollowerStore(
                archive,
                queue,
                new CommittedBlocks(archive, NOTHING_DECODED, new SecureRandom().nextLong()),
                config.durability());
    }

    private FollowCycle cycle(NodeDirectory directory, SignatureVerifier verifier) throws IOException {
        Genesis agreed = genesis.genesis();
        SourceConfig source = config.source();
        FollowedChain chain = new FollowedChain(
                new FollowTerms(source.confirm() == SourceConfig.Confirm.SOURCE, source.heldBytesMax()),
                new BlockJudge(
                        source.isSignatureVerified() ? Optional.of(new BrokerSignatures(verifier)) : Optional.empty()),
                verifier);
        chain.beginAfter(store.last(), store.epochs(agreed), store.certified());
        Parameters parameters = agreed.getParameters();
        SourceProgress progress = new SourceProgress(
                TimeUnit.MILLISECONDS.toNanos(source.stallMs()),
                (long) parameters.getLogWindow() + parameters.getCheckpointInterval());
        return new FollowCycle(
                chain,
                store,
                new SourceAddresses(addresses(source), TlsPorts.channel(tls), credentials(directory)),
                progress);
    }

    /** Sources serve blocks to auditors and members only, if they have TLS. */
    private Optional<CallCredentials> credentials(NodeDirectory directory) throws IOException {
        if (config.auditorId() == 0) {
            return Optional.empty();
        }
        KeyModes.check(directory.auditorKeyFile());
        return Optional.of(new RoleCredentials(new RoleHolder(
                genesis.genesis().getChainId(),
                Role.AUDITOR,
                config.auditorId(),
                0,
                KeyFile.readSigner(
                        directory.auditorKeyFile(),
                        config.passphrase().in(directory.root()).source()))));
    }

    /** Followers without a setting begin with different members. */
    private Supplier<List<String>> addresses(SourceConfig source) {
        if (!source.addresses().isEmpty()) {
            return source::addresses;
        }
        int distance = new SecureRandom().nextInt(ROTATION_MAX);
        return () -> {
            List<String> addresses = new ArrayList<>(
                    endpoints.nodes().stream().map(MemberGateway::address).toList());
            Collections.rotate(addresses, distance);
            return addresses;
        };
    }

    private GatewayServer gateway(Followers readers) {
        BlockFeedService feed = new BlockFeedService(store.archive(), nowNs -> cycle.heads(), readers);
        return new GatewayServer(
                new InetSocketAddress(config.network().bindAddress(), config.gatewayPort()),
                PortSecurity.of(tls, this::terms, GatewayRules.ALL),
                config.gateway(),
                new GatewayRefusals(
                        "follower",
                        "sealbook_follower",
                        meters::connectionRefused,
                        meters::readRefused,
                        meters::rateRefused),
                List.of(
                        feed.limited(config.feed()),
                        new LimitedService(new FollowerInfoService(this::status), Set.of(), Set.of(), Map.of())));
    }

    /**
     * Starts servers and threads.
     *
     * @throws IOException if a port cannot be bound; the caller closes the follower then
     */
    public void start() throws IOException {
        admin.start();
        gateway.start();
        threads.forEach(CycleThread::start);
        exchange.ifPresent(EndpointExchange::start);
        log.info(
                "follower ready: gateway {}:{}, admin {}:{}, confirm {}, durability {}",
                config.network().bindAddress(),
                gateway.port(),
                config.network().admin().address(),
                admin.port(),
                config.source().confirm(),
                config.durability());
    }

    private void fail(Throwable failure) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
        }
        trouble = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        fatal.accept(failure);
    }

    /** Returns the follower's state as operators read it. */
    public FollowerStatus status() {
        return report.status();
    }

    public int adminPort() {
        return admin.port();
    }

    public int gatewayPort() {
        return gateway.port();
    }

    /** Stores nothing further and closes every file. A second call does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        trouble = "stopped by its operator";
        parts.close();
        log.info("follower stopped at block {}", cycle.state().lastBlock());
    }
}
