package io.sealbook.engine.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses WebSockets of pages of other sites with 403. A browser shows the certificate of its user to such a page's
 * WebSocket too, and unlike an answer to other requests it lets the page read what comes. The host of the request is
 * one of this machine ({@link HostFilter}) or of the certificate.
 */
final class OriginFilter extends OncePerRequestFilter {
    private static final String PATH = "/ws/";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String origin = request.getHeader("Origin");
        if (origin == null
                || !request.getRequestURI().startsWith(PATH)
                || isOfThisSite(origin, request.getHeader("Host"))) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN, "this page is of another site");
        }
    }

    private static boolean isOfThisSite(String origin, String host) {
        try {
            return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
