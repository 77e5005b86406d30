package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.PassphraseSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each trial of a passphrase holds up the handshakes of a port. */
class IdentityFilesTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final long LATER_NS = 2 * WatchedFiles.RETRY_NS;
    private static final int ATTEMPTS = 10;

    private final CertificateAuthority authority = new CertificateAuthority("test", YEAR, Clock.systemUTC());
    private final AtomicLong clock = new AtomicLong();
    private int trialCount;

    @TempDir
    Path directory;

    @Test
    void shouldTryAWrongPassphraseOnce() throws IOException {
        writePassphrase("before horse");
        TlsSettings settings = issue("before");
        IdentityFiles files = new IdentityFiles(settings, this::opened);
        WatchedFiles watched = new WatchedFiles(files.paths(), files::read, clock::get);
        assertThat(trialCount).isEqualTo(1);
        writePassphrase("after horse");
        issue("after");
        writePassphrase("wrong horse");

        for (int i = 0; i < ATTEMPTS; i++) {
            watched.refresh();
            clock.addAndGet(LATER_NS);
        }
        assertThat(trialCount).as("one of the start, one of the new key").isEqualTo(2);

        writePassphrase("after horse");
        watched.refresh();
        assertThat(trialCount).isEqualTo(3);
        assertThat(name(files.read())).isEqualTo("CN=after");
    }

    /** It may be in the file of a key that is yet to come. */
    @Test
    void shouldTryAPassphraseThatIsWrongForAnotherKey() throws IOException {
        writePassphrase("after horse");
        issue("after");
        byte[] key = Files.readAllBytes(directory.resolve("key.pem"));
        String certificate = Files.readString(directory.resolve("certificate.pem"));
        writePassphrase("before horse");
        IdentityFiles files = new IdentityFiles(issue("before"), this::opened);
        writePassphrase("after horse");
        assertThatThrownBy(files::read).isInstanceOf(KeyPassphraseException.class);

        Files.write(directory.resolve("key.pem"), key);
        Files.writeString(directory.resolve("certificate.pem"), certificate);

        assertThat(name(files.read())).isEqualTo("CN=after");
    }

    @Test
    void shouldTryAWrongPassphraseOfABundleOnce() throws Exception {
        writePassphrase("correct horse");
        KeyStore bundle = TlsIdentity.open(issue("node0")).keyStore();
        char[] passphrase = "correct horse".toCharArray();
        String alias = bundle.aliases().nextElement();
        bundle.setKeyEntry(alias, bundle.getKey(alias, new char[0]), passphrase, bundle.getCertificateChain(alias));
        try (OutputStream out = Files.newOutputStream(directory.resolve("key.pem"))) {
            bundle.store(out, passphrase);
        }
        IdentityFiles files = new IdentityFiles(settings());
        writePassphrase("wrong horse");

        List<Exception> failures = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            assertThatThrownBy(files::read)
                    .isInstanceOf(KeyPassphraseException.class)
                    .satisfies(failure -> failures.add((Exception) failure));
        }
        assertThat(failures).as("it is the failure of the first trial").allMatch(each -> each == failures.get(0));

        writePassphrase("correct horse");
        assertThat(name(files.read())).isEqualTo("CN=node0");
    }

    /** Counts the passphrases from which a key is derived. */
    private PrivateKeyInfo opened(Path file, byte[] content, PassphraseSource passphrase) throws IOException {
        return KeyFile.pkcs8(file, content, keyFile -> {
            char[] chars = passphrase.passphrase(keyFile);
            trialCount++;
            return chars;
        });
    }

    private static String name(TlsFiles.Identity identity) {
        return identity.chain()[0].getSubjectX500Principal().getName();
    }

    private TlsSettings settings() {
        Map<String, String> values = Map.of(
                "tls", "required",
                "tls-certificate", "certificate.pem",
                "tls-key", "key.pem",
                "tls-trusted", "trusted.pem",
                "tls-key-passphrase-file", "pass");
        return TlsSettings.of(values::get, List.of()).in(directory);
    }

    private TlsSettings issue(String name) throws IOException {
        authority.issue(settings(), name, CertificateRole.SERVER, List.of("localhost"));
        return settings();
    }

    private void writePassphrase(String passphrase) throws IOException {
        Path file = directory.resolve("pass");
        Files.deleteIfExists(file);
        Files.writeString(file, passphrase + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
