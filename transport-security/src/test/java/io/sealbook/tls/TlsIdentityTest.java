package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.KeyPassphraseException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.text.MessageFormat;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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

    /** At the start, and when the key is replaced. */
    @Test
    void shouldWarnOfAKeyThatOthersMayRead() throws IOException {
        TlsSettings files = issue("node0");
        List<String> warnings = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                warnings.add(MessageFormat.format(line.getMessage(), line.getParameters()));
            }

            @Override
            public void flush() {
                // Nothing is held back.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        Logger logger = Logger.getLogger(IdentityFiles.class.getName());
        logger.addHandler(handler);
        try {
            TlsIdentity.open(files);
            assertThat(warnings).isEmpty();

            Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));
            TlsIdentity.open(files);
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(warnings)
                .containsExactly(
                        "TLS: key " + files.key() + " has mode rw-r--r--: others may use it; chmod 600 " + files.key());
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
        TlsSettings mixed = new TlsSettings(
                TlsMode.REQUIRED,
                files.certificate(),
                others.key(),
                files.passphrase(),
                files.trusted(),
                files.revoked());

        assertThatIOException()
                .isThrownBy(() -> TlsIdentity.open(mixed))
                .withMessageContaining("is not the key of certificate");
    }

    @Test
    void shouldNameAFileThatIsMissing() {
        assertThatIOException()
                .isThrownBy(() -> TlsIdentity.open(TlsSettings.ofFilesIn(directory)))
                .withMessageContaining("no private key can be read from")
                .withMessageContaining("key.pem");
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

    @Test
    void shouldReadAnEncryptedKey() throws IOException {
        writePassphrase("correct horse");
        TlsSettings files = issueEncrypted("node0");

        assertThat(files.key()).content().startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
        assertThat(shown(TlsIdentity.open(files))).isEqualTo("CN=node0");
    }

    @Test
    void shouldSayThatAPassphraseIsWrongOrMissing() throws IOException {
        writePassphrase("correct horse");
        TlsSettings files = issueEncrypted("node0");

        assertThatThrownBy(() -> TlsIdentity.open(TlsSettings.ofFilesIn(directory)))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining("key.pem is encrypted: set tls-key-passphrase-file or tls-key-passphrase-env");
        writePassphrase("wrong horse");
        assertThatThrownBy(() -> TlsIdentity.open(files))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining("wrong passphrase for " + files.key());
        Files.delete(directory.resolve("pass"));
        assertThatThrownBy(() -> TlsIdentity.open(files)).hasMessageContaining("there is no such passphrase file");
    }

    @Test
    void shouldShowANewCertificateWhoseKeyHasAnotherPassphrase() throws IOException {
        writePassphrase("before horse");
        TlsIdentity identity = TlsIdentity.open(issueEncrypted("before"));

        writePassphrase("after horse");
        TlsSettings files = issueEncrypted("after");
        assertThat(shown(identity)).isEqualTo("CN=after");

        writePassphrase("wrong horse");
        Files.delete(files.key());
        issue("plain");
        assertThat(shown(identity)).isEqualTo("CN=plain");
    }

    @Test
    void shouldWaitForThePassphraseOfANewKey() throws IOException {
        writePassphrase("before horse");
        TlsSettings files = issueEncrypted("before");
        TlsIdentity identity = TlsIdentity.open(files);
        writePassphrase("after horse");
        issueEncrypted("after");
        writePassphrase("before horse");
        assertThat(shown(identity)).isEqualTo("CN=before");

        writePassphrase("after horse");

        assertThat(shown(identity)).isEqualTo("CN=after");
    }

    @Test
    void shouldOpenAKeyOnceForAllOfItsCertificates() throws IOException {
        writePassphrase("correct horse");
        TlsSettings files = issueEncrypted("node0");
        TlsIdentity identity = TlsIdentity.open(files);
        Files.delete(directory.resolve("pass"));
        String chain = Files.readString(files.certificate()) + Files.readString(files.trusted());

        Files.writeString(files.certificate(), chain);

        assertThat(identity.chain()).hasSize(2);
    }

    @Test
    void shouldReadABundle() throws Exception {
        TlsIdentity pem = TlsIdentity.open(issue("node0"));
        writePassphrase("correct horse");
        char[] passphrase = "correct horse".toCharArray();
        KeyStore bundle = pem.keyStore();
        String alias = bundle.aliases().nextElement();
        bundle.setKeyEntry(alias, bundle.getKey(alias, new char[0]), passphrase, bundle.getCertificateChain(alias));
        try (OutputStream out = Files.newOutputStream(directory.resolve("node0.p12"))) {
            bundle.store(out, passphrase);
        }
        Files.delete(directory.resolve("certificate.pem"));
        TlsSettings files = settings("tls-key", "node0.p12", "tls-trusted", "trusted.pem");

        assertThat(shown(TlsIdentity.open(files))).isEqualTo("CN=node0");
        writePassphrase("wrong horse");
        assertThatThrownBy(() -> TlsIdentity.open(files)).isInstanceOf(KeyPassphraseException.class);
    }

    private TlsSettings settings(String... keysAndValues) {
        Map<String, String> values = new HashMap<>(Map.of("tls", "required", "tls-key-passphrase-file", "pass"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return TlsSettings.of(values::get, List.of()).in(directory);
    }

    private TlsSettings issueEncrypted(String name) throws IOException {
        TlsSettings files =
                settings("tls-certificate", "certificate.pem", "tls-key", "key.pem", "tls-trusted", "trusted.pem");
        authority.issue(files, name, CertificateRole.SERVER, List.of("localhost"));
        return files;
    }

    private void writePassphrase(String passphrase) throws IOException {
        Path file = directory.resolve("pass");
        Files.deleteIfExists(file);
        Files.writeString(file, passphrase + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
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
