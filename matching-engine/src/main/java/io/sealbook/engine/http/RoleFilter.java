package io.sealbook.engine.http;

import io.sealbook.access.role.RoleVerifier;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleStatement;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers requests as {@link HttpRules} says: 401 without a role that is proven, 403 with one that may not. The role is
 * proven by the header {@value RoleStatement#HEADER} and the certificate of the connection.
 */
final class RoleFilter extends OncePerRequestFilter {
    /** Attribute of a request: what the client has shown. */
    static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private final RoleVerifier verifier;
    private final OptionalInt node;

    /**
     * @param verifier judges statements
     * @param node id of the engine's node, whose key makes the operator; empty beside a follower, which has no operator
     */
    RoleFilter(RoleVerifier verifier, OptionalInt node) {
        this.verifier = verifier;
        this.node = node;
    }

    /**
     * Returns the filter of a port: it judges nothing if there is no TLS.
     *
     * @param tls of the engine
     * @param directory of the engine's node
     */
    static Filter of(EngineTls tls, EngineDirectory directory) {
        return tls.roles()
                .<Filter>map(verifier -> new RoleFilter(verifier, directory.nodeId()))
                .orElse((request, response, chain) -> chain.doFilter(request, response));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String path = request.getRequestURI();
        boolean isOfOperator = HttpRules.isOfOperator(request.getMethod(), path);
        if (!isOfOperator && HttpRules.isPublic(path)) {
            if (RequestLimit.passWithoutRole(request, response)) {
                chain.doFilter(request, response);
            }
            return;
        }
        Optional<Caller> caller = caller(request);
        if (caller.isEmpty()) {
            if (!RequestLimit.passWithoutRole(request, response)) {
                return;
            }
            refuse(response, HttpServletResponse.SC_UNAUTHORIZED, "the caller has proven no role");
        } else if (isOfOperator ? !isOperator(caller.get()) : !HttpRules.mayRead(caller.get(), path)) {
            refuse(response, HttpServletResponse.SC_FORBIDDEN, caller.get() + " may not do this");
        } else if (RequestLimit.pass(request, response, caller.get())) {
            chain.doFilter(request, response);
        }
    }

    private boolean isOperator(Caller caller) {
        return caller.role() == Role.MEMBER && node.isPresent() && caller.id() == node.getAsInt();
    }

    private Optional<Caller> caller(HttpServletRequest request) {
        String text = request.getHeader(RoleStatement.HEADER);
        X509Certificate[] shown = (X509Certificate[]) request.getAttribute(CERTIFICATES);
        if (text == null || shown == null || shown.length == 0) {
            return Optional.empty();
        }
        try {
            return verifier.judge(shown[0], RoleStatement.ofText(text).encode());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void refuse(HttpServletResponse response, int status, String reason) throws IOException {
        byte[] body = ("{\"status\":" + status + ",\"detail\":\"" + reason + "\"}").getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
