package io.sealbook.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Says once a day of each certificate that it expires soon. Any thread. */
final class ExpiryWarning {
    /** As long before the end as the operators' alert and {@code doctor} warn. */
    private static final Duration RENEWAL = Duration.ofDays(30);

    private static final Duration PERIOD = Duration.ofDays(1);

    /** When those that were warned of within a day are due again. */
    private final Map<X509Certificate, Instant> next = new HashMap<>();

    /**
     * Returns the line for the log, if there is something to warn of that was not said within a day.
     *
     * @param certificate own or trusted
     * @param now in whose light validity is judged
     */
    synchronized Optional<String> due(X509Certificate certificate, Instant now) {
        Instant end = certificate.getNotAfter().toInstant();
        next.values().removeIf(time -> !now.isBefore(time));
        if (now.plus(RENEWAL).isBefore(end) || next.putIfAbsent(certificate, now.plus(PERIOD)) != null) {
            return Optional.empty();
        }
        return Optional.of(
                "TLS: certificate of " + certificate.getSubjectX500Principal().getName() + " is valid until " + end
                        + ": replace it, no restart is needed");
    }
}
