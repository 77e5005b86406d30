package io.sealbook.engine.http;

import io.sealbook.access.HostHeader;
import io.sealbook.engine.setup.EngineTls;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses requests for another host with 421, at a port without TLS: see {@link HostHeader}. */
final class HostFilter extends OncePerRequestFilter {
    private final HostHeader host;

    /** @param listening name or address on which the port listens */
    HostFilter(String listening) {
        this.host = new HostHeader(listening);
    }

    /**
     * Returns the filter of a port, after its limits.
     *
     * @param tls of the engine; the filter is off with it
     * @param environment has the address of the port
     * @param address key of that address
     */
    static FilterRegistrationBean<Filter> of(EngineTls tls, Environment environment, String address) {
        FilterRegistrationBean<Filter> filter =
                new FilterRegistrationBean<>(new HostFilter(environment.getProperty(address, "localhost")));
        filter.setEnabled(tls.identity().isEmpty());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return filter;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (host.isForeign(request.getHeader("Host"))) {
            RoleFilter.refuse(response, HostHeader.MISDIRECTED_REQUEST, HostHeader.REFUSAL);
        } else {
            chain.doFilter(request, response);
        }
    }
}
