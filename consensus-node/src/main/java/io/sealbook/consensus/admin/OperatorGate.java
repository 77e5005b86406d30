package io.sealbook.consensus.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sealbook.access.role.RoleVerifier;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleStatement;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Judges who operates a process: a caller that proves the role of its own member, or of the auditor that a follower is.
 * Another member operates its own node only. Without TLS a port is of this machine alone, and each of its callers may
 * operate. Any thread.
 */
public final class OperatorGate {
    private final Caller operator;
    private final Optional<RoleVerifier> verifier;

    private OperatorGate(Caller operator, Optional<RoleVerifier> verifier) {
        this.operator = operator;
        this.verifier = verifier;
    }

    /**
     * Returns the gate of a node.
     *
     * @param nodeId of the member that operates it
     * @param terms returns what has the keys of roles at present; the same object until they change
     */
    public static OperatorGate ofNode(int nodeId, Supplier<Genesis> terms) {
        return new OperatorGate(new Caller(Role.MEMBER, nodeId), Optional.of(RoleVerifier.of(terms)));
    }

    /**
     * Returns the gate of a follower.
     *
     * @param auditorId of the auditor that operates it
     * @param terms returns what has the keys of roles at present; the same object until they change
     */
    public static OperatorGate ofAuditor(int auditorId, Supplier<Genesis> terms) {
        return new OperatorGate(new Caller(Role.AUDITOR, auditorId), Optional.of(RoleVerifier.of(terms)));
    }

    /** Returns the gate of a follower that is no auditor, which with TLS nobody passes. */
    public static OperatorGate ofNobody() {
        return new OperatorGate(new Caller(Role.AUDITOR, 0), Optional.empty());
    }

    /**
     * Returns the answer to a caller that does not operate the process; empty if it does.
     *
     * @param session of the connection; empty without TLS
     * @param statement value of the header that proves a role; null if there is none
     */
    Optional<Answer> refusal(Optional<SSLSession> session, String statement) {
        if (session.isEmpty()) {
            return Optional.empty();
        }
        Optional<Caller> caller = verifier.flatMap(judge -> caller(judge, session.get(), statement));
        if (caller.isEmpty()) {
            return Optional.of(Answer.text(HttpResponseStatus.UNAUTHORIZED, "the caller has proven no role"));
        }
        boolean isOperator = caller.get().equals(operator);
        return isOperator
                ? Optional.empty()
                : Optional.of(Answer.text(HttpResponseStatus.FORBIDDEN, caller.get() + " may not do this"));
    }

    private static Optional<Caller> caller(RoleVerifier judge, SSLSession session, String statement) {
        if (statement == null) {
            return Optional.empty();
        }
        try {
            Certificate shown = session.getPeerCertificates()[0];
            return judge.judge(
                    (X509Certificate) shown, RoleStatement.ofText(statement).encode());
        } catch (SSLPeerUnverifiedException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
