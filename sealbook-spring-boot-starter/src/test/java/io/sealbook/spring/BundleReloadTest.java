package io.sealbook.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ChannelFactory;
import io.sealbook.client.ConnectionReport;
import io.sealbook.facts.Facts;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a node sees of a client whose bundle Boot reloads. */
@Timeout(300)
class BundleReloadTest {
    private static final CertificateAuthority AUTHORITY =
            new CertificateAuthority("members", Duration.ofDays(30), Clock.systemUTC());

    @TempDir
    Path directory;

    private final ApplicationContextRunner context =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class));

    @Test
    void shouldShowANewCertificateAtNewConnections() throws Exception {
        TlsSettings client = TlsSettings.ofFilesIn(directory.resolve("client"));
        AUTHORITY.issue(client, "before", CertificateRole.CLIENT, List.of());
        TlsSettings server = TlsSettings.ofFilesIn(directory.resolve("server"));
        AUTHORITY.issue(server, "node0", CertificateRole.SERVER, List.of("127.0.0.1"));
        String bundle = "spring.ssl.bundle.pem.broker.";

        try (SSLServerSocket port = (SSLServerSocket)
                TlsIdentity.open(server).context().getServerSocketFactory().createServerSocket(0)) {
            port.setNeedClientAuth(true);
            context.withPropertyValues(
                            "spring.ssl.bundle.watch.file.quiet-period=10ms",
                            bundle + "reload-on-update=true",
                            bundle + "keystore.certificate="
                                    + client.certificate().toUri(),
                            bundle + "keystore.private-key=" + client.key().toUri(),
                            bundle + "truststore.certificate="
                                    + client.trusted().toUri())
                    .run(started -> {
                        ChannelFactory channels = BrokerIdentity.channels("broker", started.getBean(SslBundles.class));
                        assertThat(shown(channels, port)).isEqualTo("CN=before");

                        Files.writeString(client.certificate(), "no certificate");
                        renew(client, "after");

                        Facts.await(
                                () -> "the new certificate",
                                () -> shown(channels, port).equals("CN=after"));
                    });
        }
    }

    /** As an operator does: each file by a rename. */
    private void renew(TlsSettings files, String name) throws IOException {
        TlsSettings fresh = TlsSettings.ofFilesIn(directory.resolve(name));
        AUTHORITY.issue(fresh, name, CertificateRole.CLIENT, List.of());
        Files.move(fresh.certificate(), files.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(fresh.key(), files.key(), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Connects as the client does, and returns the subject that the other side sees; empty if no handshake ended. */
    private static String shown(ChannelFactory channels, SSLServerSocket port) throws IOException {
        var channel = channels.open(0, ConnectionReport.Role.GATEWAY, "127.0.0.1", port.getLocalPort());
        try {
            channel.getState(true);
            try (SSLSocket accepted = (SSLSocket) port.accept()) {
                accepted.startHandshake();
                X509Certificate own = (X509Certificate) accepted.getSession().getPeerCertificates()[0];
                return own.getSubjectX500Principal().getName();
            } catch (IOException e) {
                return "";
            }
        } finally {
            channel.shutdownNow();
        }
    }
}
