package io.sealbook.engine;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.engine.setup.EngineTls;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** The end of the engine's TLS certificates as a meter, under the name that a node gives it too; none without TLS. */
@Component
class CertificateEnd implements MeterBinder {
    private final EngineTls tls;

    CertificateEnd(EngineTls tls) {
        this.tls = tls;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        tls.identity()
                .ifPresent(identity -> Gauge.builder(
                                "sealbook.tls.not.after",
                                () -> TimeUnit.MILLISECONDS.toSeconds(
                                        identity.firstToExpire().getNotAfter().getTime()))
                        .description("When does the first of the certificates expire, own or trusted (Unix time)?")
                        .baseUnit("seconds")
                        .register(registry));
    }
}
