package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryWarningTest {
    private static final Instant NOW = Instant.ofEpochSecond(Instant.now().getEpochSecond());
    private static final Instant END = NOW.plus(Duration.ofDays(50));

    @TempDir
    Path directory;

    private final ExpiryWarning warning = new ExpiryWarning();
    private TlsSettings files;
    private X509Certificate own;

    @BeforeEach
    void issue() throws IOException {
        files = TlsSettings.ofFilesIn(directory);
        authority(Duration.ofDays(50)).issue(files, "node0", CertificateRole.SERVER, List.of("localhost"));
        own = TlsFiles.certificates(files.certificate())[0];
    }

    @Test
    void shouldWarnOnceADayWithinThirtyDaysOfTheEnd() {
        assertThat(warning.due(own, END.minus(Duration.ofDays(31)))).isEmpty();

        Instant soon = END.minus(Duration.ofDays(29));
        assertThat(warning.due(own, soon))
                .hasValue("TLS: certificate of CN=node0 is valid until " + END + ": replace it, no restart is needed");
        assertThat(warning.due(own, soon.plus(Duration.ofHours(23)))).isEmpty();
        assertThat(warning.due(own, soon.plus(Duration.ofHours(24)))).isPresent();
    }

    @Test
    void shouldWarnOnceAlthoughAServerAsksAgain() throws IOException {
        authority(Duration.ofDays(10)).issue(files, "node0", CertificateRole.SERVER, List.of("localhost"));

        assertThat(warnings(TlsIdentity.open(files))).containsExactly(line("CN=node0", 10), line("CN=of 10", 10));
    }

    /** An authority that nobody removes hides neither the own certificate nor another authority. */
    @Test
    void shouldWarnOfEachCertificate() throws IOException {
        trustAlso(authority(Duration.ofDays(1)));
        trustAlso(authority(Duration.ofDays(25)));
        CertificateAuthority issuer = authority(Duration.ofDays(20));
        String others = Files.readString(files.trusted());
        issuer.issue(files, "node0", CertificateRole.SERVER, List.of("localhost"));
        Files.writeString(files.trusted(), others);

        assertThat(warnings(TlsIdentity.open(files)))
                .containsExactly(line("CN=node0", 20), line("CN=of 1", 1), line("CN=of 25", 25));
    }

    /** The end of an authority is that of all certificates that it has issued. */
    @Test
    void shouldTellTheEndsOfOwnAndTrustedCertificatesApart() throws IOException {
        TlsIdentity identity = TlsIdentity.open(files);
        assertThat(identity.ownEnd()).isEqualTo(END);
        assertThat(identity.trustedEnd()).isEqualTo(END);

        trustAlso(authority(Duration.ofDays(10)));

        assertThat(identity.ownEnd()).isEqualTo(END);
        assertThat(identity.trustedEnd()).isEqualTo(NOW.plus(Duration.ofDays(10)));
    }

    private void trustAlso(CertificateAuthority authority) throws IOException {
        TlsSettings other = TlsSettings.ofFilesIn(directory.resolve("other"));
        authority.issue(other, "node1", CertificateRole.SERVER, List.of("localhost"));
        Files.writeString(files.trusted(), Files.readString(files.trusted()) + Files.readString(other.trusted()));
    }

    /** A server asks for its clients each second. */
    private static List<String> warnings(TlsIdentity identity) {
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger(TlsIdentity.class.getName());
        logger.setFilter(line -> lines.add(line.getMessage()));
        try {
            identity.clientsNow();
            identity.clientsNow();
        } finally {
            logger.setFilter(null);
        }
        return lines;
    }

    private static String line(String subject, int days) {
        return "TLS: certificate of " + subject + " is valid until " + NOW.plus(Duration.ofDays(days))
                + ": replace it, no restart is needed";
    }

    private static CertificateAuthority authority(Duration validity) {
        return new CertificateAuthority("of " + validity.toDays(), validity, Clock.fixed(NOW, ZoneOffset.UTC));
    }
}
