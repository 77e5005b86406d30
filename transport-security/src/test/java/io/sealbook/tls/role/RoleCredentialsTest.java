package io.sealbook.tls.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsSettings;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server refuses a second statement on one connection, and a hardware module signs differently each time. */
class RoleCredentialsTest {
    private final AtomicInteger signatures = new AtomicInteger();
    private final RoleCredentials credentials =
            new RoleCredentials(new RoleHolder(7, Role.BROKER, 1, 0, new ModuleSigner()));

    private volatile CountDownLatch mayGoOn = new CountDownLatch(0);
    private volatile CountDownLatch isAsked = new CountDownLatch(1);
    private volatile RuntimeException failure;

    @TempDir
    Path directory;

    /** Signs differently each time, as a module does that chooses nonces. */
    private final class ModuleSigner implements Signer {
        @Override
        public SignatureScheme scheme() {
            return SignatureScheme.ECDSA_SECP256K1_SHA256;
        }

        @Override
        public VerificationKey verificationKey() {
            throw new UnsupportedOperationException("a statement does not name the key");
        }

        @Override
        public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
            signature[signatureOffset] = (byte) signatures.incrementAndGet();
            isAsked.countDown();
            if (failure != null) {
                throw failure;
            }
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void shouldKeepTheStatementOfACertificateThatWasRenewed() throws Exception {
        X509Certificate old = certificate("old");
        X509Certificate renewed = certificate("renewed");
        byte[] first = credentials.statement(old);

        assertThat(credentials.statement(renewed)).isNotEqualTo(first);
        assertThat(credentials.statement(old)).isEqualTo(first);
    }

    @Test
    void shouldMakeOneStatementForConnectionsThatBeginAtOnce() throws Exception {
        X509Certificate certificate = certificate("a");
        List<Future<byte[]>> statements = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 64; i++) {
                statements.add(threads.submit(() -> credentials.statement(certificate)));
            }
            for (Future<byte[]> statement : statements) {
                assertThat(statement.get()).isEqualTo(statements.get(0).get());
            }
        } finally {
            threads.shutdown();
        }
        assertThat(signatures).hasValue(1);
    }

    /** The module is away: calls on connections with the certificate of before go on. */
    @Test
    @Timeout(60)
    void shouldGiveAStatementThatIsMadeWhileAnotherOneIsBeingMade() throws Exception {
        X509Certificate old = certificate("old");
        X509Certificate renewed = certificate("renewed");
        byte[] first = credentials.statement(old);
        mayGoOn = new CountDownLatch(1);
        isAsked = new CountDownLatch(1);
        Thread slow = new Thread(() -> credentials.statement(renewed));
        slow.start();
        isAsked.await();

        assertThat(credentials.statement(old)).isEqualTo(first);

        mayGoOn.countDown();
        slow.join();
    }

    /** A failure is no statement: the next call tries again. */
    @Test
    void shouldTryAgainAfterAFailure() throws Exception {
        X509Certificate certificate = certificate("a");
        failure = new IllegalStateException("no module");
        assertThatThrownBy(() -> credentials.statement(certificate)).hasRootCauseMessage("no module");
        failure = null;

        assertThat(credentials.statement(certificate)).isNotEmpty();
    }

    @Test
    void shouldForgetTheOldestOfManyCertificates() throws Exception {
        X509Certificate oldest = certificate("oldest");
        byte[] first = credentials.statement(oldest);
        for (int i = 1; i <= 8; i++) {
            credentials.statement(certificate(Integer.toString(i)));
        }

        assertThat(credentials.statement(oldest)).isNotEqualTo(first);
    }

    private X509Certificate certificate(String name) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        new CertificateAuthority("test", Duration.ofDays(1), Clock.systemUTC())
                .issue(files, name, CertificateRole.CLIENT, List.of());
        try (InputStream in = Files.newInputStream(files.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
