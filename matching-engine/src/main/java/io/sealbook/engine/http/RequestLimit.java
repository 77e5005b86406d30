package io.sealbook.engine.http;

import io.sealbook.access.HolderQuota;
import io.sealbook.access.rate.RateRefusal;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the requests per second ({@link RequestRates}), and those that are being answered, because each holds a thread
 * until its answer is read: in total, with places for each role, and per holder ({@link RequestCallers}). Those beyond
 * a limit get 429 and lose their connection. {@link AnswerValve} frees a place.
 */
final class RequestLimit extends OncePerRequestFilter {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final String PLACE = RequestLimit.class.getName();

    private final HolderQuota quota;
    private final RequestCallers callers;
    private final RequestRates rates;
    private final AccessRefusals refusals;

    /**
     * Makes a filter that has nothing to answer.
     *
     * @param threads that answer requests; a quarter of them is left for refusals
     * @param perHolderMax requests of one holder at once, at least 1
     * @param callers judges who makes a request
     * @param rates requests of one holder per second
     * @param refusals counts those beyond the places
     */
    RequestLimit(int threads, int perHolderMax, RequestCallers callers, RequestRates rates, AccessRefusals refusals) {
        this.quota = new HolderQuota(Math.max(1, threads - threads / 4), perHolderMax);
        this.callers = callers;
        this.rates = rates;
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        InetAddress remote = RequestCallers.address(request);
        // A wrong statement counts like none. Who sends too many loses the connection: the next costs a handshake.
        Object holder = callers.judge(request);
        Optional<RateRefusal> tooFast = rates.take(request, remote, holder);
        if (tooFast.isPresent()) {
            response.setHeader("Retry-After", tooFast.get().retryAfter());
            refuse(response, tooFast.get().reason());
            return;
        }
        HolderQuota.Answer answer = quota.take(holder);
        if (answer != HolderQuota.Answer.TAKEN) {
            refusals.readRefused(Port.HTTP, remote, quota.describe(answer, holder, "requests"));
            refuse(response, quota.describe(answer, holder, "requests"));
            return;
        }
        Runnable place = () -> quota.release(holder);
        request.setAttribute(PLACE, place);
        chain.doFilter(rates.withCaller(request, remote, holder), response);
    }

    /** Frees the place of a request that has been answered, if it has one. */
    static void release(HttpServletRequest request) {
        if (request.getAttribute(PLACE) instanceof Runnable place) {
            place.run();
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
