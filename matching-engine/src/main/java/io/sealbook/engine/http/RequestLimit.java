package io.sealbook.engine.http;

import io.sealbook.access.HolderQuota;
import io.sealbook.access.rate.RateRefusal;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import io.sealbook.tls.role.Caller;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the requests per second ({@link RequestRates}), and those that are being answered, because each holds a thread
 * until its answer is read: in total, with places for each role, and per holder. The holder is the certificate that the
 * client has shown, from the proof of its role on the caller, and without TLS the address. Those beyond a limit get 429
 * and lose their connection. {@link AnswerValve} frees a place.
 */
final class RequestLimit extends OncePerRequestFilter {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final String PLACE = RequestLimit.class.getName();

    private final HolderQuota quota;
    private final RequestRates rates;
    private final AccessRefusals refusals;

    /**
     * Makes a filter that has nothing to answer.
     *
     * @param threads that answer requests; a quarter of them is left for refusals
     * @param perHolderMax requests of one holder at once, at least 1
     * @param rates requests of one holder per second
     * @param refusals counts those beyond the places
     */
    RequestLimit(int threads, int perHolderMax, RequestRates rates, AccessRefusals refusals) {
        this.quota = new HolderQuota(Math.max(1, threads - threads / 4), perHolderMax);
        this.rates = rates;
        this.refusals = refusals;
    }

    /** The place of one request. Its thread only. */
    private final class Place {
        private Object holder;

        Place(Object holder) {
            this.holder = holder;
        }

        boolean pass(HttpServletRequest request, HttpServletResponse response, Caller next) throws IOException {
            if (!isSlowEnough(request, response, next)) {
                return false;
            }
            HolderQuota.Answer answer = quota.replace(holder, next);
            if (answer == HolderQuota.Answer.TAKEN) {
                holder = next;
                return true;
            }
            holder = null;
            refusals.readRefused(Port.HTTP, address(request), quota.describe(answer, next, "requests"));
            refuse(response, quota.describe(answer, next, "requests"));
            return false;
        }

        boolean passWithoutRole(HttpServletRequest request, HttpServletResponse response) throws IOException {
            return isSlowEnough(request, response, address(request));
        }

        void release() {
            if (holder != null) {
                quota.release(holder);
            }
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Object holder = holder(request);
        if (!isSlowEnough(request, response, holder)) {
            return;
        }
        HolderQuota.Answer answer = quota.take(holder);
        if (answer != HolderQuota.Answer.TAKEN) {
            refusals.readRefused(Port.HTTP, address(request), quota.describe(answer, holder, "requests"));
            refuse(response, quota.describe(answer, holder, "requests"));
            return;
        }
        request.setAttribute(PLACE, new Place(holder));
        chain.doFilter(rates.withCaller(request, address(request), holder), response);
    }

    private boolean isSlowEnough(HttpServletRequest request, HttpServletResponse response, Object holder)
            throws IOException {
        Optional<RateRefusal> tooFast = rates.take(request, address(request), holder);
        if (tooFast.isPresent()) {
            response.setHeader("Retry-After", tooFast.get().retryAfter());
            refuse(response, tooFast.get().reason());
        }
        return tooFast.isEmpty();
    }

    /** Returns the certificate that the client has shown; without TLS its address. */
    private static Object holder(HttpServletRequest request) throws IOException {
        X509Certificate[] shown = (X509Certificate[]) request.getAttribute(RoleFilter.CERTIFICATES);
        return shown == null || shown.length == 0 ? address(request) : shown[0];
    }

    /** Tomcat has it as numbers: no name is looked up. */
    private static InetAddress address(HttpServletRequest request) throws IOException {
        return InetAddress.getByName(request.getRemoteAddr());
    }

    /**
     * A request has proven its caller's role: it takes a place of that caller, and leaves that of its certificate.
     *
     * @param request that is being answered
     * @param response refused with 429 if the caller may have no further one
     * @param caller who makes it
     * @return false if it was refused
     */
    static boolean pass(HttpServletRequest request, HttpServletResponse response, Caller caller) throws IOException {
        return ((Place) request.getAttribute(PLACE)).pass(request, response, caller);
    }

    /**
     * A request at a port with roles proves none: it counts for its address too.
     *
     * @param request that is being answered
     * @param response refused with 429 if too many come from there
     * @return false if it was refused
     */
    static boolean passWithoutRole(HttpServletRequest request, HttpServletResponse response) throws IOException {
        return ((Place) request.getAttribute(PLACE)).passWithoutRole(request, response);
    }

    /** Frees the place of a request that has been answered, if it has one. */
    static void release(HttpServletRequest request) {
        Place place = (Place) request.getAttribute(PLACE);
        if (place != null) {
            place.release();
        }
    }

    private static void refuse(HttpServletResponse response, String reason) throws IOException {
        byte[] body = ("{\"status\":" + TOO_MANY_REQUESTS + ",\"title\":\"Too Many Requests\",\"detail\":\"" + reason
                        + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        response.setStatus(TOO_MANY_REQUESTS);
        // A client that sends on and never reads must not hold the next thread with its next request.
        response.setHeader("Connection", "close");
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
