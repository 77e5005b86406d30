package io.sealbook.access;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.BiConsumer;

/** Refuses calls beyond the quota of their method with RESOURCE_EXHAUSTED; methods without a quota pass. Any thread. */
public final class ReadLimit implements ServerInterceptor {
    private final Map<MethodDescriptor<?, ?>, AddressQuota> quotas;
    private final BiConsumer<InetSocketAddress, String> onRefused;

    /**
     * Counts the calls that begin from now on.
     *
     * @param quotas places for open calls, by method; several methods may share one quota
     * @param onRefused is given the remote address of each call that is refused, and the reason; must not wait
     */
    public ReadLimit(
            Map<MethodDescriptor<?, ?>, AddressQuota> quotas, BiConsumer<InetSocketAddress, String> onRefused) {
        this.quotas = Map.copyOf(quotas);
        this.onRefused = onRefused;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        AddressQuota quota = quotas.get(call.getMethodDescriptor());
        if (quota == null) {
            return next.startCall(call, headers);
        }
        InetSocketAddress remote = (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        InetAddress address = remote.getAddress();
        AddressQuota.Answer answer = quota.take(address);
        if (answer != AddressQuota.Answer.TAKEN) {
            String reason = quota.describe(answer, address, "such calls");
            onRefused.accept(remote, reason);
            call.close(Status.RESOURCE_EXHAUSTED.withDescription(reason), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        try {
            return releasing(next.startCall(call, headers), quota, address);
        } catch (RuntimeException e) {
            // The call has no listener that would be notified of its end.
            quota.release(address);
            throw e;
        }
    }

    /** gRPC reports exactly one of the two ends of each call. */
    private static <Q> ServerCall.Listener<Q> releasing(
            ServerCall.Listener<Q> listener, AddressQuota quota, InetAddress address) {
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onCancel() {
                quota.release(address);
                super.onCancel();
            }

            @Override
            public void onComplete() {
                quota.release(address);
                super.onComplete();
            }
        };
    }
}
