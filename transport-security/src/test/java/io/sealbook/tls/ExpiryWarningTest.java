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

    /** A server asks for its clients each second. */
    @Test
    void shouldWarnOnceAlthoughAServerAsksAgain() throws IOException {
        authority(Duration.ofDays(10)).issue(files, "node0", CertificateRole.SERVER, List.of("localhost"));
        List<String> lines = new ArrayList<>();
        Logger logger = Logger.getLogger(TlsIdentity.class.getName());
        logger.setFilter(line -> lines.add(line.getMessage()));
        try {
            TlsIdentity identity = TlsIdentity.open(files);
            identity.clientsNow();
            identity.clientsNow();
        } finally {
            logger.setFilter(null);
        }

        assertThat(lines).singleElement().asString().contains("is valid until " + NOW.plus(Duration.ofDays(10)));
    }

    /** The end of an authority is that of all certificates that it has issued. */
    @Test
    void shouldGoByTheCertificateThatExpiresFirst() throws IOException {
        TlsIdentity identity = TlsIdentity.open(files);
        assertThat(identity.firstToExpire().getNotAfter().toInstant()).isEqualTo(END);

        TlsSettings other = TlsSettings.ofFilesIn(directory.resolve("other"));
        authority(Duration.ofDays(10)).issue(other, "node1", CertificateRole.SERVER, List.of("localhost"));
        Files.writeString(files.trusted(), Files.readString(files.trusted()) + Files.readString(other.trusted()));

        assertThat(identity.firstToExpire().getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(10)));
    }

    private static CertificateAuthority authority(Duration validity) {
        return new CertificateAuthority("of " + validity.toDays(), validity, Clock.fixed(NOW, ZoneOffset.UTC));
    }
}
