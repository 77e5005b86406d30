package io.sealbook.engine.http;

import io.sealbook.engine.setup.EngineTls;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests for another host with 421, at a port without TLS. The owner of a site on the Internet can let its
 * name mean 127.0.0.1 (DNS rebinding): the browser of this machine then takes the engine for that site, and lets its
 * page read the answers. It names the site as the host, and no name is an address, or {@code localhost}. With TLS the
 * certificate has another name.
 */
final class HostFilter extends OncePerRequestFilter {
    private static final int MISDIRECTED_REQUEST = 421;

    /** Host without a port, which follows a colon. */
    private static final Pattern HOST = Pattern.compile("(\\[[^]]*]|[^:]*)(?::[0-9]*)?");

    /** No name ends with a number (WHATWG URL, section 3.5), or has brackets. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}|\\[[0-9a-fA-F:.]+]");

    private final String listening;

    /** @param listening name or address on which the port listens */
    HostFilter(String listening) {
        this.listening = listening;
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
        String host = request.getHeader("Host");
        if (host == null || isOfThisMachine(host)) {
            chain.doFilter(request, response);
        } else {
            RoleFilter.refuse(
                    response,
                    MISDIRECTED_REQUEST,
                    "the Host of the request is neither an address, nor localhost, nor the address of this port");
        }
    }

    private boolean isOfThisMachine(String host) {
        Optional<String> name =
                Optional.of(HOST.matcher(host)).filter(Matcher::matches).map(matcher -> matcher.group(1));
        return name.isPresent()
                && (name.get().equalsIgnoreCase("localhost")
                        || name.get().equalsIgnoreCase(listening)
                        || ADDRESS.matcher(name.get()).matches());
    }
}
