package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.sealbook.access.HolderQuota;
import io.sealbook.facts.Facts;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server sends more than its client takes, and ends the call. */
@Timeout(300)
class OpenCallsTest {
    private static final int MESSAGE_LENGTH = 1_000;
    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder(
                    DoorAttacks.BYTES, DoorAttacks.BYTES)
            .setFullMethodName("test/many")
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .build();

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);

    /** Netty's detector of leaks would report a buffer that is not freed, if it looks at it and it is collected. */
    @Test
    void shouldFreeMessagesThatWereNotTakenFromAnEndedCall() throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor()
                .addService(ServerServiceDefinition.builder("test")
                        .addMethod(METHOD, ServerCalls.asyncServerStreamingCall(OpenCallsTest::answer))
                        .build())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .withOption(ChannelOption.ALLOCATOR, memory)
                .build();
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger laterEnded = new AtomicInteger();
        try (OpenCalls calls = new OpenCalls()) {
            calls.add(channel);
            calls.open(channel, METHOD, new byte[3], null, status -> ended.incrementAndGet());
            Facts.await("messages that wait", () -> used() > MESSAGE_LENGTH);
            // On the same connection: its end comes after that of the other one.
            calls.open(channel, METHOD, new byte[0], null, status -> laterEnded.incrementAndGet());
            Facts.await("the end of the later call", () -> laterEnded.get() == 1);
            assertThat(ended).hasValue(0);
            assertThat(used()).isGreaterThan(MESSAGE_LENGTH);
        }

        Facts.await("no buffer is left", () -> used() == 0);
        server.shutdownNow();
    }

    /** The end of a connection, or a server that is overtaxed, is no limit of the caller's. */
    @Test
    void shouldCountCallsThatWereRefusedOnly() {
        AtomicInteger refused = new AtomicInteger();
        Consumer<Status> refusals = OpenCalls.refusals(refused);

        for (Status.Code code : Status.Code.values()) {
            refusals.accept(code.toStatus());
            if (code != Status.Code.RESOURCE_EXHAUSTED) {
                refusals.accept(code.toStatus().withDescription(tooMany(HolderQuota.Answer.HOLDER_HAS_ENOUGH)));
            }
        }
        refusals.accept(Status.RESOURCE_EXHAUSTED.withDescription("broker 2 makes more than 100 calls per second"));
        refusals.accept(Status.RESOURCE_EXHAUSTED.withDescription("stream read nothing for 30 s"));

        assertThat(refused).hasValue(0);
    }

    @Test
    void shouldCountRefusalsBecauseTooManyCallsAreOpen() {
        AtomicInteger refused = new AtomicInteger();
        Consumer<Status> refusals = OpenCalls.refusals(refused);
        List<HolderQuota.Answer> answers = Stream.of(HolderQuota.Answer.values())
                .filter(answer -> answer != HolderQuota.Answer.TAKEN)
                .toList();

        answers.forEach(answer -> refusals.accept(Status.RESOURCE_EXHAUSTED.withDescription(tooMany(answer))));

        assertThat(refused).hasValue(answers.size());
    }

    /** Returns a refusal as {@code ReadLimit} words it. */
    private static String tooMany(HolderQuota.Answer answer) {
        return new HolderQuota(8, 4).describe(answer, "broker 2", "such calls");
    }

    /** Sends a message for each byte of the request, and refuses to go on. */
    private static void answer(byte[] request, StreamObserver<byte[]> answer) {
        for (int i = 0; i < request.length; i++) {
            answer.onNext(new byte[MESSAGE_LENGTH]);
        }
        answer.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException());
    }

    private long used() {
        return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
    }
}
