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
import java.util.ArrayList;
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

    private static AttackResult calls(Besieged besieged) throws Exception {
        List<String> faults = new ArrayList<>();
        flood(besieged, besieged.gatewayPort(0), OrderGatewayGrpc.getGetNodeStatusMethod(), faults);
        flood(besieged, besieged.enginePort(0), EngineStatusGrpc.getGetEngineStatusMethod(), faults);
        floodHttp(besieged, besieged.httpPort(0), "/api/status", faults);
        floodHttp(besieged, besieged.adminPort(0), "/health/live", faults);
        faults.addAll(Service.faults(besieged));
        return faults.isEmpty()
                ? AttackResult.held("each port refuses a broker that is too fast, all honest callers served")
                : AttackResult.found(String.join("; ", faults));
    }

    private static void flood(Besieged besieged, int port, MethodDescriptor<?, ?> method, List<String> faults)
            throws Exception {
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        ManagedChannel channel = besieged.channel(port, Guest.OTHER_BROKER);
        AtomicReference<Status> refusal = new AtomicReference<>();
        Semaphore places = new Semaphore(CALLS_AT_ONCE);
        try {
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
            judge(method.getFullMethodName() + ": " + calls + " calls", refusal.get(), faults);
        } finally {
            channel.shutdownNow();
        }
    }

    private static void judge(String what, Status refusal, List<String> faults) {
        if (refusal == null) {
            faults.add(what + ": none was refused");
        } else if (refusal.getCode() != Status.Code.RESOURCE_EXHAUSTED
                || !String.valueOf(refusal.getDescription()).contains(" per second")) {
            faults.add(what + ": refused with " + refusal);
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

    private static void floodHttp(Besieged besieged, int port, String path, List<String> faults) throws Exception {
        Optional<String> statement = besieged.identities().statement(Guest.OTHER_BROKER);
        AtomicReference<String> refusal = new AtomicReference<>();
        Semaphore places = new Semaphore(REQUESTS_AT_ONCE);
        try (HttpClient client = HttpAttacks.client(besieged, Guest.OTHER_BROKER)) {
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
                faults.add(path + ": " + requests + " requests, refused with " + refusal.get());
            }
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
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        ManagedChannel channel = besieged.channel(besieged.gatewayPort(0), Guest.OTHER_BROKER);
        CompletableFuture<Status> end = new CompletableFuture<>();
        try {
            ClientCall<byte[], byte[]> call =
                    begin(channel, OrderGatewayGrpc.getSubmitMethod(), role, status -> end.complete(status));
            call.request(Integer.MAX_VALUE);
            for (int i = 0; i < MESSAGES_MAX && !end.isDone(); i++) {
                call.sendMessage(junk);
            }
            // All of it is read before the stream ends of itself.
            call.halfClose();
            Status status = end.get(LIMIT_S, TimeUnit.SECONDS);
            List<String> faults = new ArrayList<>();
            judge(MESSAGES_MAX + " messages of " + junk.length + " bytes", status.isOk() ? null : status, faults);
            faults.addAll(Service.faults(besieged));
            return faults.isEmpty()
                    ? AttackResult.held("refused: " + status.getDescription() + "; all honest callers served")
                    : AttackResult.found(String.join("; ", faults));
        } finally {
            channel.shutdownNow();
        }
    }
}
