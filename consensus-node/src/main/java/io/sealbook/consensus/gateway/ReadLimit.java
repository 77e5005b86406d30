package io.sealbook.consensus.gateway;

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

/** Refuses calls beyond the quota of their method with RESOURCE_EXHAUSTED; methods without a quota pass. Any thread. */
final class ReadLimit implements ServerInterceptor {
    private final Map<MethodDescriptor<?, ?>, AddressQuota> quotas;
    private final Runnable onRefused;

    /**
     * Counts from now on.
     *
     * @param quotas open calls of a method; several methods may share one
     * @param onRefused runs for each call that is refused; must not wait
     */
    ReadLimit(Map<MethodDescriptor<?, ?>, AddressQuota> quotas, Runnable onRefused) {
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
        InetAddress address =
                ((InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)).getAddress();
        AddressQuota.Answer answer = quota.take(address);
        if (answer != AddressQuota.Answer.TAKEN) {
            onRefused.run();
            call.close(refusal(answer, quota, address), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        try {
            return releasing(next.startCall(call, headers), quota, address);
        } catch (RuntimeException e) {
            // The call has no listener that would be told its end.
            quota.release(address);
            throw e;
        }
    }

    private static Status refusal(AddressQuota.Answer answer, AddressQuota quota, InetAddress address) {
        return Status.RESOURCE_EXHAUSTED.withDescription(
                answer == AddressQuota.Answer.ADDRESS_HAS_ENOUGH
                        ? "address " + address.getHostAddress() + " has " + quota.perAddressMax()
                                + " such calls open, the most that one address may have"
                        : quota.totalMax() + " such calls are open, the most that are served");
    }

    /** Of every call exactly one of the two ends is reported. */
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
