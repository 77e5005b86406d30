package io.sealbook.consensus.status;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.tls.TlsIdentity;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The end of the TLS certificates, under the name that the engine gives it too; none without TLS. Any thread. */
public final class CertificateMeter {
    private CertificateMeter() {}

    /**
     * Adds the meter.
     *
     * @param registry that it is read from
     * @param tls looked at with each reading
     */
    public static void register(MeterRegistry registry, Optional<TlsIdentity> tls) {
        tls.ifPresent(identity -> Gauge.builder(
                        "sealbook.tls.not.after",
                        () -> TimeUnit.MILLISECONDS.toSeconds(
                                identity.firstToExpire().getNotAfter().getTime()))
                .description("When does the first of the certificates expire, own or trusted (Unix time)?")
                .baseUnit("seconds")
                .register(registry));
    }
}
