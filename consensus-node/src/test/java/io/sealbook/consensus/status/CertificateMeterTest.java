package io.sealbook.consensus.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.alerts.AlertRules;
import io.sealbook.alerts.Scrapes;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateMeterTest {
    private static final Instant NOW = Instant.now();

    @TempDir
    Path directory;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** It is replaced while the process runs. */
    @Test
    void shouldRaiseTheAlertTenDaysBeforeTheEndUntilTheCertificateIsReplaced() throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory);
        issue(files, Duration.ofDays(10));
        CertificateMeter.register(registry, Optional.of(TlsIdentity.open(files)));

        assertThat(firing()).containsExactly("CertificateExpires{node=2}");

        issue(files, Duration.ofDays(400));
        assertThat(firing()).isEmpty();
    }

    @Test
    void shouldShowNothingWithoutTls() {
        CertificateMeter.register(registry, Optional.empty());

        assertThat(registry.getMeters()).isEmpty();
    }

    private static void issue(TlsSettings files, Duration validity) throws IOException {
        new CertificateAuthority("members", validity, Clock.fixed(NOW, ZoneOffset.UTC))
                .issue(files, "node2", CertificateRole.SERVER, List.of("localhost"));
    }

    private TreeSet<String> firing() throws IOException {
        Scrapes scrapes = new Scrapes();
        double nowS = NOW.getEpochSecond();
        scrapes.add(nowS, "node", 2, registry.scrape());
        scrapes.add(nowS + 60, "node", 2, registry.scrape());
        return AlertRules.read().firing(scrapes, nowS, nowS + 60);
    }
}
