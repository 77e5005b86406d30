package io.sealbook.access.role;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.RoleCredentials;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Lets calls pass as the rule of their method says: UNAUTHENTICATED without a role that is proven, PERMISSION_DENIED
 * with one that may not. A method without a rule is refused. Any thread.
 */
public final class RoleGate implements ServerInterceptor {
    private final RoleVerifier verifier;
    private final Map<MethodDescriptor<?, ?>, CallRule> rules;

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

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        CallRule rule = rules.get(call.getMethodDescriptor());
        if (rule != null && rule.isPublic()) {
            return next.startCall(call, headers);
        }
        Optional<Caller> caller = caller(call, headers);
        if (caller.isEmpty()) {
            return refuse(call, Status.UNAUTHENTICATED.withDescription("the caller has proven no role"));
        }
        if (rule == null || !rule.admits(caller.get())) {
            return refuse(call, denied(caller.get()));
        }
        return rule.judge().isEmpty()
                ? next.startCall(call, headers)
                : new RequestJudge<>(call, rule, caller.get(), next.startCall(call, headers));
    }

    /** Returns whether a connection has the role that it has proven, if any, still. */
    boolean isInOffice(SSLSession session) {
        return verifier.isInOffice(session);
    }

    private Optional<Caller> caller(ServerCall<?, ?> call, Metadata headers) {
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
