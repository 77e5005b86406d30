package io.sealbook.perf.siege;

import io.grpc.CallCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/** A broker with a valid certificate opens more than it may, from the address of the honest ones. */
final class ReaderAttacks {
    /** More than one certificate may have at a gateway. */
    private static final int CONNECTIONS = 300;

    /** More than one certificate may have at a gateway, and at an engine. */
    private static final int STREAMS = 160;

    /** More than all places of streams of market data at an engine. */
    private static final int CERTIFICATES = 300;

    /** Some lines per ten seconds and port, of eight processes. */
    private static final long LOG_BYTES_MAX = 60_000;

    private static final int STREAMS_PER_CONNECTION = 20;
    /**
     * 83 streams per second: fewer than the calls that a port takes of one caller, so that none is refused for that.
     */
    private static final long PAUSE_MS = 12;

    private static final int RESETS = 5_000;
    private static final int RESETS_AT_ONCE = 100;
    private static final int WINDOW = 65_535;
    private static final int OVERSIZED = 8 << 20;
    private static final String TOO_LARGE = Status.Code.RESOURCE_EXHAUSTED.name();

    private ReaderAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "connections",
                        CONNECTIONS + " connections of one broker to gateway and engine; found: all are kept, or others"
                                + " get none",
                        ReaderAttacks::connections),
                new Attack(
                        "public-flood",
                        CERTIFICATES + " certificates without a role, each with streams of market data; found: a role"
                                + " gets no place",
                        ReaderAttacks::publicFlood),
                new Attack(
                        "streams",
                        STREAMS + " streams of one broker that nobody reads; found: all are served, or others get none",
                        ReaderAttacks::streams),
                new Attack(
                        "rapid-reset",
                        RESETS + " calls on one connection that are cancelled at once, again and again; found: all are"
                                + " taken, or others get no answer",
                        ReaderAttacks::resets),
                new Attack(
                        "oversized",
                        "a message of " + OVERSIZED + " bytes; found: it is read, or others get no answer",
                        ReaderAttacks::oversized));
    }

    private static AttackResult connections(Besieged besieged) throws Exception {
        AtomicInteger answers = new AtomicInteger();
        List<Double> before = refusedConnections(besieged);
        try (OpenCalls calls = new OpenCalls()) {
            CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
            for (int i = 0; i < 2 * CONNECTIONS; i++) {
                boolean isGateway = i % 2 == 0;
                ManagedChannel channel = calls.add(besieged.channel(
                        isGateway ? besieged.gatewayPort(0) : besieged.enginePort(0), Guest.OTHER_BROKER));
                MethodDescriptor<?, ?> stream =
                        isGateway ? OrderGatewayGrpc.getSubmitMethod() : EngineStatusGrpc.getGetEngineStatusMethod();
                calls.open(channel, stream, new byte[0], role, status -> answers.incrementAndGet());
            }
            Await.fact("refused connections of both ports", () -> {
                List<Double> now = refusedConnections(besieged);
                return now.get(0) > before.get(0) && now.get(1) > before.get(1);
            });
            return service(
                    besieged, 2 * CONNECTIONS + " connections were tried, " + answers.get() + " calls have ended");
        }
    }

    /** Returns how many connections a node and the gRPC port of its engine have refused. */
    private static List<Double> refusedConnections(Besieged besieged) throws IOException, InterruptedException {
        try (HttpClient client = HttpAttacks.client(besieged, Guest.NONE)) {
            String node = HttpAttacks.body(client, besieged.adminPort(0), "/metrics");
            return List.of(
                    value(node, "sealbook_node_gateway_refused_connections", ""),
                    refused(engineMetrics(client, besieged), "connections"));
        }
    }

    /**
     * Returns how many connections and streams the gRPC port of an engine has refused. The calls of the attack do not
     * tell: one that was served for a while before its connection was closed ends when its messages were taken, and the
     * attack takes none.
     */
    private static double refusedByEngine(Besieged besieged) throws IOException, InterruptedException {
        try (HttpClient client = HttpAttacks.client(besieged, Guest.NONE)) {
            String engine = engineMetrics(client, besieged);
            return refused(engine, "connections") + refused(engine, "reads");
        }
    }

    private static String engineMetrics(HttpClient client, Besieged besieged) throws IOException, InterruptedException {
        return HttpAttacks.body(client, besieged.httpPort(0), "/actuator/prometheus");
    }

    private static double refused(String engineMetrics, String what) throws IOException {
        return value(engineMetrics, "sealbook_engine_refused_" + what, "port=\"grpc\"");
    }

    private static double value(String metrics, String counter, String tag) throws IOException {
        return metrics.lines()
                .filter(line -> line.startsWith(counter) && line.contains(tag))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no metric " + counter + " " + tag));
    }

    /** Whoever proves a role has places that certificates without one cannot take. */
    private static AttackResult publicFlood(Besieged besieged) throws Exception {
        double refusedBefore = refusedByEngine(besieged);
        long logBefore = besieged.logBytes();
        try (OpenCalls calls = new OpenCalls()) {
            for (int i = 0; i < CERTIFICATES; i++) {
                ManagedChannel channel = calls.add(besieged.channelOfNobody(besieged.enginePort(0), i));
                for (MethodDescriptor<?, ?> method :
                        List.of(MarketDataGrpc.getFollowDepthMethod(), MarketDataGrpc.getFollowTradesMethod())) {
                    byte[] request = DoorRequests.ofAttacker(method.getFullMethodName());
                    calls.open(channel, method, request, null, status -> {});
                }
            }
            Await.fact("a refusal of public streams", () -> refusedByEngine(besieged) > refusedBefore);
            AttackResult served = service(
                    besieged,
                    String.format(
                            Locale.ROOT,
                            "%d certificates, %.0f of their connections and streams were refused",
                            CERTIFICATES,
                            refusedByEngine(besieged) - refusedBefore));
            long logged = besieged.logBytes() - logBefore;
            return served.isHeld() && logged > LOG_BYTES_MAX
                    ? AttackResult.found("the logs grew by " + logged + " bytes")
                    : served;
        }
    }

    private static AttackResult streams(Besieged besieged) throws Exception {
        List<String> faults = new ArrayList<>();
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        try (OpenCalls calls = new OpenCalls()) {
            for (MethodDescriptor<?, ?> method : List.of(
                    OrderGatewayGrpc.getFollowReceiptsMethod(),
                    ExecutionReportsGrpc.getFollowMethod(),
                    MarketDataGrpc.getFollowDepthMethod())) {
                int port = method == OrderGatewayGrpc.getFollowReceiptsMethod()
                        ? besieged.gatewayPort(0)
                        : besieged.enginePort(0);
                AtomicInteger refused = new AtomicInteger();
                for (int i = 0; i < STREAMS / STREAMS_PER_CONNECTION; i++) {
                    ManagedChannel channel = calls.add(besieged.channel(port, Guest.OTHER_BROKER));
                    for (int stream = 0; stream < STREAMS_PER_CONNECTION; stream++) {
                        calls.open(
                                channel,
                                method,
                                DoorRequests.ofAttacker(method.getFullMethodName()),
                                role,
                                OpenCalls.refusals(refused));
                        Thread.sleep(PAUSE_MS);
                    }
                }
                Await.fact("a refusal of streams of " + method.getFullMethodName(), () -> refused.get() > 0);
            }
            faults.addAll(Service.faults(besieged));
        }
        return faults.isEmpty()
                ? AttackResult.held("streams beyond the limit are refused, all honest callers served")
                : AttackResult.found(String.join("; ", faults));
    }

    private static AttackResult resets(Besieged besieged) throws Exception {
        try (AttackLoop loop = AttackLoop.begin("rapid-reset", () -> resetUntilClosed(besieged))) {
            return whileItGoesOn(
                    loop, besieged, "connections were closed before they had cancelled " + RESETS + " calls");
        }
    }

    /** What is written reaches the port also if the port reads slowly: it counts what it reads in a second. */
    private static void resetUntilClosed(Besieged besieged) throws IOException {
        try (RawHttp2 gateway = RawHttp2.open(besieged, besieged.gatewayPort(0), Guest.OTHER_BROKER, WINDOW)) {
            if (!isClosedByResets(gateway)) {
                throw new IOException(RESETS + " calls were cancelled on one connection, which is open");
            }
        }
    }

    /** Returns whether the other side ends a connection that cancels its calls. */
    static boolean isClosedByResets(RawHttp2 connection) throws IOException {
        try {
            for (int i = 0; i < RESETS; i += RESETS_AT_ONCE) {
                connection.cancelledCalls(OrderGatewayGrpc.getSubmitMethod(), RESETS_AT_ONCE);
            }
            connection.sync();
            return false;
        } catch (EOFException | SocketException | SSLException closed) {
            return true;
        }
    }

    private static AttackResult oversized(Besieged besieged) throws Exception {
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        ManagedChannel channel = besieged.channel(besieged.gatewayPort(0), Guest.OTHER_BROKER);
        ManagedChannel engine = besieged.channel(besieged.enginePort(0), Guest.OTHER_BROKER);
        try (AttackLoop loop = AttackLoop.begin("oversized", () -> {
            String gateway = answerToOversized(channel, OrderGatewayGrpc.getSubmitMethod(), role);
            String reports = answerToOversized(engine, ExecutionReportsGrpc.getFollowMethod(), role);
            if (!gateway.equals(TOO_LARGE) || !reports.equals(TOO_LARGE)) {
                throw new IOException("gateway: " + gateway + ", engine: " + reports);
            }
        })) {
            return whileItGoesOn(loop, besieged, "rounds of messages refused with " + TOO_LARGE);
        } finally {
            channel.shutdownNow();
            engine.shutdownNow();
        }
    }

    private static String answerToOversized(ManagedChannel channel, MethodDescriptor<?, ?> method, CallCredentials role)
            throws InterruptedException {
        return DoorAttacks.answer(channel, method, new byte[OVERSIZED], role, DoorAttacks.ANSWER_LIMIT_S);
    }

    /**
     * Asks for the service of honest callers while an attack goes on.
     *
     * @param loop has begun
     * @param besieged is attacked
     * @param fact what its rounds are
     * @throws IOException if a round has failed
     */
    static AttackResult whileItGoesOn(AttackLoop loop, Besieged besieged, String fact)
            throws IOException, InterruptedException {
        loop.awaitRounds(1);
        List<String> faults = Service.faults(besieged);
        loop.awaitRounds(1);
        return faults.isEmpty()
                ? AttackResult.held(loop.rounds() + " " + fact + ", all honest callers served")
                : AttackResult.found(String.join("; ", faults));
    }

    static AttackResult service(Besieged besieged, String fact) throws IOException, InterruptedException {
        List<String> faults = Service.faults(besieged);
        return faults.isEmpty()
                ? AttackResult.held(fact + ", all honest callers served")
                : AttackResult.found(String.join("; ", faults));
    }
}
