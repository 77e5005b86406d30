package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.sealbook.facts.Facts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
    private static final int FRAME_BYTES_MAX = 16_384;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int END_HEADERS = 4;
    private static final int END_STREAM = 1;

    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger messages = new AtomicInteger();
    private final UnfinishedRequests unfinished = new UnfinishedRequests(MESSAGE_BYTES_MAX);
    private final List<Client> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws IOException {
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
                                (StreamObserver<byte[]> answer) -> new Counter(answer, messages)))
                .build();
        CallRateLimit rates = new CallRateLimit(
                new PortRates(new Rates(1_000, 1_000_000_000), false),
                System::nanoTime,
                (call, headers) -> Optional.empty(),
                (remote, reason) -> refusals.add(reason));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor()
                .permitKeepAliveTime(1, TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .addStreamTracerFactory(unfinished)
                .addService(ServerInterceptors.interceptForward(service, rates))
                .build()
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        for (Client client : clients) {
            client.socket.close();
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

    @Test
    void shouldEndARequestThatIsLargeAndNeverWhole() throws Exception {
        Client client = client();
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
        Client client = client();
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
        Client client = client();
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

    @Test
    void shouldForgetWhatACallThatEndsHadUnderWay() throws Exception {
        Client client = client();
        client.call(1, "many");
        client.begin(1, 90_000);
        client.send(1, 80_000);
        client.ping();
        assertThat(unfinished.bytesOfStreams()).isGreaterThan(80_000);

        client.socket.close();

        Facts.await("nothing under way", () -> unfinished.bytesOfStreams() == 0);
    }

    @Test
    void shouldTakeAnyNumberOfWholeMessages() throws Exception {
        Client client = client();
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

    private Client client() throws IOException {
        Client client = new Client(new Socket("127.0.0.1", server.getPort()));
        clients.add(client);
        return client;
    }

    /** HTTP/2 (RFC 9113) without the compression of headers, and gRPC's prefix of messages. One thread. */
    private static final class Client {
        private static final int SETTINGS = 4;
        private static final int PING = 6;
        private static final int ACK = 1;

        private final Socket socket;
        private final DataInputStream in;
        private final List<Integer> ended = new ArrayList<>();
        private int pongs;

        Client(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(SETTINGS, 0, 0, new byte[0]);
            // Only then the windows are as large as the server wants them.
            frame(SETTINGS, ACK, 0, new byte[0]);
            ping();
        }

        private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
            frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
            frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
            socket.getOutputStream().write(frame.array());
        }

        void call(int stream, String method) throws IOException {
            ByteArrayOutputStream headers = new ByteArrayOutputStream();
            // Of the static table (RFC 7541, appendix A): method POST, scheme http.
            headers.write(0x83);
            headers.write(0x86);
            headers.write(0x04);
            text(headers, "/test/" + method);
            headers.write(0x01);
            text(headers, "localhost");
            headers.write(0x00);
            text(headers, "content-type");
            text(headers, "application/grpc");
            headers.write(0x00);
            text(headers, "te");
            text(headers, "trailers");
            frame(HEADERS, END_HEADERS, stream, headers.toByteArray());
        }

        private static void text(ByteArrayOutputStream headers, String text) {
            headers.write(text.length());
            headers.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }

        void begin(int stream, int length) throws IOException {
            data(stream, ByteBuffer.allocate(5).put((byte) 0).putInt(length).array());
        }

        void send(int stream, int length) throws IOException {
            for (int left = length; left > 0; left -= FRAME_BYTES_MAX) {
                data(stream, new byte[Math.min(left, FRAME_BYTES_MAX)]);
            }
        }

        void data(int stream, byte[] bytes) throws IOException {
            frame(DATA, 0, stream, bytes);
        }

        /** Returns when the server has read all that was sent before. */
        void ping() throws IOException {
            int before = pongs;
            frame(PING, 0, 0, new byte[8]);
            while (pongs == before) {
                read();
            }
        }

        void awaitEnd(int stream) throws IOException {
            while (!ended.contains(stream)) {
                read();
            }
        }

        private void read() throws IOException {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            in.skipNBytes(length);
            if (type == PING && flags == ACK) {
                pongs++;
            }
            if (type == HEADERS && (flags & END_STREAM) != 0) {
                ended.add(stream);
            }
        }
    }
}
