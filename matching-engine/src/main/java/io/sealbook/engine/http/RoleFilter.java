package io.sealbook.engine.http;

import io.sealbook.access.role.RoleVerifier;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.RoleStatement;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers requests as {@link HttpRules} says: 401 without a role that is proven, 403 with one that may not. The role is
 * proven by the header {@value RoleStatement#HEADER} and the certificate of the connection.
 */
final class RoleFilter extends OncePerRequestFilter {
    /** Attribute of a request: what the client has shown. */
    static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private final RoleVerifier verifier;

    RoleFilter(RoleVerifier verifier) {
        this.verifier = verifier;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String path = request.getRequestURI();
        if (HttpRules.isPublic(path)) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Caller> caller = caller(request);
        if (caller.isEmpty()) {
            refuse(response, HttpServletResponse.SC_UNAUTHORIZED, "the caller has proven no role");
        } else if (!HttpRules.mayRead(caller.get(), path)) {
            refuse(response, HttpServletResponse.SC_FORBIDDEN, caller.get() + " may not read this");
        } else {
            chain.doFilter(request, response);
        }
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
