package io.sealbook.access;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.sealbook.tls.role.Caller;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Refuses calls beyond the quota of their method with RESOURCE_EXHAUSTED. A call has its place until its answer is
 * written to the network, so that who reads no answers holds few. Any thread.
 */
public final class ReadLimit implements ServerInterceptor {
    /** Who makes the call that begins, if its role is proven. */
    public static final Context.Key<Caller> CALLER = Context.key("sealbook.caller");

    /**
     * Who makes the call whose method runs: the caller whose role is proven; without one the certificate that it has
     * shown; without TLS its address. Equal objects are one. A method that takes many requests knows it while its call
     * begins, and not when they come.
     */
    public static final Context.Key<Object> HOLDER = Context.key("sealbook.holder");

    private final Map<MethodDescriptor<?, ?>, HolderQuota> quotas;
    private final HolderQuota others;
    private final BiConsumer<InetSocketAddress, String> onRefused;

    /**
     * Counts the calls that begin from now on.
     *
     * @param quotas places for open calls, by method; several methods may share one quota
     * @param others places for open calls of all other methods
     * @param onRefused is given the remote address of each call that is refused, and the reason; must not wait
     */
    public ReadLimit(
            Map<MethodDescriptor<?, ?>, HolderQuota> quotas,
            HolderQuota others,
            BiConsumer<InetSocketAddress, String> onRefused) {
        this.quotas = Map.copyOf(quotas);
        this.others = others;
        this.onRefused = onRefused;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        HolderQuota quota = quotas.getOrDefault(call.getMethodDescriptor(), others);
        InetSocketAddress remote = (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        Object holder = holder(call, remote);
        HolderQuota.Answer answer = quota.take(holder);
        if (answer != HolderQuota.Answer.TAKEN) {
            String reason = quota.describe(answer, holder, "such calls");
            onRefused.accept(remote, reason);
            call.close(Status.RESOURCE_EXHAUSTED.withDescription(reason), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        try {
            return releasing(start(call, headers, next, holder), quota, holder);
        } catch (RuntimeException e) {
            // The call has no listener that would be notified of its end.
            quota.release(holder);
            throw e;
        }
    }

    /**
     * A method that takes one request runs when that has come, and not when the call begins. One that takes many runs
     * at the beginning; a context for each message would cost every one of them.
     */
    private static <Q, A> ServerCall.Listener<Q> start(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next, Object holder) {
        Context context = Context.current().withValue(HOLDER, holder);
        if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
            return Contexts.interceptCall(context, call, headers, next);
        }
        Context before = context.attach();
        try {
            return next.startCall(call, headers);
        } finally {
            context.detach(before);
        }
    }

    /** Returns the caller; without a proven role the certificate that it has shown; without TLS its address. */
    private static Object holder(ServerCall<?, ?> call, InetSocketAddress remote) {
        Caller caller = CALLER.get();
        return caller != null ? caller : unprovenHolder(call, remote);
    }

    /**
     * Returns who makes a call that proves no role: the certificate that was shown; without TLS the address.
     *
     * @param call that begins
     * @param remote its address
     */
    public static Object unprovenHolder(ServerCall<?, ?> call, InetSocketAddress remote) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        try {
            return session == null ? remote.getAddress() : session.getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException e) {
            return remote.getAddress();
        }
    }

    /** gRPC reports exactly one of the two ends of each call. */
    private static <Q> ServerCall.Listener<Q> releasing(
            ServerCall.Listener<Q> listener, HolderQuota quota, Object holder) {
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onCancel() {
                quota.release(holder);
                super.onCancel();
            }

            @Override
            public void onComplete() {
                quota.release(holder);
                super.onComplete();
            }
        };
    }
}
