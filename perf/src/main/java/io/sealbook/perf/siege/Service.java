package io.sealbook.perf.siege;

import io.grpc.CallCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What honest callers need while an attack goes on, each over a new connection. */
final class Service {
    /** A connection may be the one that gives its place to a newer one; a client tries again. */
    private static final int ATTEMPTS_MAX = 5;

    private static final long ATTEMPT_S = 30;
    private static final int OK = 200;

    private Service() {}

    private interface Question {
        boolean isAnswered() throws Exception;
    }

    /**
     * Asks node 0 and its engine everything that brokers, operators and scrapers ask, and waits for receipts of the
     * honest brokers.
     *
     * @return a line for each question without an answer
     */
    static List<String> faults(Besieged besieged) throws IOException, InterruptedException {
        List<String> faults = new ArrayList<>();
        CallCredentials broker = besieged.identities().credentials(Guest.BROKER);
        int gateway = besieged.gatewayPort(0);
        int engine = besieged.enginePort(0);
        ask(faults, "node status", () -> call(besieged, gateway, OrderGatewayGrpc.getGetNodeStatusMethod(), null));
        ask(faults, "logon", () -> call(besieged, gateway, OrderGatewayGrpc.getLogonMethod(), broker));
        ask(faults, "receipts", () -> call(besieged, gateway, OrderGatewayGrpc.getFollowReceiptsMethod(), broker));
        ask(faults, "engine status", () -> call(besieged, engine, EngineStatusGrpc.getGetEngineStatusMethod(), null));
        ask(faults, "reports", () -> call(besieged, engine, ExecutionReportsGrpc.getFollowMethod(), broker));
        ask(faults, "market data", () -> call(besieged, engine, MarketDataGrpc.getFollowBestPricesMethod(), broker));
        Optional<String> statement = besieged.identities().statement(Guest.BROKER);
        ask(faults, "order by REST", () -> get(besieged, besieged.httpPort(0), "/api/orders/1/1", statement));
        ask(faults, "console", () -> get(besieged, besieged.httpPort(0), "/", Optional.empty()));
        ask(faults, "engine health", () -> get(besieged, besieged.httpPort(0), "/actuator/health", Optional.empty()));
        ask(faults, "health", () -> get(besieged, besieged.adminPort(0), "/health/ready", Optional.empty()));
        ask(faults, "metrics", () -> get(besieged, besieged.adminPort(0), "/metrics", Optional.empty()));
        besieged.awaitProgress();
        return faults;
    }

    private static void ask(List<String> faults, String name, Question question) throws InterruptedException {
        String last = "";
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            try {
                if (question.isAnswered()) {
                    return;
                }
                last = "refused";
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e.toString();
            }
        }
        faults.add("honest " + name + ": " + last);
    }

    private static boolean call(Besieged besieged, int port, MethodDescriptor<?, ?> method, CallCredentials role)
            throws IOException, InterruptedException {
        ManagedChannel channel = besieged.channel(port, Guest.BROKER);
        try {
            String name = method.getFullMethodName();
            String answer = DoorAttacks.answer(channel, method, DoorRequests.of(name), role, ATTEMPT_S);
            if (!answer.equals("MESSAGE")) {
                throw new IOException(answer);
            }
            return true;
        } finally {
            channel.shutdownNow();
        }
    }

    private static boolean get(Besieged besieged, int port, String path, Optional<String> statement)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpAttacks.client(besieged, Guest.BROKER)) {
            int status = HttpAttacks.status(client, port, path, statement);
            if (status != OK) {
                throw new IOException(Integer.toString(status));
            }
            return true;
        }
    }
}
