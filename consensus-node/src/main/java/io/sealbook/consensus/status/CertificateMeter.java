package io.sealbook.consensus.status;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.tls.TlsIdentity;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The end of the TLS certificates, under the name that the engine gives it too; none without TLS. Any thread. */
public final class CertificateMeter {
    private CertificateMeter() {}

    /**
     * Adds a meter for the own certificates and one for the trusted ones.
     *
     * @param registry that they are read from
     * @param tls looked at with each reading
     */
    public static void register(MeterRegistry registry, Optional<TlsIdentity> tls) {
        tls.ifPresent(identity -> {
            register(registry, "own", identity::ownEnd);
            register(registry, "trusted", identity::trustedEnd);
        });
    }

    private static void register(MeterRegistry registry, String of, Supplier<Instant> end) {
        Gauge.builder("sealbook.tls.not.after", () -> end.get().getEpochSecond())
                .description("When does the first of these certificates expire (Unix time)?")
                .baseUnit("seconds")
                .tag("of", of)
                .register(registry);
    }
}
