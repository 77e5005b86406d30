package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.util.internal.PlatformDependent;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.role.PortSecurity;
import io.sealbook.facts.Facts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client whose requests wait, or that reads no answers: frame by frame. */
@Timeout(300)
class InboundFramesTest {
    private static final int MESSAGE_BYTES_MAX = 100_000;
    private static final int CALLS_MAX = 64;
    private static final long LONGER_THAN_A_TEST_MS = 3_600_000;
    private static final Rates RATES = new Rates(100_000, 1_000_000_000);
    /** In which a frame fills a buffer of the network, nearly. */
    private static final int FILL_BYTES = 16_000;

    /** On one stream: gRPC puts 1,000 small ones together. */
    private static final int FEW_PIECES = 900;

    private static final int ANSWER_BYTES = 1_000;
    private static final int MORE_THAN_SOCKETS_TAKE = 64 << 20;

    /** The allocator takes 4 MiB at a time. */
    private static final long FEW_BYTES = 16 << 20;

    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ServerCallStreamObserver<byte[]>> paused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger messages = new AtomicInteger();
    private final HolderQuota places = new HolderQuota(CALLS_MAX, CALLS_MAX);
    private final List<Http2Client> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        start(new UnfinishedRequests(MESSAGE_BYTES_MAX, LONGER_THAN_A_TEST_MS));
    }

    private void start(UnfinishedRequests unfinished) throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test")
                .addMethod(
                        method("one", MethodType.UNARY),
                        ServerCalls.asyncUnaryCall((byte[] request, StreamObserver<byte[]> answer) -> {
                            answer.onNext(new byte[ANSWER_BYTES]);
                            answer.onCompleted();
                        }))
                .addMethod(
                        method("flood", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            answer.onNext(new byte[MORE_THAN_SOCKETS_TAKE]);
                            return new Counter(answer, messages);
                        }))
                .addMethod(
                        method("refuse", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            answer.onError(Status.NOT_FOUND.asRuntimeException());
                            return new Counter(answer, messages);
                        }))
                .addMethod(
                        method("greet", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            answer.onNext(new byte[ANSWER_BYTES]);
                            return new Counter(answer, messages);
                        }))
                .addMethod(
                        method("end", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            answer.onNext(new byte[ANSWER_BYTES]);
                            answer.onCompleted();
                            return new Counter(answer, messages);
                        }))
                .addMethod(
                        method("leave", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            answer.onNext(new byte[ANSWER_BYTES]);
                            answer.onError(EndAtOnce.of(Status.RESOURCE_EXHAUSTED));
                            return new Counter(answer, messages);
                        }))
                .addMethod(
                        method("pause", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            ServerCallStreamObserver<byte[]> stream = (ServerCallStreamObserver<byte[]>) answer;
                            stream.disableAutoRequest();
                            paused.add(stream);
                            return new Counter(answer, messages);
                        }))
                .build();
        CallRateLimit limit = new CallRateLimit(
                new PortRates(RATES, false),
                System::nanoTime,
                (call, headers) -> Optional.empty(),
                (remote, reason) -> refusals.add(reason));
        ReadLimit reads = new ReadLimit(Map.of(), places, (remote, reason) -> refusals.add(reason));
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", 0), PortSecurity.NONE.credentials())
                .directExecutor()
                .permitKeepAliveTime(1, TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(ServerInterceptors.interceptForward(service, limit, reads));
        server = InboundBounds.set(builder, unfinished, MESSAGE_BYTES_MAX, CALLS_MAX, RATES)
                .build()
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        for (Http2Client client : clients) {
            client.close();
        }
        server.shutdownNow();
    }

    private record Counter(StreamObserver<byte[]> answer, AtomicInteger messages) implements StreamObserver<byte[]> {
        @Override
        public void onNext(byte[] message) {
            messages.incrementAndGet();
        }

        @Override
        public void onError(Throwable reason) {
            // The client has left.
        }

        @Override
        public void onCompleted() {
            // The client has nothing more to say.
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
                .setFullMethodName("test/" + name)
                .setType(type)
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
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
    }

    /** A piece of one byte would hold the buffer of the network, with all that the server ignores in it. */
    @Test
    void shouldHoldNoBuffersOfPiecesThatWait() throws Exception {
        Http2Client client = client();
        for (int stream = 1; stream < 8; stream += 2) {
            client.call(stream, "pause");
        }
        long before = directBytes();

        for (int i = 0; i < FEW_PIECES; i++) {
            for (int stream = 1; stream < 8; stream += 2) {
                client.data(stream, new byte[1]);
                client.fill(FILL_BYTES);
            }
            client.ping();
        }

        assertThat(directBytes() - before).isLessThan(FEW_BYTES);
        assertThat(refusals).isEmpty();
    }

    /** A frame without content needs no window. */
    @Test
    void shouldHoldNoBuffersOfFramesWithoutContent() throws Exception {
        Http2Client client = client();
        for (int stream = 1; stream < 8; stream += 2) {
            client.call(stream, "greet");
        }
        long before = directBytes();

        for (int i = 0; i < FEW_PIECES; i++) {
            for (int stream = 1; stream < 8; stream += 2) {
                client.data(stream, new byte[0]);
                client.fill(FILL_BYTES);
            }
            client.ping();
        }

        assertThat(directBytes() - before).isLessThan(FEW_BYTES);
    }

    @Test
    void shouldEndAStreamWhenTooMuchOfItsHolderWaits() throws Exception {
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
        server.shutdownNow();
        start(unfinished);
        Http2Client client = client();
        int stream = -1;
        while (refusals.isEmpty()) {
            stream += 2;
            assertThat(stream).isLessThan(2 * CALLS_MAX);
            client.call(stream, "pause");
            for (int i = 0; i < 100 && refusals.isEmpty(); i++) {
                client.pieces(stream, 100, 1);
                client.ping();
            }
        }

        client.awaitEnd(stream);
        assertThat(refusals)
                .containsExactly("address 127.0.0.1 has more than 16777216 bytes that wait on its streams, the most"
                        + " that one may have");
        assertThat(unfinished.bytesThatWait()).isBetween(1L, (long) UnfinishedRequests.WAITING_BYTES_MAX);
        client.close();
        Facts.await("nothing waits", () -> unfinished.bytesThatWait() == 0);
    }

    /** A node that is busy asks for orders later: its brokers' windows are full meanwhile. */
    @Test
    void shouldKeepStreamsWhoseWindowsAreFull() throws Exception {
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
        server.shutdownNow();
        start(unfinished);
        Http2Client client = client();
        int count = 8;
        int messagesOfWindow = 10;
        for (int i = 0; i < count; i++) {
            int stream = 2 * i + 1;
            client.call(stream, "pause");
            for (int j = 0; j < messagesOfWindow; j++) {
                client.begin(stream, 100_000);
                client.send(stream, 100_000);
            }
            client.ping();
        }
        assertThat(refusals).isEmpty();
        assertThat(unfinished.bytesThatWait()).isGreaterThan(8_000_000);

        // Each round lets a part in, so that some always waits.
        for (int round = 0; round < messagesOfWindow; round++) {
            paused.forEach(stream -> stream.request(1));
            int whole = (round + 1) * count;
            Facts.await("messages of round " + round, () -> messages.get() == whole);
        }
        Facts.await("nothing waits", () -> unfinished.bytesThatWait() == 0);
        assertThat(refusals).isEmpty();
    }

    /** Pieces of a stream that is always behind a little, many times as many as may wait. */
    @Test
    void shouldForgetPiecesThatWereTaken() throws Exception {
        UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
        server.shutdownNow();
        start(unfinished);
        Http2Client client = client();
        client.call(1, "pause");
        client.begin(1, 100_000);
        client.send(1, 100_000);
        for (int i = 1; i < 400; i++) {
            client.begin(1, 100_000);
            client.send(1, 100_000);
            client.ping();
            paused.peek().request(1);
            int whole = i;
            Facts.await("message", () -> messages.get() == whole);
            assertThat(unfinished.bytesThatWait()).isLessThan(300_000);
        }

        assertThat(refusals).isEmpty();
    }

    /** The status waits for the answers before it, and these for a window. */
    @Test
    void shouldResetAStreamThatIsRefusedAndWhoseAnswersAreNotRead() throws Exception {
        Http2Client client = client(0);
        client.call(1, "greet");
        client.begin(1, 90_000);
        client.pieces(1, UnfinishedRequests.PIECES_MAX + 1, 1);

        client.awaitReset(1);
        assertThat(refusals).hasSize(1);
        Facts.await("its place", () -> places.count() == 0);
    }

    @Test
    void shouldDropWhatComesForACallThatHasEnded() throws Exception {
        Http2Client client = client(0);
        for (int stream = 1; stream < 8; stream += 2) {
            client.call(stream, "end");
            client.begin(stream, 90_000);
        }
        client.ping();
        long before = directBytes();

        for (int i = 0; i < FEW_PIECES; i++) {
            for (int stream = 1; stream < 8; stream += 2) {
                client.data(stream, new byte[1]);
                client.fill(FILL_BYTES);
            }
            client.ping();
        }

        assertThat(directBytes() - before).isLessThan(FEW_BYTES);
        assertThat(client.isReset(1)).as("it may still read").isFalse();
        assertThat(places.count()).isEqualTo(4);
        for (int stream = 1; stream < 8; stream += 2) {
            client.widen(stream, 10_000);
            client.awaitEnd(stream);
        }
        Facts.await("their places", () -> places.count() == 0);
    }

    @Test
    void shouldResetACallThatHasEndedIfItsAnswerIsNotRead() throws Exception {
        server.shutdownNow();
        start(new UnfinishedRequests(MESSAGE_BYTES_MAX, 1));
        Http2Client client = client(0);
        for (int stream = 1; stream < 20; stream += 2) {
            client.call(stream, "one");
            client.ask(stream);
        }

        client.awaitReset(19);
        Facts.await("places", () -> places.count() == 0);
    }

    /** Its windows are wide, and it reads nothing from its socket: ends of calls wait there. */
    @Test
    void shouldCloseAConnectionThatReadsNothing() throws Exception {
        Http2Client client = clientWithAFullSocket();

        AtomicInteger last = new AtomicInteger(1);
        awaitClosed(() -> client.call(last.addAndGet(2), "refuse"));
        Facts.await("places", () -> places.count() == 0);
    }

    /** HTTP/2 has such a stream open on its side until the status is written. */
    @Test
    void shouldCloseAConnectionThatReadsNothingAndHasEndedItsRequests() throws Exception {
        Http2Client client = clientWithAFullSocket();

        AtomicInteger last = new AtomicInteger(1);
        awaitClosed(() -> client.callAndEnd(last.addAndGet(2), "refuse"));
        Facts.await("places", () -> places.count() == 0);
    }

    /** Returns a client that reads nothing from now on; calls that have ended are not kept for it. */
    private Http2Client clientWithAFullSocket() throws IOException {
        server.shutdownNow();
        start(new UnfinishedRequests(MESSAGE_BYTES_MAX, 1));
        Http2Client client = client(MORE_THAN_SOCKETS_TAKE);
        client.widen(0, MORE_THAN_SOCKETS_TAKE);
        client.call(1, "flood");
        return client;
    }

    @Test
    void shouldKeepTheAnswerForASlowReader() throws Exception {
        Http2Client client = client(0);
        client.call(1, "one");
        client.ask(1);
        for (int i = 0; i < 101; i++) {
            client.ping();
            client.widen(1, 10);
        }

        client.awaitEnd(1);
        assertThat(client.isReset(1)).isFalse();
    }

    @Test
    void shouldResetAtOnceACallWhosePlaceIsNeeded() throws Exception {
        Http2Client client = client(0);
        client.call(1, "leave");

        client.awaitReset(1);
        Facts.await("its place", () -> places.count() == 0);
        Http2Client reader = client();
        reader.call(1, "leave");
        reader.awaitEnd(1);
        assertThat(reader.isReset(1)).isFalse();
    }

    private interface Sending {
        void send() throws IOException;
    }

    /** Waits until the server has closed the connection of a client that goes on sending. */
    private static void awaitClosed(Sending more) throws Exception {
        Facts.await("the end of the connection", () -> {
            try {
                more.send();
                return false;
            } catch (IOException closed) {
                return true;
            }
        });
    }

    private static long directBytes() {
        long used = PlatformDependent.usedDirectMemory();
        assertThat(used).as("-1 if it is not counted").isNotNegative();
        return used;
    }

    private Http2Client client() throws IOException {
        return client(65_535);
    }

    private Http2Client client(int window) throws IOException {
        Http2Client client = new Http2Client(new Socket("127.0.0.1", server.getPort()), window);
        clients.add(client);
        return client;
    }
}
