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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A port and its clients, which send frame by frame. */
abstract class PortOfFrames {
    static final int MESSAGE_BYTES_MAX = 100_000;
    static final int CALLS_MAX = 64;
    static final long LONGER_THAN_A_TEST_MS = 3_600_000;
    private static final Rates RATES = new Rates(100_000, 1_000_000_000);
    /** In which a frame fills a buffer of the network, nearly. */
    static final int FILL_BYTES = 16_000;

    /** On one stream: gRPC puts 1,000 small ones together. */
    static final int FEW_PIECES = 900;

    private static final int ANSWER_BYTES = 1_000;
    /** More than 32 KiB, at which an answer is not ready, and less than the window. */
    private static final int NOT_READY_BYTES = 40_000;

    static final int MORE_THAN_SOCKETS_TAKE = 64 << 20;

    /** The allocator takes 4 MiB at a time. */
    static final long FEW_BYTES = 16 << 20;

    final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<ServerCallStreamObserver<byte[]>> paused = new ConcurrentLinkedQueue<>();
    final AtomicInteger messages = new AtomicInteger();
    final HolderQuota places = new HolderQuota(CALLS_MAX, CALLS_MAX);
    private final List<Http2Client> clients = new ArrayList<>();
    Server server;

    @BeforeEach
    void start() throws IOException {
        start(new UnfinishedRequests(MESSAGE_BYTES_MAX, LONGER_THAN_A_TEST_MS));
    }

    void start(UnfinishedRequests unfinished) throws IOException {
        start(unfinished, RATES, System::nanoTime);
    }

    void start(UnfinishedRequests unfinished, Rates rates, LongSupplier clockNs) throws IOException {
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
                        method("yield", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> {
                            endWhileItIsFlushed((ServerCallStreamObserver<byte[]>) answer);
                            return new Counter(answer, messages);
                        }))
                .addMethod(
                        method("fail", MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall((StreamObserver<byte[]> answer) -> new Failing()))
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
                new PortRates(rates, false),
                clockNs,
                (call, headers) -> Optional.empty(),
                (remote, reason) -> refusals.add(reason));
        ReadLimit reads = new ReadLimit(Map.of(), places, (remote, reason) -> refusals.add(reason));
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", 0), PortSecurity.NONE.credentials())
                .directExecutor()
                .permitKeepAliveTime(1, TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(ServerInterceptors.interceptForward(service, limit, reads));
        server = InboundBounds.set(builder, unfinished, MESSAGE_BYTES_MAX, CALLS_MAX, rates)
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

    private static final class Failing implements StreamObserver<byte[]> {
        @Override
        public void onNext(byte[] message) {
            throw new IllegalStateException("a service that fails");
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

    /** The answer is ready again when gRPC has flushed its message, and in the same task of the connection. */
    private static void endWhileItIsFlushed(ServerCallStreamObserver<byte[]> answer) {
        AtomicBoolean isEnded = new AtomicBoolean();
        answer.setOnReadyHandler(() -> {
            if (answer.isReady() && !isEnded.getAndSet(true)) {
                Thread other = new Thread(() -> answer.onError(EndAtOnce.of(Status.RESOURCE_EXHAUSTED)));
                other.start();
                join(other);
            }
        });
        answer.onNext(new byte[NOT_READY_BYTES]);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
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

    static long directBytes() {
        long used = PlatformDependent.usedDirectMemory();
        assertThat(used).as("-1 if it is not counted").isNotNegative();
        return used;
    }

    Http2Client client() throws IOException {
        return client(65_535);
    }

    Http2Client client(int window) throws IOException {
        Http2Client client = new Http2Client(new Socket("127.0.0.1", server.getPort()), window);
        clients.add(client);
        return client;
    }
}
