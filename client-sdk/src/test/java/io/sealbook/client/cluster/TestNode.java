package io.sealbook.client.cluster;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.ports.HeldPort;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SessionState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** One node with its engine, and how it misbehaves. Fields that a test sets are guarded by the cluster's lock. */
public final class TestNode {
    /** What the gateway does with batches. */
    public enum Submits {
        ADMITTING,
        /** Says ACCEPTED and forgets the batch. */
        DROPPING,
        REFUSING,
        /** Expects the number before, or that of the batch if there is none before, whatever it was sent. */
        FORGETTING,
        /** Reads and never answers. */
        SILENT
    }

    /** What the node says about commits. */
    public enum Receipts {
        TRUE,
        TWICE,
        WRONG_HASH,
        /** Claims that no block held a batch. */
        OMITTED,
        SILENT
    }

    /** What the engine says. */
    public enum Reports {
        TRUE,
        WRONG_BYTES,
        /** Its digests are true, the reports that it sends are not. */
        WRONG_REPORTS,
        /** Sends digests whatever it is asked for. */
        DIGESTS_ONLY,
        /** Sends reports whatever it is asked for, as an engine that has just started. */
        REPORTS_ONLY,
        SKIPPING_ONCE,
        REPEATING,
        SILENT,
        /** Sends true digests, and nothing where reports are wanted. */
        SILENT_AS_SENDER,
        /** Sends frames without reports, at its pace. */
        EMPTY_FRAMES
    }

    public final int nodeId;
    public final AtomicInteger brokenSubmitStreams = new AtomicInteger();
    public final List<Long> receiptsFrom = new ArrayList<>();
    public final List<Long> reportsFrom = new ArrayList<>();
    /** Of the streams on which it was asked for reports, not digests. */
    public final List<Long> sentReportsFrom = new ArrayList<>();

    /** What the node reports about the configuration; null for what is true. */
    volatile MembershipView claimedMembership;

    /** What the node sends as the proof of any batch; null if it has none. */
    volatile byte[] proof;

    /** Before it sends a proof, of a batch or of the membership. */
    volatile Duration proofDelay = Duration.ZERO;

    /** What the node sends as its membership proof; null for the true one. */
    volatile byte[] claimedMembershipProof;

    volatile int membershipProofsAsked;
    int membershipsAsked;
    volatile int claimedNodeId;
    volatile long claimedBlock;
    volatile String state = "NORMAL";
    volatile Submits submits = Submits.ADMITTING;
    volatile RefusalReason refusal = RefusalReason.BUSY;
    volatile Receipts receipts = Receipts.TRUE;
    volatile Reports reports = Reports.TRUE;
    volatile long reportsMax = Long.MAX_VALUE;
    /** First report that its engine keeps. */
    volatile long reportsFirst = 1;

    /** Between runs of reports, each of which is then sent by itself; zero if they are sent as they come. */
    volatile Duration reportsPace = Duration.ZERO;

    volatile boolean isAnswering = true;
    /** What it makes of each session when it answers a logon. */
    volatile UnaryOperator<SessionState.Builder> logon = UnaryOperator.identity();

    /** Whether it answers logons. */
    volatile boolean isLoggingOn = true;

    /** With which a logon that is not answered fails. */
    volatile Status logonFailure = Status.UNAVAILABLE;

    int logonsAsked;
    /** It answers logons after this node has; null if it does not wait. */
    TestNode logsOnAfter;

    private final ServerCredentials credentials;
    private final TestGateway gateway;
    private final TestEngine engine;
    final TestMarketData marketData;
    final TestQueries queries;
    private Server gatewayServer;
    private Server engineServer;
    private final List<HeldPort> heldPorts = new ArrayList<>();
    private HeldPort gatewayPort = hold();
    private HeldPort enginePort = hold();
    volatile Signer identity = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    /** Endpoint records that the gateway has; null for those of the cluster. */
    volatile List<EndpointRecord> claimedEndpoints;

    volatile long endpointsAsked;

    TestNode(TestCluster cluster, int nodeId, ServerCredentials credentials) {
        this.credentials = credentials;
        this.nodeId = nodeId;
        this.claimedNodeId = nodeId;
        this.gateway = new TestGateway(cluster, this);
        this.engine = new TestEngine(cluster, this);
        this.marketData = new TestMarketData(cluster);
        this.queries = new TestQueries(cluster);
        start();
    }

    /** Listens on its ports, which it keeps when it is killed. */
    void start() {
        gatewayServer = serve(gatewayPort.number(), gateway);
        engineServer = serve(enginePort.number(), engine, marketData, queries);
    }

    /** Cuts every connection without a word. */
    void kill() {
        stop(gatewayServer);
        stop(engineServer);
    }

    private HeldPort hold() {
        HeldPort port = new HeldPort();
        heldPorts.add(port);
        return port;
    }

    /** Listens on other ports; at the former ones nothing answers any more. */
    void move() {
        kill();
        gatewayPort = hold();
        enginePort = hold();
        start();
    }

    void close() {
        kill();
        heldPorts.forEach(HeldPort::close);
    }

    void forgetStreams() {
        gateway.onKilled();
        engine.onKilled();
    }

    void pump() {
        gateway.pump();
        engine.pump();
    }

    int gatewayPort() {
        return gatewayPort.number();
    }

    int enginePort() {
        return enginePort.number();
    }

    private Server serve(int port, BindableService... services) {
        try {
            NettyServerBuilder server =
                    NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port), credentials);
            // As gateways and engines do.
            server.permitKeepAliveTime(10, TimeUnit.SECONDS).permitKeepAliveWithoutCalls(true);
            for (BindableService service : services) {
                server.addService(service);
            }
            return server.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(Server server) {
        try {
            server.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
