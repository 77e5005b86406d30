package io.sealbook.perf.siege;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Every method of gateway and engine, called by every guest; the answers are compared with {@link DoorTable}. */
final class DoorAttacks {
    /** Services by the port that serves them. */
    private static final Map<String, List<ServiceDescriptor>> SERVICES = Map.of(
            "gateway",
            List.of(OrderGatewayGrpc.getServiceDescriptor(), BlockFeedGrpc.getServiceDescriptor()),
            "engine",
            List.of(
                    ExecutionReportsGrpc.getServiceDescriptor(),
                    BrokerQueriesGrpc.getServiceDescriptor(),
                    MarketDataGrpc.getServiceDescriptor(),
                    EngineStatusGrpc.getServiceDescriptor()),
            // Followers serve the first, nodes whose engine is on another machine the second.
            "elsewhere",
            List.of(FollowerInfoGrpc.getServiceDescriptor(), ResultReturnGrpc.getServiceDescriptor()));

    private static final Set<Status.Code> REFUSALS =
            Set.of(Status.Code.UNAUTHENTICATED, Status.Code.PERMISSION_DENIED, Status.Code.UNAVAILABLE);
    /** A busy machine answers late. */
    static final long ANSWER_LIMIT_S = 120;

    /** A stream that is let in may have nothing to send: what the table admits is waited for no longer. */
    private static final long SILENCE_S = 5;

    private DoorAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "gateway-roles",
                        "each method of a gateway by each role; found: another answer than the table of doors has",
                        besieged -> knock(besieged, "gateway", besieged.gatewayPort(0))),
                new Attack(
                        "engine-roles",
                        "each method of an engine by each role; found: another answer than the table of doors has",
                        besieged -> knock(besieged, "engine", besieged.enginePort(0))));
    }

    /** Returns the names of all methods of a port, as the table of doors has them. */
    static List<String> methods(String port) {
        return SERVICES.get(port).stream()
                .flatMap(service -> service.getMethods().stream())
                .map(DoorAttacks::name)
                .toList();
    }

    private static String name(MethodDescriptor<?, ?> method) {
        String full = method.getFullMethodName();
        return full.substring(full.lastIndexOf('.') + 1);
    }

    private static AttackResult knock(Besieged besieged, String port, int number) throws Exception {
        DoorTable table = DoorTable.read(besieged.home());
        List<String> faults = new ArrayList<>();
        List<Door> doors = table.of(port);
        int knocks = 0;
        for (Guest guest : Guest.values()) {
            ManagedChannel channel = besieged.channel(number, guest);
            try {
                CallCredentials role = besieged.identities().credentials(guest);
                for (ServiceDescriptor service : SERVICES.get(port)) {
                    for (MethodDescriptor<?, ?> method : service.getMethods()) {
                        Door door = doors.stream()
                                .filter(each -> each.name().equals(name(method)))
                                .findFirst()
                                .orElseThrow(() -> new IOException(
                                        "no row of " + DoorTable.FILE + " is of " + port + " " + name(method)));
                        long limitS = door.admits().get(guest) ? SILENCE_S : ANSWER_LIMIT_S;
                        String answer = answer(channel, method, DoorRequests.of(door.name()), role, limitS);
                        boolean isAdmitted =
                                REFUSALS.stream().noneMatch(code -> code.name().equals(answer));
                        knocks++;
                        if (isAdmitted != door.admits().get(guest)) {
                            faults.add(door + " for " + guest.column() + ": " + answer);
                        }
                    }
                }
            } finally {
                channel.shutdownNow();
            }
        }
        return AttackResult.of(knocks, "answers are those of the table", faults);
    }

    /** Returns the code of a call's end, or MESSAGE if it answered, or SILENCE if it did neither within the limit. */
    static String answer(
            ManagedChannel channel, MethodDescriptor<?, ?> method, byte[] request, CallCredentials role, long limitS)
            throws InterruptedException {
        ClientCall<byte[], byte[]> call = channel.newCall(
                method.toBuilder(BYTES, BYTES).build(),
                CallOptions.DEFAULT.withWaitForReady().withCallCredentials(role));
        CompletableFuture<String> answer = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        answer.complete("MESSAGE");
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        answer.complete(status.getCode().name());
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(request);
        call.halfClose();
        try {
            return answer.get(limitS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return "SILENCE";
        } catch (ExecutionException e) {
            throw new IllegalStateException("no answer completes with a failure", e);
        } finally {
            OpenCalls.end(call);
        }
    }

    static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };
}
