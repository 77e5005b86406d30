package io.sealbook.perf.siege;

import io.grpc.CallCredentials;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/** A broker begins what it does not end, from the address of the honest ones. */
final class UnendedAttacks {
    /** More than a request of a method with one request may have. */
    private static final int HALF_REQUEST_BYTES = 40_000;

    private static final int SMALL_REQUEST_BYTES = 5_000;

    private static final int WHOLE_REQUEST_BYTES = 60_000;
    /** Less than the largest message of a stream of orders. */
    private static final int MESSAGE_BYTES = 800_000;
    /** More than the eight of the largest size that a broker may have under way on its streams. */
    private static final int HALF_MESSAGES = 14;
    /** Fewer: these are refused for another reason. */
    private static final int HALF_MESSAGES_MIN = 4;

    private static final int WINDOW = 65_535;
    /** More than one caller may have at a gateway. */
    private static final int UNREAD_CALLS = 40;
    /** Places of calls without places of their own, of one caller. */
    private static final int UNREAD_CALLS_MAX = 16;

    /** More than the threads of an engine's HTTP port. */
    private static final int SLOW_BODIES = 48;

    private static final int SLOW_BODY_LENGTH = 1_000_000;
    /** Fewer than the streams that one broker may have open, and than the calls that one connection may have. */
    private static final int OLD_STREAMS = 60;

    /** 83 calls per second: fewer than a port takes of one caller, so that none is refused for that. */
    private static final long PAUSE_MS = 12;

    private UnendedAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "half-messages",
                        "requests and orders of one broker whose last byte never comes; found: all bytes are kept,"
                                + " or others get no answer",
                        UnendedAttacks::halfMessages),
                new Attack(
                        "unread-answers",
                        UNREAD_CALLS + " calls of one broker that reads no answers; found: more than "
                                + UNREAD_CALLS_MAX + " are let in, or others get no answer",
                        UnendedAttacks::unreadAnswers),
                new Attack(
                        "slow-bodies",
                        SLOW_BODIES + " requests with bodies that come byte by byte; found: one waits for its body, or"
                                + " others get no answer",
                        UnendedAttacks::slowBodies),
                new Attack(
                        "old-receipts",
                        OLD_STREAMS + " streams of a broker's receipts from the first block, again and again; found:"
                                + " others get no receipts",
                        UnendedAttacks::oldReceipts));
    }

    private static AttackResult halfMessages(Besieged besieged) throws Exception {
        try (RawHttp2 gateway = RawHttp2.open(besieged, besieged.gatewayPort(0), Guest.OTHER_BROKER, WINDOW);
                RawHttp2 engine = RawHttp2.open(besieged, besieged.enginePort(0), Guest.OTHER_BROKER, WINDOW)) {
            awaitEndOfHalfRequest(gateway, OrderGatewayGrpc.getGetNodeStatusMethod());
            awaitEndOfHalfRequest(engine, EngineStatusGrpc.getGetEngineStatusMethod());
            int before = gateway.ended();
            int messages = 0;
            while (messages < HALF_MESSAGES && gateway.ended() == before) {
                int stream = gateway.call(OrderGatewayGrpc.getSubmitMethod());
                gateway.begin(stream, MESSAGE_BYTES);
                gateway.send(stream, MESSAGE_BYTES - 1);
                gateway.sync();
                messages++;
            }
            awaitEnd(gateway, before, "one of " + messages + " halves of messages");
            return messages < HALF_MESSAGES_MIN
                    ? AttackResult.found("half a message was refused after " + messages)
                    : ReaderAttacks.service(besieged, "halves of requests end, and so does one of messages");
        }
    }

    private static void awaitEndOfHalfRequest(RawHttp2 connection, MethodDescriptor<?, ?> method) throws Exception {
        int before = connection.ended();
        int stream = connection.call(method);
        connection.begin(stream, WHOLE_REQUEST_BYTES);
        connection.send(stream, SMALL_REQUEST_BYTES);
        connection.sync();
        if (connection.ended() > before) {
            throw new IOException(method.getFullMethodName() + " ended before its request was too long");
        }
        connection.send(stream, HALF_REQUEST_BYTES);
        awaitEnd(connection, before, "half a request of " + method.getFullMethodName());
    }

    private static void awaitEnd(RawHttp2 connection, int before, String what) throws Exception {
        Await.fact("the end of " + what, () -> {
            connection.sync();
            return connection.ended() > before;
        });
    }

    private static AttackResult unreadAnswers(Besieged besieged) throws Exception {
        try (RawHttp2 gateway = RawHttp2.open(besieged, besieged.gatewayPort(0), Guest.OTHER_BROKER, 0)) {
            for (int i = 0; i < UNREAD_CALLS; i++) {
                gateway.ask(gateway.call(OrderGatewayGrpc.getGetNodeStatusMethod()));
                Thread.sleep(PAUSE_MS);
            }
            // A call that was let in is reset after a while, because its answer is not read.
            Await.fact("the end of calls whose answers are not read", () -> {
                gateway.sync();
                return gateway.ended(OpenCalls.TOO_MANY) >= UNREAD_CALLS - UNREAD_CALLS_MAX
                        || gateway.ended() == UNREAD_CALLS;
            });
            int refused = gateway.ended(OpenCalls.TOO_MANY);
            String fact = refused + " of " + UNREAD_CALLS + " calls were refused because too many were open";
            return refused < UNREAD_CALLS - UNREAD_CALLS_MAX
                    ? AttackResult.found(fact)
                    : ReaderAttacks.service(besieged, fact);
        }
    }

    /** Each connection ends with its answer, so that a thread never waits for a byte. */
    private static AttackResult slowBodies(Besieged besieged) throws Exception {
        SocketFactory sockets =
                besieged.identities().context(Guest.OTHER_BROKER).getSocketFactory();
        byte[] head = ("GET /api/status HTTP/1.1\r\nHost: " + Besieged.HOST + "\r\nContent-Length: " + SLOW_BODY_LENGTH
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW_BODIES; i++) {
                Socket socket = sockets.createSocket(Besieged.HOST, besieged.httpPort(0));
                open.add(socket);
                socket.getOutputStream().write(head);
            }
            Await.fact("the end of connections whose bodies are slow", () -> {
                open.removeIf(socket -> !takesAByte(socket));
                return open.isEmpty();
            });
            return ReaderAttacks.service(besieged, SLOW_BODIES + " connections were closed before their bodies ended");
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** Sends a further byte; returns false, and closes this side, if the other one is closed. */
    private static boolean takesAByte(Socket socket) {
        try {
            socket.getOutputStream().write('x');
            return true;
        } catch (IOException closed) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is closed already.
            }
            return false;
        }
    }

    private static AttackResult oldReceipts(Besieged besieged) throws Exception {
        AtomicInteger opened = new AtomicInteger();
        AtomicBoolean isOver = new AtomicBoolean();
        ManagedChannel channel = besieged.channel(besieged.gatewayPort(0), Guest.OTHER_BROKER);
        CallCredentials role = besieged.identities().credentials(Guest.OTHER_BROKER);
        Thread flood = Thread.ofPlatform().name("old-receipts").start(() -> renew(channel, role, opened, isOver));
        try {
            Await.fact("streams of old receipts", () -> opened.get() > OLD_STREAMS);
            return ReaderAttacks.service(
                    besieged, opened.get() + " streams were called for, " + OLD_STREAMS + " at a time");
        } finally {
            isOver.set(true);
            flood.join();
            channel.shutdownNow();
        }
    }

    /** Opens streams that read all they get, and gives up the oldest: there are always some far behind. */
    private static void renew(
            ManagedChannel channel, CallCredentials role, AtomicInteger opened, AtomicBoolean isOver) {
        MethodDescriptor<?, ?> method = OrderGatewayGrpc.getFollowReceiptsMethod();
        byte[] request = DoorRequests.ofAttacker(method.getFullMethodName());
        Deque<ClientCall<?, ?>> streams = new ArrayDeque<>();
        try {
            while (!isOver.get()) {
                if (streams.size() == OLD_STREAMS) {
                    OpenCalls.end(streams.remove());
                }
                ClientCall<?, ?> stream = OpenCalls.begin(channel, method, request, role, status -> {});
                stream.request(Integer.MAX_VALUE - 1);
                streams.add(stream);
                opened.incrementAndGet();
                Thread.sleep(PAUSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            streams.forEach(OpenCalls::end);
        }
    }
}
