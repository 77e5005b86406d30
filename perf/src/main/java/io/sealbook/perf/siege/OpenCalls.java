package io.sealbook.perf.siege;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Connections of an attack, and calls on them of which one message is taken, and no more. One thread. */
final class OpenCalls implements AutoCloseable {
    /** Of each refusal that {@link io.sealbook.access.HolderQuota#describe} words for calls. */
    static final String TOO_MANY = " such calls ";

    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<ClientCall<?, ?>> calls = new ArrayList<>();

    /** Adds a connection, which is closed with the others. */
    ManagedChannel add(ManagedChannel channel) {
        channels.add(channel);
        return channel;
    }

    /**
     * Begins a call, and sends its request.
     *
     * @param channel was added
     * @param method its streams of requests stay open
     * @param request one message
     * @param role proves the caller's; null if none
     * @param ended takes the status when the call has ended and all its messages were taken
     */
    void open(
            ManagedChannel channel,
            MethodDescriptor<?, ?> method,
            byte[] request,
            CallCredentials role,
            Consumer<Status> ended) {
        calls.add(begin(channel, method, request, role, ended));
    }

    /**
     * Returns what counts the calls that a server refuses because too many are open; no other end counts. A caller that
     * is too fast, and a stream that is too slow, end with the same code.
     */
    static Consumer<Status> refusals(AtomicInteger refused) {
        return status -> {
            if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED
                    && String.valueOf(status.getDescription()).contains(TOO_MANY)) {
                refused.incrementAndGet();
            }
        };
    }

    /** As {@link #open}; the call is the caller's to end. */
    static ClientCall<byte[], byte[]> begin(
            ManagedChannel channel,
            MethodDescriptor<?, ?> method,
            byte[] request,
            CallCredentials role,
            Consumer<Status> ended) {
        ClientCall<byte[], byte[]> call = channel.newCall(
                method.toBuilder(DoorAttacks.BYTES, DoorAttacks.BYTES).build(),
                CallOptions.DEFAULT.withCallCredentials(role));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        ended.accept(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(request);
        if (method.getType() != MethodDescriptor.MethodType.BIDI_STREAMING) {
            call.halfClose();
        }
        return call;
    }

    /**
     * Gives up a call. gRPC keeps the messages that wait of a call that the other side has ended until the caller takes
     * them or cancels: the end of the channel does not free their buffers.
     */
    static void end(ClientCall<?, ?> call) {
        call.cancel("the siege has seen enough", null);
    }

    @Override
    public void close() {
        calls.forEach(OpenCalls::end);
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
