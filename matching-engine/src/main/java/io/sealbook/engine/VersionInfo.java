package io.sealbook.engine;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.vocabulary.ProductVersion;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

/** The version of the engine's build, in {@code /actuator/info} and as a meter. */
@Component
class VersionInfo implements InfoContributor, MeterBinder {
    @Override
    public void contribute(Info.Builder info) {
        info.withDetail("version", ProductVersion.text());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sealbook.build.info", () -> 1)
                .description("Which version runs?")
                .tag("version", ProductVersion.text())
                .register(registry);
    }
}
