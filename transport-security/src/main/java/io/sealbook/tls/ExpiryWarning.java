package io.sealbook.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Says once a day which certificate expires soon. Any thread. */
final class ExpiryWarning {
    /** As long before the end as the operators' alert and {@code doctor} warn. */
    private static final Duration RENEWAL = Duration.ofDays(30);

    private static final Duration PERIOD = Duration.ofDays(1);

    private Instant next = Instant.MIN;

    /**
     * Returns the line for the log, if there is something to warn of that was not said within a day.
     *
     * @param first the certificate that expires first
     * @param now in whose light validity is judged
     */
    synchronized Optional<String> due(X509Certificate first, Instant now) {
        Instant end = first.getNotAfter().toInstant();
        if (now.isBefore(next) || now.plus(RENEWAL).isBefore(end)) {
            return Optional.empty();
        }
        next = now.plus(PERIOD);
        return Optional.of(
                "TLS: certificate of " + first.getSubjectX500Principal().getName() + " is valid until " + end
                        + ": replace it, no restart is needed");
    }
}
