package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.util.internal.PlatformDependent;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that speaks HTTP/2 byte by byte, and leaves messages as they are. */
@Timeout(300)
class UnfinishedRequestsTest {
    private static final int MESSAGE_BYTES_MAX = 100_000;

    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger messages = new AtomicInteger();
    private final UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
    private final List<Http2Client> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
        start(new Rates(1_000, 1_000_000_000));
    }

    private void start(Rates rates) throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test")
                .addMethod(
                        method("one", MethodDescriptor.MethodType.UNARY),
                        ServerCalls.asyncUnaryCall((byte[] request, StreamObserver<byte[]> answer) -> {
                            messages.incrementAndGet();
                            answer.onNext(request);
                            answer.onCompleted();
                        }))
                .addMethod(
                        method("many", MethodDescriptor.MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall(
                                (StreamObserver<byte[]> answer) -> new Counter<>(answer, messages)))
                .addMethod(
                        MethodDescriptor.<SubmitRequests, byte[]>newBuilder(new Protobuf(), new Bytes())
                                .setFullMethodName("test/protobuf")
                                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                                .build(),
                        ServerCalls.asyncBidiStreamingCall(
                                (StreamObserver<byte[]> answer) -> new Counter<>(answer, messages)))
                .build();
        CallRateLimit limit = new CallRateLimit(
                new PortRates(rates, false),
                System::nanoTime,
                (call, headers) -> Optional.empty(),
                (remote, reason) -> refusals.add(reason));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor()
                .permitKeepAliveTime(1, TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .addStreamTracerFactory(unfinished)
                .addService(ServerInterceptors.interceptForward(service, limit))
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

    private record Counter<Q>(StreamObserver<byte[]> answer, AtomicInteger messages) implements StreamObserver<Q> {
        @Override
        public void onNext(Q message) {
            messages.incrementAndGet();
        }

        @Override
        public void onError(Throwable reason) {
            // The client has left.
        }

        @Override
        public void onCompleted() {
            answer.onCompleted();
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
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

    private static final class Protobuf implements MethodDescriptor.Marshaller<SubmitRequests> {
        @Override
        public InputStream stream(SubmitRequests value) {
            return value.toByteString().newInput();
        }

        @Override
        public SubmitRequests parse(InputStream stream) {
            try {
                return SubmitRequests.parseFrom(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void shouldEndARequestThatIsLargeAndNeverWhole() throws Exception {
        Http2Client client = client();
        client.call(1, "one");
        client.begin(1, 90_000);
        client.data(1, new byte[10_000]);
        client.data(1, new byte[10_000]);
        client.ping();
        assertThat(refusals).isEmpty();

        client.data(1, new byte[15_000]);

        client.awaitEnd(1);
        assertThat(refusals).containsExactly("a request has more than 32768 bytes, the most that one may have");
    }

    /** Each piece holds a buffer, however small it is. */
    @Test
    void shouldEndARequestThatComesByteByByte() throws Exception {
        Http2Client client = client();
        client.call(1, "one");
        client.begin(1, 1_000);
        for (int i = 0; i < 64; i++) {
            client.data(1, new byte[1]);
        }

        client.awaitEnd(1);
        assertThat(refusals).hasSize(1);
    }

    @Test
    void shouldBoundWhatTheStreamsOfOneHolderHaveUnderWay() throws Exception {
        Http2Client client = client();
        int streams = 0;
        while (refusals.isEmpty()) {
            assertThat(streams).isLessThan(10);
            int stream = 2 * streams++ + 1;
            client.call(stream, "many");
            client.begin(stream, 90_000);
            client.send(stream, 89_999);
            client.ping();
        }

        assertThat(refusals)
                .containsExactly("address 127.0.0.1 has more than 800000 bytes of messages under way, the most that one"
                        + " may have");
        assertThat(streams).isGreaterThan(7);
        client.awaitEnd(2 * streams - 1);
        assertThat(messages).hasValue(0);
        for (int i = 0; i < streams - 1; i++) {
            client.data(2 * i + 1, new byte[1]);
        }
        int whole = streams - 1;
        Facts.await("the other messages", () -> messages.get() == whole);
        assertThat(unfinished.bytesOfStreams()).isZero();
    }

    /** A piece of one byte holds the buffer of the network, with all that the server ignores in it. */
    @Test
    void shouldBoundThePiecesOfOneHolder() throws Exception {
        long before = PlatformDependent.usedDirectMemory();
        assertThat(before).as("-1 if it is not counted").isNotNegative();
        Http2Client client = client();
        for (int stream = 1; stream < 24; stream += 2) {
            client.call(stream, "many");
            client.begin(stream, 90_000);
        }
        int pieces = 0;
        while (refusals.isEmpty()) {
            assertThat(pieces).isLessThan(2 * UnfinishedRequests.PIECES_MAX);
            client.data(2 * (pieces++ % 12) + 1, new byte[1]);
            client.fill(16_000);
            client.ping();
        }

        // A piece keeps the buffer that the network was read into; the allocator takes 4 MiB at a time.
        assertThat(PlatformDependent.usedDirectMemory() - before)
                .isLessThan(UnfinishedRequests.PIECES_MAX * (64L << 10) + (8 << 20));
        assertThat(refusals)
                .containsExactly(
                        "address 127.0.0.1 has more than 512 pieces of messages under way, the most that one may have");
        client.awaitEnd(2 * ((pieces - 1) % 12) + 1);
        client.close();
        Facts.await("nothing under way", () -> unfinished.pieces() == 0);
    }

    /** A client may send less in a frame than the server takes. */
    @Test
    void shouldTakeARequestInManyPieces() throws Exception {
        Http2Client client = client();
        client.call(1, "one");
        client.begin(1, 16 << 10);
        for (int i = 0; i < 16; i++) {
            client.data(1, new byte[1 << 10]);
        }

        client.ping();
        assertThat(refusals).isEmpty();
        assertThat(unfinished.pieces()).isZero();
    }

    @Test
    void shouldForgetWhatACallThatEndsHadUnderWay() throws Exception {
        Http2Client client = client();
        client.call(1, "many");
        client.begin(1, 90_000);
        client.send(1, 80_000);
        client.ping();
        assertThat(unfinished.bytesOfStreams()).isGreaterThan(80_000);

        client.close();

        Facts.await("nothing under way", () -> unfinished.bytesOfStreams() == 0);
    }

    @Test
    void shouldTakeAnyNumberOfWholeMessages() throws Exception {
        Http2Client client = client();
        client.call(1, "many");
        for (int i = 0; i < 30; i++) {
            client.begin(1, 90_000);
            client.send(1, 90_000);
            client.ping();
        }

        Facts.await("all messages", () -> messages.get() == 30);
        assertThat(refusals).isEmpty();
        assertThat(unfinished.bytesOfStreams()).isZero();
    }

    /** Protobuf takes the last value of a field that comes again and again: two bytes for each, two in total. */
    @Test
    void shouldCountTheBytesThatCameAndNotTheDecodedOnes() throws Exception {
        server.shutdownNow();
        start(new Rates(1_000, 1_000));
        byte[] field = SubmitRequest.newBuilder().setCorrelationId(1).build().toByteArray();
        byte[] fields = new byte[400 * field.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = field[i % field.length];
        }
        byte[] message = new byte[fields.length + 3];
        CodedOutputStream.newInstance(message).writeByteArray(SubmitRequests.REQUESTS_FIELD_NUMBER, fields);
        assertThat(SubmitRequests.parseFrom(message).getSerializedSize()).isLessThan(10);
        Http2Client client = client();
        client.call(1, "protobuf");
        while (refusals.isEmpty()) {
            assertThat(messages).hasValueLessThan(100);
            client.begin(1, message.length);
            client.data(1, message);
            client.ping();
        }

        client.awaitEnd(1);
        assertThat(refusals)
                .containsExactly("address 127.0.0.1 sends more than 1000 bytes per second, the most that one may");
    }

    @Test
    void shouldCountMessagesWithoutContent() throws Exception {
        server.shutdownNow();
        start(new Rates(1_000, 10));
        Http2Client client = client();
        client.call(1, "many");
        while (refusals.isEmpty()) {
            assertThat(messages).hasValueLessThan(100);
            client.begin(1, 0);
            client.ping();
        }

        client.awaitEnd(1);
        assertThat(refusals)
                .containsExactly("address 127.0.0.1 sends more than 10 bytes per second, the most that one may");
    }

    private Http2Client client() throws IOException {
        Http2Client client = new Http2Client(new Socket("127.0.0.1", server.getPort()));
        clients.add(client);
        return client;
    }
}
