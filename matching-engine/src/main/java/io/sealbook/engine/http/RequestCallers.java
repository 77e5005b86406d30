package io.sealbook.engine.http;

import io.sealbook.access.role.RoleVerifier;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.RoleStatement;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Who makes a request. The role is proven by the header {@value RoleStatement#HEADER} and the certificate of the
 * connection; it is judged once per request. Any thread.
 */
public final class RequestCallers {
    /** Attribute of a request: what the client has shown. */
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private static final String HOLDER = RequestCallers.class.getName();

    private final Optional<RoleVerifier> verifier;

    /** @param verifier judges statements; empty without TLS */
    RequestCallers(Optional<RoleVerifier> verifier) {
        this.verifier = verifier;
    }

    /**
     * Returns whose limits a request counts against, and remembers it with the request: the caller whose role is
     * proven; without one the certificate that the client has shown; without TLS its address.
     *
     * @param request that has come
     */
    Object judge(HttpServletRequest request) throws IOException {
        Object holder = holder(request);
        request.setAttribute(HOLDER, holder);
        return holder;
    }

    private Object holder(HttpServletRequest request) throws IOException {
        X509Certificate[] shown = (X509Certificate[]) request.getAttribute(CERTIFICATES);
        if (shown == null || shown.length == 0) {
            return address(request);
        }
        Optional<Caller> caller = proven(request.getHeader(RoleStatement.HEADER), shown[0]);
        return caller.isPresent() ? caller.get() : shown[0];
    }

    private Optional<Caller> proven(String statement, X509Certificate shown) {
        if (statement == null || verifier.isEmpty()) {
            return Optional.empty();
        }
        try {
            return verifier.get().judge(shown, RoleStatement.ofText(statement).encode());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the holder of the request that this thread answers. */
    public static Object present() {
        return RequestContextHolder.currentRequestAttributes().getAttribute(HOLDER, RequestAttributes.SCOPE_REQUEST);
    }

    /** Returns the holder of a request that was judged. */
    static Object holderOf(HttpServletRequest request) {
        return request.getAttribute(HOLDER);
    }

    /** Returns the caller of a request that was judged; empty without a role that is proven. */
    static Optional<Caller> callerOf(HttpServletRequest request) {
        return holderOf(request) instanceof Caller caller ? Optional.of(caller) : Optional.empty();
    }

    /** Tomcat has it as numbers: no name is looked up. */
    static InetAddress address(HttpServletRequest request) throws IOException {
        return InetAddress.getByName(request.getRemoteAddr());
    }
}
