package io.sealbook.engine.http;

import io.sealbook.access.HolderQuota;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the requests of one certificate, without TLS of one address, that are being answered, because each holds a
 * thread until its answer is read. Those beyond it get 429 and lose their connection.
 */
final class RequestLimit extends OncePerRequestFilter {
    private static final int TOO_MANY_REQUESTS = 429;

    private final HolderQuota quota;
    private final AccessRefusals refusals;

    /**
     * Makes a filter that has nothing to answer.
     *
     * @param perAddressMax requests of one address at once, at least 1
     * @param refusals counts those beyond it
     */
    RequestLimit(int perAddressMax, AccessRefusals refusals) {
        this.quota = new HolderQuota(Integer.MAX_VALUE, perAddressMax);
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Tomcat has it as numbers: no name is looked up.
        InetAddress address = InetAddress.getByName(request.getRemoteAddr());
        Object holder = holder(request, address);
        HolderQuota.Answer answer = quota.take(holder);
        if (answer != HolderQuota.Answer.TAKEN) {
            String reason = quota.describe(answer, holder, "requests");
            refusals.readRefused(Port.HTTP, address, reason);
            refuse(response, reason);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            quota.release(holder);
        }
    }

    /** Returns the certificate that the client has shown; without TLS its address. */
    private static Object holder(HttpServletRequest request, InetAddress address) {
        X509Certificate[] shown = (X509Certificate[]) request.getAttribute(RoleFilter.CERTIFICATES);
        return shown == null || shown.length == 0 ? address : shown[0];
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
