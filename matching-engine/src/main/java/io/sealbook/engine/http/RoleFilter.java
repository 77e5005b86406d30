package io.sealbook.engine.http;

import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers requests as {@link HttpRules} says: 401 without a role that is proven, 403 with one that may not. Before it
 * {@link RequestLimit} has judged who makes the request.
 */
final class RoleFilter extends OncePerRequestFilter {
    private final OptionalInt node;

    /** @param node id of the engine's node, whose key makes the operator; empty beside a follower, which has none */
    RoleFilter(OptionalInt node) {
        this.node = node;
    }

    /**
     * Returns the filter of a port: it judges nothing if there is no TLS.
     *
     * @param tls of the engine
     * @param directory of the engine's node
     */
    static Filter of(EngineTls tls, EngineDirectory directory) {
        return tls.roles().isPresent()
                ? new RoleFilter(directory.nodeId())
                : (request, response, chain) -> chain.doFilter(request, response);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String path = request.getRequestURI();
        boolean isOfOperator = HttpRules.isOfOperator(request.getMethod(), path);
        if (!isOfOperator && HttpRules.isPublic(path)) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Caller> caller = RequestCallers.callerOf(request);
        if (caller.isEmpty()) {
            refuse(response, HttpServletResponse.SC_UNAUTHORIZED, "the caller has proven no role");
        } else if (isOfOperator ? !isOperator(caller.get()) : !HttpRules.mayRead(caller.get(), path)) {
            refuse(response, HttpServletResponse.SC_FORBIDDEN, caller.get() + " may not do this");
        } else {
            chain.doFilter(request, response);
        }
    }

    private boolean isOperator(Caller caller) {
        return caller.role() == Role.MEMBER && node.isPresent() && caller.id() == node.getAsInt();
    }

    /**
     * Answers with a problem document.
     *
     * @param response of which nothing is sent
     * @param status of HTTP
     * @param reason needs no escapes in JSON
     */
    static void refuse(HttpServletResponse response, int status, String reason) throws IOException {
        byte[] body = ("{\"status\":" + status + ",\"detail\":\"" + reason + "\"}").getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
