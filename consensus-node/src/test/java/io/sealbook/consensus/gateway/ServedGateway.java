package io.sealbook.consensus.gateway;

import io.grpc.Attributes;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.access.role.PortSecurity;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.TestStages;
import io.sealbook.consensus.config.FeedConfig;
import io.sealbook.consensus.config.GatewayConfig;
import io.sealbook.consensus.config.IngressConfig;
import io.sealbook.consensus.config.RingWait;
import io.sealbook.consensus.endpoint.LaterNodes;
import io.sealbook.consensus.endpoint.NodeEndpoints;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.ingress.RingIngress;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.membership.Membership;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.AdmissionContext;
import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.admission.BatchDecoder;
import io.sealbook.node.admission.BrokerRegistry;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A gateway with what stands behind it in a node, but no agreement. The ring gives verdicts once it is started. */
final class ServedGateway implements AutoCloseable {
    private static final int RING_SIZE = 256;
    private static final int PAYLOAD_BYTES_MAX = 1 << 20;
    private static final int STALL_MS = 1_000;

    final NodeState state = new NodeState(Digest.ZERO);
    final NodeMetrics metrics = new NodeMetrics(new SimpleMeterRegistry(), state);
    final Ingress ingress;
    final Followers followers;
    final GatewayServer server;
    /** Runs what reads the archive. */
    volatile Executor service = Runnable::run;

    final BlockArchive archive;
    private final PayloadLog payloadLog;
    private final EvidenceStore evidence;
    private final Sessions sessions = new Sessions();
    final CommittedBlocks blocks;
    private final NodeEndpoints endpoints;
    private final int port;
    private final int submitInFlightMax;
    private final GatewayConfig limits;

    ServedGateway(Path directory, int port, int submitInFlightMax) {
        this(directory, port, submitInFlightMax, GatewayConfig.DEFAULTS);
    }

    /**
     * Wires it; nothing runs yet.
     *
     * @param directory of the archive
     * @param port 0 for a free one
     * @param submitInFlightMax unanswered batches of one stream
     * @param limits how much those who connect can hold
     */
    ServedGateway(Path directory, int port, int submitInFlightMax, GatewayConfig limits) {
        this.limits = limits;
        this.port = port;
        this.submitInFlightMax = submitInFlightMax;
        endpoints = endpoints(directory);
        archive = BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, 16, Durability.PROCESS));
        payloadLog = PayloadLog.open(FileStorage.open(directory.resolve("payload-log")), Durability.PROCESS);
        HeaderDecoding decoding = new HeaderDecoding(HeaderDecoding.Policy.ONCE, metrics::decoded);
        blocks = new CommittedBlocks(archive, decoding, 1);
        IngressConfig ingressLimits = new IngressConfig(
                VerifierSettings.named("bc"), 1, 0, RING_SIZE, RingWait.BLOCKING, submitInFlightMax, PAYLOAD_BYTES_MAX);
        Genesis nobody = Genesis.getDefaultInstance();
        PayloadStore store = new PayloadStore(PAYLOAD_BYTES_MAX, 1, 0);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        BatchDecoder decoder = new BatchDecoder(nobody, new BrokerRegistry(Membership.of(nobody)), metrics::decoded);
        SignatureVerifier verifier = SignatureProviders.named("bc");
        ingress = new RingIngress(
                new IngressContext(0, 1, ingressLimits, verifier.preferredBatch(), metrics, failure -> {
                    throw new AssertionError(failure);
                }),
                new TestStages(new DecodeStage(decoder, store, sessions), verifier),
                new Admission(
                        new AdmissionContext(
                                0,
                                0,
                                state,
                                member -> 0,
                                new EventRecorder(metrics),
                                early -> {},
                                (crowded, peer) -> {}),
                        store,
                        payloadLog,
                        sessions,
                        new Equivocations(
                                sessions, evidence, id -> Optional.empty(), verifier, new EventRecorder(metrics)),
                        new NobodyAdmitted()));
        followers = new Followers(
                blocks, metrics::followerCut, new ReadBudget(FeedConfig.DEFAULTS.archiveBytesPerSecond()), STALL_MS);
        server = anotherServer();
    }

    private static NodeEndpoints endpoints(Path directory) {
        try {
            return new NodeEndpoints(directory.resolve("known-nodes.json"), 0, List::of, LaterNodes.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a second server over the same node, which the caller closes. */
    GatewayServer anotherServer() {
        return new GatewayServer(
                new InetSocketAddress("127.0.0.1", port),
                PortSecurity.NONE,
                limits,
                new GatewayRefusals(
                        "node 0",
                        "sealbook_node_gateway",
                        metrics::gatewayConnectionRefused,
                        metrics::gatewayReadRefused,
                        metrics::gatewayRateRefused),
                List.of(
                        new OrderGatewayService(context(), followers, task -> service.execute(task)).limited(),
                        new BlockFeedService(archive, now -> List.of(), followers).limited(FeedConfig.DEFAULTS)));
    }

    GatewayContext context() {
        return new GatewayContext(
                0,
                ingress,
                blocks,
                sessions,
                new ChainMembership(Genesis.getDefaultInstance(), fate -> {}),
                endpoints,
                new ArchiveProofs(archive),
                state,
                metrics,
                submitInFlightMax,
                NodeStatus::getDefaultInstance);
    }

    /** Returns a channel to the gateway from an address of this host, still to be built. */
    NettyChannelBuilder channelFrom(String address) {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {
                    @Override
                    public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
                        return new InetSocketAddress(address, 0);
                    }
                });
    }

    @Override
    public void close() {
        server.close();
        ingress.close();
        payloadLog.close();
        evidence.close();
        archive.close();
    }

    private static final class NobodyAdmitted implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            throw new AssertionError("no broker is known, but " + payload.batchId() + " was admitted");
        }

        @Override
        public void onDurable(Payload payload) {
            onStored(payload);
        }

        @Override
        public void onEquivocation(Equivocation evidence) {
            throw new AssertionError("no batch was admitted");
        }
    }
}
