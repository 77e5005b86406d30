package io.sealbook.consensus.gateway;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.sealbook.access.ReadLimit;
import io.sealbook.tls.role.Caller;
import java.net.InetSocketAddress;

/**
 * Keeps for services who opens a stream: the caller; without a proven role the certificate that it has shown; without
 * TLS its address. Any thread.
 */
final class CallHolder implements ServerInterceptor {
    private static final Context.Key<Object> HOLDER = Context.key("sealbook.holder");

    /** Returns who has opened the stream whose call runs on this thread; equal objects are one. */
    static Object ofStream() {
        return HOLDER.get();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (call.getMethodDescriptor().getType() != MethodDescriptor.MethodType.SERVER_STREAMING) {
            return next.startCall(call, headers);
        }
        Caller caller = ReadLimit.CALLER.get();
        Object holder = caller != null
                ? caller
                : ReadLimit.unprovenHolder(
                        call, (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        return Contexts.interceptCall(Context.current().withValue(HOLDER, holder), call, headers, next);
    }
}
