package io.sealbook.access.role;

import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.sealbook.access.ReadLimit;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.RoleCredentials;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.net.ssl.SSLSession;

/**
 * Lets calls pass as the rule of their method says: UNAUTHENTICATED without a role that is proven, PERMISSION_DENIED
 * with one that may not. A method without a rule is refused. Limits behind it find the caller as
 * {@link ReadLimit#CALLER}, also in calls that everyone may make. Any thread.
 */
public final class RoleGate implements ServerInterceptor {
    private final RoleVerifier verifier;
    private final Map<MethodDescriptor<?, ?>, CallRule> rules;
    private volatile BiFunction<SocketAddress, Optional<Caller>, Optional<String>> places =
            (remote, caller) -> Optional.empty();

    /**
     * Makes a gate.
     *
     * @param verifier judges statements
     * @param rules by method
     */
    public RoleGate(RoleVerifier verifier, Map<MethodDescriptor<?, ?>, CallRule> rules) {
        this.verifier = verifier;
        this.rules = Map.copyOf(rules);
    }

    /**
     * Sets what is notified of each call, with its caller if a role is proven; before the port opens.
     *
     * @param notified returns why the connection with this remote address may have no call, if it may not; must not
     *     wait
     */
    void whenCalled(BiFunction<SocketAddress, Optional<Caller>, Optional<String>> notified) {
        places = notified;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        CallRule rule = rules.get(call.getMethodDescriptor());
        boolean isPublic = rule != null && rule.isPublic();
        Optional<Caller> caller = caller(call, headers);
        Optional<String> tooMany = places.apply(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR), caller);
        if (tooMany.isPresent()) {
            return refuse(call, Status.RESOURCE_EXHAUSTED.withDescription(tooMany.get()));
        }
        if (caller.isEmpty()) {
            return isPublic
                    ? next.startCall(call, headers)
                    : refuse(call, Status.UNAUTHENTICATED.withDescription("the caller has proven no role"));
        }
        if (!isPublic && (rule == null || !rule.admits(caller.get()))) {
            return refuse(call, denied(caller.get()));
        }
        ServerCall.Listener<Q> service = start(call, headers, next, caller.get());
        return rule.judge().isEmpty() ? service : new RequestJudge<>(call, rule, caller.get(), service);
    }

    private static <Q, A> ServerCall.Listener<Q> start(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next, Caller caller) {
        Context context = Context.current().withValue(ReadLimit.CALLER, caller);
        Context before = context.attach();
        try {
            return next.startCall(call, headers);
        } finally {
            context.detach(before);
        }
    }

    /** Returns whether a connection has the role that it has proven, if any, still. */
    boolean isInOffice(SSLSession session) {
        return verifier.isInOffice(session);
    }

    /** Returns who makes a call; empty without a role that is proven. */
    Optional<Caller> caller(ServerCall<?, ?> call, Metadata headers) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        byte[] statement = RoleCredentials.statementOf(headers);
        return session == null || statement == null ? Optional.empty() : verifier.caller(session, statement);
    }

    private static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static Status denied(Caller caller) {
        return Status.PERMISSION_DENIED.withDescription(caller + " may not do this");
    }

    /** Looks at the request before the service does. */
    private static final class RequestJudge<Q> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, ?> call;
        private final CallRule rule;
        private final Caller caller;
        private boolean isRefused;

        RequestJudge(ServerCall<Q, ?> call, CallRule rule, Caller caller, ServerCall.Listener<Q> service) {
            super(service);
            this.call = call;
            this.rule = rule;
            this.caller = caller;
        }

        @Override
        public void onMessage(Q request) {
            if (isRefused) {
                return;
            }
            if (rule.admits(caller, request)) {
                super.onMessage(request);
            } else {
                isRefused = true;
                call.close(denied(caller), new Metadata());
            }
        }

        /** The service answers when the request has ended; it must not see the end of one that it has not seen. */
        @Override
        public void onHalfClose() {
            if (!isRefused) {
                super.onHalfClose();
            }
        }
    }
}
