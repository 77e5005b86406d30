package io.sealbook.engine.http;

import io.sealbook.access.rate.PortRates;
import io.sealbook.access.rate.RateRefusal;
import io.sealbook.access.rate.Rates;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.security.Principal;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What each caller may send per second over HTTP. A request counts for the caller whose role it proves alone, or
 * without one for the certificate that was shown and for its address; without TLS it counts for its address. Any
 * thread.
 */
final class RequestRates {
    /** A body without a length counts as these. */
    private static final long CHUNKED_BYTES = 2 << 20;

    private final PortRates quota;
    private final LongSupplier clockNs;
    private final AccessRefusals refusals;

    /**
     * @param rates of one caller
     * @param hasTls whether clients show certificates
     * @param clockNs the time in nanoseconds, from any origin
     * @param refusals counts what is refused
     */
    RequestRates(Rates rates, boolean hasTls, LongSupplier clockNs, AccessRefusals refusals) {
        this.quota = new PortRates(rates, hasTls);
        this.clockNs = clockNs;
        this.refusals = refusals;
    }

    /**
     * Counts a request for a holder.
     *
     * @param request that has come
     * @param remote its address
     * @param holder caller, certificate or address
     * @return why it is refused; empty if it is let through
     */
    Optional<RateRefusal> take(HttpServletRequest request, InetAddress remote, Object holder) {
        long nowNs = clockNs.getAsLong();
        PortRates.Share share = quota.share(holder, remote, nowNs);
        Optional<RateRefusal> refusal = share.takeCall(nowNs);
        if (refusal.isEmpty()) {
            refusal = share.takeBytes(bytes(request), nowNs);
        }
        refusal.ifPresent(present -> refusals.rateRefused(Port.HTTP, remote, present.reason()));
        return refusal;
    }

    private static long bytes(HttpServletRequest request) {
        String query = request.getQueryString();
        int line = request.getRequestURI().length() + (query == null ? 0 : query.length());
        long body = request.getContentLengthLong();
        if (body < 0) {
            body = request.getHeader("Transfer-Encoding") == null ? 0 : CHUNKED_BYTES;
        }
        return line + Math.min(body, Rates.BYTES_MAX);
    }

    /**
     * Returns a request whose WebSocket, if it opens one, has its caller as its user, and holds no worker.
     *
     * @param request that has come
     * @param remote its address
     * @param holder caller, certificate or address
     */
    HttpServletRequest withCaller(HttpServletRequest request, InetAddress remote, Object holder) {
        if (request.getHeader("Upgrade") == null) {
            return request;
        }
        WebSocketCaller caller = new WebSocketCaller(
                holder,
                quota.share(holder, remote, clockNs.getAsLong()),
                clockNs,
                reason -> refusals.rateRefused(Port.HTTP, remote, reason));
        return new HttpServletRequestWrapper(request) {
            @Override
            public Principal getUserPrincipal() {
                return caller;
            }

            @Override
            public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws IOException, ServletException {
                return type.isAssignableFrom(WebSocketUpgrade.class)
                        ? type.cast(super.upgrade(WebSocketUpgrade.class))
                        : super.upgrade(type);
            }
        };
    }
}
