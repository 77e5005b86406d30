package io.sealbook.perf.siege;

import com.google.protobuf.ByteString;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A broker that proves its role calls and sends as fast as it can, from the address of the honest ones. */
final class RateAttacks {
    /** Rates of the besieged processes, which a slow machine exceeds and no honest caller of the siege reaches. */
    static final List<String> NODE_SETTINGS = List.of(
            "", "gateway-calls-per-second=100", "gateway-bytes-per-second=2000000", "admin-requests-per-second=20");

    static final List<String> ENGINE_SETTINGS =
            List.of("--sealbook.engine.grpc.calls-per-second=100", "--sealbook.engine.http.requests-per-second=20");

    /** Many times two seconds' worth. */
    private static final int CALLS_MAX = 20_000;

    private static final int REQUESTS_MAX = 5_000;
    /** Fewer than the calls and the connections that a caller may have at each port. */
    private static final int CALLS_AT_ONCE = 12;

    private static final int REQUESTS_AT_ONCE = 8;

    /** Many times two seconds' worth, in messages that the gateway reads. */
    private static final int MESSAGES_MAX = 200;

    private static final int REQUESTS_PER_MESSAGE = 10;
    private static final int REQUEST_LENGTH = 50_000;
    private static final long LIMIT_S = 120;
    private static final int OK = 200;
    private static final String TOO_MANY_REQUESTS = "status 429";

    private RateAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "call-flood",
                        "calls of one broker at each port, as fast as they go; found: all are answered, or others get"
                                + " none",
                        RateAttacks::calls),
                new Attack(
                        "byte-flood",
                        "a stream of one broker with junk, as fast as it goes; found: all of it is read, or others get"
                                + " no answer",
                        RateAttacks::bytes));
    }

    /** Each port is flooded until it refuses, and goes on being flooded by callers that it refuses. */
    private static AttackResult calls(Besieged besieged) throws Exception {
        MethodDescriptor<?, ?> ofGateway = OrderGatewayGrpc.getGetNodeStatusMethod();
        MethodDescriptor<?, ?> ofEngine = EngineStatusGrpc.getGetEngineStatusMethod();
        int http = besieged.httpPort(0);
        int admin = besieged.adminPort(0);
        ManagedChannel gateway = besieged.channel(besieged.gatewayPort(0), Guest.OTHER_BROKER);
        ManagedChannel engine = besieged.channel(besieged.enginePort(0), Guest.OTHER_BROKER);
        try (HttpClient client = HttpAttacks.client(besieged, Guest.OTHER_BROKER);
                AttackLoop one = AttackLoop.begin("calls of gateway", () -> flood(besieged, gateway, ofGateway));
                AttackLoop two = AttackLoop.begin("calls of engine", () -> flood(besieged, engine, ofEngine));
                AttackLoop three =
                        AttackLoop.begin("calls of http", () -> floodHttp(besieged, client, http, "/api/status"));
                AttackLoop four =
                        AttackLoop.begin("calls of admin", () -> floodHttp(besieged, client, admin, "/health/live"))) {
            List<AttackLoop> loops = List.of(one, two, three, four);
            for (AttackLoop loop : loops) {
                loop.awaitRounds(1);
            }
            List<String> faults = Service.faults(besieged);
            for (AttackLoop loop : loops) {
                loop.awaitRounds(1);
            }
            return faults.isEmpty()
                    ? AttackResult.held("each port refuses a broker that is too fast, all honest callers served")
                    : AttackResult.found(String.join("; ", faults));
        } finally {
            gateway.shutdownNow();
            engine.shutdownNow();
        }
    }

    /** Calls a method until it is refused because the caller is too fast. */
    private static void flood(Besieged besieged, ManagedChannel channel, MethodDescriptor<?, ?> method)
            throws IOException, InterruptedException {
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        AtomicReference<Status> refusal = new AtomicReference<>();
        Semaphore places = new Semaphore(CALLS_AT_ONCE);
        int calls = 0;
        while (calls < CALLS_MAX && refusal.get() == null) {
            take(places, 1);
            calls++;
            call(channel, method, role, status -> {
                places.release();
                if (!status.isOk()) {
                    refusal.compareAndSet(null, status);
                }
            });
        }
        take(places, CALLS_AT_ONCE);
        judge(method.getFullMethodName() + ": " + calls + " calls", refusal.get());
    }

    private static void judge(String what, Status refusal) throws IOException {
        if (refusal == null) {
            throw new IOException(what + ": none was refused");
        }
        if (refusal.getCode() != Status.Code.RESOURCE_EXHAUSTED
                || !String.valueOf(refusal.getDescription()).contains(" per second")) {
            throw new IOException(what + ": refused with " + refusal);
        }
    }

    private interface End {
        void on(Status status);
    }

    private static ClientCall<byte[], byte[]> begin(
            ManagedChannel channel, MethodDescriptor<?, ?> method, CallCredentials role, End end) {
        ClientCall<byte[], byte[]> call = channel.newCall(
                method.toBuilder(DoorAttacks.BYTES, DoorAttacks.BYTES).build(),
                CallOptions.DEFAULT.withCallCredentials(role));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.on(status);
                    }
                },
                new Metadata());
        return call;
    }

    private static void call(ManagedChannel channel, MethodDescriptor<?, ?> method, CallCredentials role, End end) {
        ClientCall<byte[], byte[]> call = begin(channel, method, role, end);
        call.request(2);
        call.sendMessage(new byte[0]);
        call.halfClose();
    }

    private static void floodHttp(Besieged besieged, HttpClient client, int port, String path)
            throws IOException, InterruptedException {
        Optional<String> statement = besieged.identities().statement(Guest.OTHER_BROKER);
        AtomicReference<String> refusal = new AtomicReference<>();
        Semaphore places = new Semaphore(REQUESTS_AT_ONCE);
        int requests = 0;
        while (requests < REQUESTS_MAX && refusal.get() == null) {
            take(places, 1);
            requests++;
            HttpAttacks.statusLater(client, port, path, statement).whenComplete((status, failure) -> {
                if (failure != null || status != OK) {
                    refusal.compareAndSet(null, failure == null ? "status " + status : failure.toString());
                }
                places.release();
            });
        }
        take(places, REQUESTS_AT_ONCE);
        if (!TOO_MANY_REQUESTS.equals(refusal.get())) {
            throw new IOException(path + ": " + requests + " requests, refused with " + refusal.get());
        }
    }

    private static void take(Semaphore places, int count) throws IOException, InterruptedException {
        if (!places.tryAcquire(count, LIMIT_S, TimeUnit.SECONDS)) {
            throw new IOException("no answer within " + LIMIT_S + " s");
        }
    }

    private static AttackResult bytes(Besieged besieged) throws Exception {
        SubmitRequests.Builder message = SubmitRequests.newBuilder();
        for (int i = 0; i < REQUESTS_PER_MESSAGE; i++) {
            message.addRequests(
                    SubmitRequest.newBuilder().setSignedBatch(ByteString.copyFrom(new byte[REQUEST_LENGTH])));
        }
        byte[] junk = message.build().toByteArray();
        ManagedChannel channel = besieged.channel(besieged.gatewayPort(0), Guest.OTHER_BROKER);
        try (AttackLoop loop = AttackLoop.begin("byte-flood", () -> sendJunk(besieged, channel, junk))) {
            return ReaderAttacks.whileItGoesOn(loop, besieged, "streams were ended because they were too fast");
        } finally {
            channel.shutdownNow();
        }
    }

    private static void sendJunk(Besieged besieged, ManagedChannel channel, byte[] junk) throws Exception {
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call =
                begin(channel, OrderGatewayGrpc.getSubmitMethod(), role, status -> end.complete(status));
        try {
            call.request(Integer.MAX_VALUE);
            for (int i = 0; i < MESSAGES_MAX && !end.isDone(); i++) {
                call.sendMessage(junk);
            }
            // All of it is read before the stream ends of itself.
            call.halfClose();
            Status status = end.get(LIMIT_S, TimeUnit.SECONDS);
            judge(MESSAGES_MAX + " messages of " + junk.length + " bytes", status.isOk() ? null : status);
        } finally {
            OpenCalls.end(call);
        }
    }
}
