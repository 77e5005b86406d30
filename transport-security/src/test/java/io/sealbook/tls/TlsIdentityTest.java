package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsIdentityTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Clock TWO_YEARS_AGO = Clock.fixed(Instant.now().minus(YEAR.multipliedBy(2)), ZoneOffset.UTC);

    private final CertificateAuthority authority = new CertificateAuthority("test", YEAR, Clock.systemUTC());

    @TempDir
    Path directory;

    @Test
    void shouldKeepTheKeyFromOthers() throws IOException {
        TlsSettings files = issue("node0");

        assertThat(Files.getPosixFilePermissions(files.key())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void shouldRefuseAnExpiredCertificate() throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory);
        new CertificateAuthority("old", YEAR, TWO_YEARS_AGO)
                .issue(files, "node0", CertificateRole.SERVER, List.of("localhost"));

        assertThatIOException()
                .isThrownBy(() -> TlsIdentity.open(files))
                .withMessageContaining("certificate.pem is valid from")
                .withMessageContaining("not now");
    }

    @Test
    void shouldRefuseTheKeyOfAnotherCertificate() throws IOException {
        TlsSettings files = issue("node0");
        TlsSettings others = TlsSettings.ofFilesIn(directory.resolve("others"));
        authority.issue(others, "node1", CertificateRole.SERVER, List.of("localhost"));
        TlsSettings mixed =
                new TlsSettings(TlsMode.REQUIRED, files.certificate(), others.key(), files.trusted(), files.revoked());

        assertThatIOException()
                .isThrownBy(() -> TlsIdentity.open(mixed))
                .withMessageContaining("is not the key of certificate");
    }

    @Test
    void shouldNameAFileThatIsMissing() {
        assertThatIOException()
                .isThrownBy(() -> TlsIdentity.open(TlsSettings.ofFilesIn(directory)))
                .withMessageContaining("no certificate can be read from")
                .withMessageContaining("certificate.pem");
    }

    @Test
    void shouldShowANewCertificateFromTheNextHandshakeOn() throws IOException {
        TlsIdentity identity = TlsIdentity.open(issue("before"));
        assertThat(shown(identity)).isEqualTo("CN=before");

        issue("after");

        assertThat(shown(identity)).isEqualTo("CN=after");
    }

    @Test
    void shouldKeepThePairInUseUntilBothFilesFit() throws IOException {
        TlsSettings files = issue("before");
        TlsIdentity identity = TlsIdentity.open(files);
        byte[] key = Files.readAllBytes(files.key());
        issue("after");
        byte[] newKey = Files.readAllBytes(files.key());

        Files.write(files.key(), key);
        assertThat(shown(identity)).isEqualTo("CN=before");

        Files.delete(files.key());
        assertThat(shown(identity)).isEqualTo("CN=before");

        Files.write(files.key(), newKey);
        assertThat(shown(identity)).isEqualTo("CN=after");
    }

    private TlsSettings issue(String name) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory);
        authority.issue(files, name, CertificateRole.SERVER, List.of("localhost"));
        return files;
    }

    private static String shown(TlsIdentity identity) {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) identity.keys();
        X509Certificate[] chain = keys.getCertificateChain(keys.chooseEngineServerAlias("EC", null, null));
        return chain[0].getSubjectX500Principal().getName();
    }
}
