package io.sealbook.engine;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.engine.setup.EngineTls;
import java.time.Instant;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** The end of the engine's TLS certificates as meters, under the name that a node gives them too; none without TLS. */
@Component
class CertificateEnd implements MeterBinder {
    private final EngineTls tls;

    CertificateEnd(EngineTls tls) {
        this.tls = tls;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        tls.identity().ifPresent(identity -> {
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
