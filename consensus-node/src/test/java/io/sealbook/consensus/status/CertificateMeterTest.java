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
import java.nio.file.Files;
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

    /** Its alert goes on, and says nothing of the own certificate. */
    @Test
    void shouldRaiseTheAlertOfTheOwnCertificateBesideThatOfAnExpiredAuthority() throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory);
        issue(files, Duration.ofDays(400));
        trustAnExpiredAuthority(files);
        CertificateMeter.register(registry, Optional.of(TlsIdentity.open(files)));
        assertThat(firingBy("of")).containsExactly("CertificateExpires{of=trusted}");

        issue(files, Duration.ofDays(10));
        trustAnExpiredAuthority(files);
        assertThat(firingBy("of")).containsExactly("CertificateExpires{of=own}", "CertificateExpires{of=trusted}");

        issue(files, Duration.ofDays(500));
        trustAnExpiredAuthority(files);
        assertThat(firingBy("of")).containsExactly("CertificateExpires{of=trusted}");
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

    private void trustAnExpiredAuthority(TlsSettings files) throws IOException {
        TlsSettings other = TlsSettings.ofFilesIn(directory.resolve("other"));
        Clock then = Clock.fixed(NOW.minus(Duration.ofDays(100)), ZoneOffset.UTC);
        new CertificateAuthority("expired", Duration.ofDays(50), then)
                .issue(other, "node3", CertificateRole.SERVER, List.of("localhost"));
        Files.writeString(files.trusted(), Files.readString(files.trusted()) + Files.readString(other.trusted()));
    }

    private TreeSet<String> firing() throws IOException {
        return firingBy("node");
    }

    private TreeSet<String> firingBy(String label) throws IOException {
        Scrapes scrapes = new Scrapes();
        double nowS = NOW.getEpochSecond();
        scrapes.add(nowS, "node", 2, registry.scrape());
        scrapes.add(nowS + 60, "node", 2, registry.scrape());
        return AlertRules.read().firingBy(label, scrapes, nowS, nowS + 60);
    }
}
