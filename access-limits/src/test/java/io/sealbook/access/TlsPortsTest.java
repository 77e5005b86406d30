package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsMode;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Knocks at a gRPC port with every kind of wrong client, with BoringSSL and with Java behind the port. A client that is
 * let in reads the first HTTP/2 frame.
 */
@Timeout(120)
@ParameterizedClass
@EnumSource(
        value = SslProvider.class,
        names = {"JDK", "OPENSSL"})
class TlsPortsTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final int FRAME_HEADER_LENGTH = 9;
    private static final byte SETTINGS = 4;
    private static final String HOST = "127.0.0.1";

    @Parameter
    SslProvider provider;

    @TempDir
    Path directory;

    private final CertificateAuthority authority = new CertificateAuthority("members", YEAR, Clock.systemUTC());
    private Server server;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(provider == SslProvider.JDK || OpenSsl.isAvailable(), "needs glibc: no BoringSSL");
        server = serve(issue(authority, "node0", CertificateRole.SERVER, List.of(HOST)));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.shutdownNow();
        }
    }

    @Test
    void shouldLetInAClientOfAMember() throws Exception {
        assertThat(isLetIn(client().context(), TlsIdentity.PROTOCOL)).isTrue();
    }

    @Test
    void shouldKeepOutAClientWithoutCertificate() throws Exception {
        SSLContext context = SSLContext.getInstance(TlsIdentity.PROTOCOL);
        context.init(null, new TrustManager[] {client().trust()}, null);

        assertThat(isLetIn(context, TlsIdentity.PROTOCOL)).isFalse();
    }

    @Test
    void shouldKeepOutAClientOfAnotherAuthority() throws Exception {
        TlsIdentity stranger = issue(
                new CertificateAuthority("members", YEAR, Clock.systemUTC()),
                "stranger",
                CertificateRole.CLIENT,
                List.of());
        SSLContext context = SSLContext.getInstance(TlsIdentity.PROTOCOL);
        context.init(new KeyManager[] {stranger.keys()}, new TrustManager[] {client().trust()}, null);

        assertThat(isLetIn(context, TlsIdentity.PROTOCOL)).isFalse();
    }

    @Test
    void shouldKeepOutAClientWhoseCertificateExpired() throws Exception {
        Path files = directory.resolve("expiring");
        Duration untilNow = Duration.ofSeconds(2);
        CertificateAuthority brief = new CertificateAuthority("short", untilNow, Clock.systemUTC());
        brief.issue(TlsSettings.ofFilesIn(files), "broker1", CertificateRole.CLIENT, List.of());
        TlsIdentity expiring = TlsIdentity.open(TlsSettings.ofFilesIn(files));
        X509Certificate certificate = chain(expiring)[0];
        while (certificate
                .getNotAfter()
                .toInstant()
                .plusSeconds(1)
                .isAfter(Clock.systemUTC().instant())) {
            Thread.sleep(100);
        }
        Server trusting = serve(TlsIdentity.open(new TlsSettings(
                TlsMode.REQUIRED,
                directory.resolve("node0/certificate.pem"),
                directory.resolve("node0/key.pem"),
                TlsSettings.OFF.passphrase(),
                files.resolve("trusted.pem"),
                files.resolve("revoked.pem"))));
        try {
            SSLContext context = SSLContext.getInstance(TlsIdentity.PROTOCOL);
            context.init(new KeyManager[] {expiring.keys()}, new TrustManager[] {client().trust()}, null);
            assertThat(isLetIn(context, TlsIdentity.PROTOCOL, trusting.getPort(), HOST))
                    .isFalse();
        } finally {
            trusting.shutdownNow();
        }
    }

    @Test
    void shouldKeepOutAnOlderVersion() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.2");
        context.init(new KeyManager[] {client().keys()}, new TrustManager[] {client().trust()}, null);

        assertThat(isLetIn(context, "TLSv1.2")).isFalse();
    }

    @Test
    void shouldKeepOutAPlainClient() throws Exception {
        try (Socket socket = new Socket(InetAddress.getByName(HOST), server.getPort())) {
            assertThat(isServed(socket)).isFalse();
        }
    }

    @Test
    void shouldNotTrustAServerOfAnotherName() throws Exception {
        server.shutdownNow();
        server = serve(issue(authority, "node1", CertificateRole.SERVER, List.of("node1.example")));

        assertThat(isLetIn(client().context(), TlsIdentity.PROTOCOL)).isFalse();
    }

    @Test
    void shouldNotTrustABrokerAsServer() throws Exception {
        server.shutdownNow();
        server = serve(issue(authority, "broker2", CertificateRole.CLIENT, List.of(HOST)));

        assertThat(isLetIn(client().context(), TlsIdentity.PROTOCOL)).isFalse();
    }

    private TlsIdentity client() throws IOException {
        return issue(authority, "broker1", CertificateRole.CLIENT, List.of());
    }

    private TlsIdentity issue(CertificateAuthority by, String name, CertificateRole role, List<String> names)
            throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        by.issue(files, name, role, names);
        return TlsIdentity.open(files);
    }

    private Server serve(TlsIdentity identity) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress(HOST, 0), TlsPorts.server(identity, provider))
                .build()
                .start();
    }

    private static X509Certificate[] chain(TlsIdentity identity) {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) identity.keys();
        return keys.getCertificateChain(keys.chooseEngineServerAlias("EC", null, null));
    }

    private boolean isLetIn(SSLContext context, String protocol) {
        return isLetIn(context, protocol, server.getPort(), HOST);
    }

    private static boolean isLetIn(SSLContext context, String protocol, int port, String host) {
        SSLSocketFactory factory = context.getSocketFactory();
        try (SSLSocket socket = (SSLSocket) factory.createSocket(host, port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {protocol});
            parameters.setApplicationProtocols(new String[] {"h2"});
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return isServed(socket);
        } catch (IOException refused) {
            return false;
        }
    }

    /** Returns whether the first bytes are those of a SETTINGS frame. */
    private static boolean isServed(Socket socket) {
        try {
            socket.getOutputStream().write(PREFACE);
            socket.getOutputStream().flush();
            byte[] frame = socket.getInputStream().readNBytes(FRAME_HEADER_LENGTH);
            return frame.length == FRAME_HEADER_LENGTH && frame[3] == SETTINGS;
        } catch (IOException refused) {
            return false;
        }
    }
}
