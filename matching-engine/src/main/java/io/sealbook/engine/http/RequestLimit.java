package io.sealbook.engine.http;

import io.sealbook.access.AddressQuota;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits the requests of one address that are being answered, because each holds a thread until its answer is read.
 * Those beyond it get 429 and lose their connection.
 */
final class RequestLimit extends OncePerRequestFilter {
    private static final int TOO_MANY_REQUESTS = 429;

    private final AddressQuota quota;
    private final AccessRefusals refusals;

    /**
     * Makes a filter that has nothing to answer.
     *
     * @param perAddressMax requests of one address at once, at least 1
     * @param refusals counts those beyond it
     */
    RequestLimit(int perAddressMax, AccessRefusals refusals) {
        this.quota = new AddressQuota(Integer.MAX_VALUE, perAddressMax);
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        // Tomcat has it as numbers: no name is looked up.
        InetAddress address = InetAddress.getByName(request.getRemoteAddr());
        AddressQuota.Answer answer = quota.take(address);
        if (answer != AddressQuota.Answer.TAKEN) {
            String reason = quota.describe(answer, address, "requests");
            refusals.readRefused(Port.HTTP, address, reason);
            refuse(response, reason);
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            quota.release(address);
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
