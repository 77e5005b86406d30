package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevocationTest {
    private static final Duration YEAR = Duration.ofDays(365);

    private final CertificateAuthority authority = new CertificateAuthority("members", YEAR, Clock.systemUTC());

    @TempDir
    Path directory;

    private TlsSettings node;
    private TlsIdentity identity;
    private X509Certificate broker1;
    private X509Certificate broker2;

    @BeforeEach
    void issue() throws IOException {
        node = issue(authority, "node0", CertificateRole.SERVER);
        broker1 = client(authority, "broker1");
        broker2 = client(authority, "broker2");
        identity = TlsIdentity.open(node);
    }

    @Test
    void shouldRefuseARevokedCertificateWithoutARestart() throws IOException {
        assertAccepted(broker1);

        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));

        assertRefused(broker1);
        assertAccepted(broker2);
    }

    @Test
    void shouldReadTheListsOfSeveralAuthorities() throws IOException {
        CertificateAuthority other = new CertificateAuthority("others", YEAR, Clock.systemUTC());
        X509Certificate broker3 = client(other, "broker3");
        trustBoth(other);
        assertAccepted(broker3);

        Files.writeString(
                node.revoked(), authority.revocationList(List.of(broker1)) + other.revocationList(List.of(broker3)));

        assertRefused(broker1);
        assertRefused(broker3);
        assertAccepted(broker2);
    }

    @Test
    void shouldStartWithAList() throws IOException {
        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));

        identity = TlsIdentity.open(node);

        assertRefused(broker1);
        assertAccepted(broker2);
    }

    @Test
    void shouldAcceptAgainWhatANewerListLacks() throws IOException {
        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));
        assertRefused(broker1);

        Files.writeString(node.revoked(), authority.revocationList(List.of()));

        assertAccepted(broker1);
    }

    @Test
    void shouldKeepTheListInUseWhenTheFileCannotBeUsed() throws IOException {
        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));
        assertRefused(broker1);

        Files.delete(node.revoked());
        assertRefused(broker1);

        Files.writeString(node.revoked(), "no list");
        assertRefused(broker1);

        Files.writeString(node.revoked(), sameName().revocationList(List.of(broker2)));
        assertRefused(broker1);
        assertAccepted(broker2);
    }

    @Test
    void shouldNotStartWithAListThatItsAuthorityHasNotSigned() throws IOException {
        Files.writeString(node.revoked(), sameName().revocationList(List.of(broker1)));

        assertThatIOException()
                .isThrownBy(() -> TlsIdentity.open(node))
                .withMessageContaining("revoked.pem")
                .withMessageContaining("has not signed");
    }

    @Test
    void shouldNotUseTheListOfAnAuthorityThatIsNotTrusted() throws IOException {
        CertificateAuthority other = new CertificateAuthority("others", YEAR, Clock.systemUTC());

        Files.writeString(node.revoked(), other.revocationList(List.of(broker1)));

        assertThatCode(() -> TlsIdentity.open(node)).doesNotThrowAnyException();
        assertAccepted(broker1);
    }

    /** A list that nobody renews must not let in again those whom it refuses. */
    @Test
    void shouldKeepRefusingWhenTheListIsOverdue() throws IOException {
        Clock lastYear = Clock.fixed(Instant.now().minus(YEAR), ZoneOffset.UTC);
        CertificateAuthority old = new CertificateAuthority("old", YEAR.multipliedBy(2), lastYear);
        X509Certificate broker3 = client(old, "broker3");
        trustBoth(old);

        Files.writeString(node.revoked(), old.revocationList(List.of(broker3)));

        assertRefused(broker3);
    }

    @Test
    void shouldNotLetAnAuthorityRevokeTheCertificatesOfOthers() throws IOException {
        CertificateAuthority other = new CertificateAuthority("others", YEAR, Clock.systemUTC());
        X509Certificate broker3 = client(other, "broker3");
        trustBoth(other);

        Files.writeString(node.revoked(), other.revocationList(List.of(broker1)));

        assertAccepted(broker1);
        assertAccepted(broker3);
    }

    /** An authority is distrusted because it has lost its key; nobody may have to mend another file first. */
    @Test
    void shouldDistrustAnAuthorityThatHasGoneWhileTheListsCannotBeUsed() throws IOException {
        CertificateAuthority other = new CertificateAuthority("others", YEAR, Clock.systemUTC());
        X509Certificate broker3 = client(other, "broker3");
        String first = Files.readString(node.trusted());
        trustBoth(other);
        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));
        assertRefused(broker1);
        assertAccepted(broker3);

        Files.delete(node.revoked());
        Files.writeString(node.trusted(), first);

        assertRefused(broker3);
        assertRefused(broker1);
        assertAccepted(broker2);
    }

    @Test
    void shouldTrustAnAuthorityThatIsNewWhileTheListsCannotBeUsed() throws IOException {
        CertificateAuthority other = new CertificateAuthority("others", YEAR, Clock.systemUTC());
        X509Certificate broker3 = client(other, "broker3");
        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));
        assertRefused(broker1);

        Files.writeString(node.revoked(), "no list");
        trustBoth(other);

        assertAccepted(broker3);
        assertRefused(broker1);
    }

    @Test
    void shouldUseListsWhileTheAuthoritiesCannotBeRead() throws IOException {
        assertAccepted(broker1);

        Files.writeString(node.trusted(), "no certificate");
        Files.writeString(node.revoked(), authority.revocationList(List.of(broker1)));

        assertRefused(broker1);
        assertAccepted(broker2);
    }

    private CertificateAuthority sameName() {
        return new CertificateAuthority("members", YEAR, Clock.systemUTC());
    }

    private void trustBoth(CertificateAuthority other) throws IOException {
        TlsSettings files = issue(other, "another", CertificateRole.CLIENT);
        Files.writeString(node.trusted(), Files.readString(node.trusted()) + Files.readString(files.trusted()));
    }

    private X509Certificate client(CertificateAuthority by, String name) throws IOException {
        return TlsFiles.certificates(issue(by, name, CertificateRole.CLIENT).certificate())[0];
    }

    private TlsSettings issue(CertificateAuthority by, String name, CertificateRole role) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        by.issue(files, name, role, List.of("localhost"));
        return files;
    }

    private void assertAccepted(X509Certificate client) {
        assertThat(identity.clientsNow().test(session(client))).isTrue();
    }

    private void assertRefused(X509Certificate client) {
        assertThat(identity.clientsNow().test(session(client))).isFalse();
    }

    /** Returns what is needed of the session of a connection whose client has shown a certificate. */
    private static SSLSession session(X509Certificate client) {
        return (SSLSession) Proxy.newProxyInstance(
                RevocationTest.class.getClassLoader(),
                new Class<?>[] {SSLSession.class},
                (session, method, arguments) ->
                        method.getName().equals("getPeerCertificates") ? new X509Certificate[] {client} : null);
    }
}
