package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.sealbook.facts.Facts;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of a gRPC port that are open when their certificates lose the trust. They speak HTTP/2 frames. */
@Timeout(120)
@ParameterizedClass
@EnumSource(
        value = SslProvider.class,
        names = {"JDK", "OPENSSL"})
class TrustedConnectionsTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String HOST = "127.0.0.1";
    private static final byte[] PREFACE_AND_SETTINGS =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte PING = 6;
    private static final byte ACK = 1;
    private static final byte[] PING_FRAME = ByteBuffer.allocate(17)
            .put(new byte[] {0, 0, 8, PING, 0, 0, 0, 0, 0})
            .array();

    @Parameter
    SslProvider provider;

    @TempDir
    Path directory;

    private final CertificateAuthority authority = new CertificateAuthority("members", YEAR, Clock.systemUTC());
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    /** The next look at a connection meets a full heap. */
    private final AtomicBoolean isHeapFull = new AtomicBoolean();

    private TlsSettings serverFiles;
    private Server server;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(provider == SslProvider.JDK || OpenSsl.isAvailable(), "needs glibc: no BoringSSL");
        serverFiles = issue("node0", CertificateRole.SERVER, List.of(HOST));
        TlsIdentity identity = TlsIdentity.open(serverFiles);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(HOST, 0), TlsPorts.server(identity, provider))
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelFactory(() -> {
                    NioServerSocketChannel channel = new NioServerSocketChannel();
                    channel.pipeline().addLast(new TrustedConnections(identity, this::isAccepted));
                    return channel;
                })
                .build()
                .start();
    }

    private boolean isAccepted(SSLSession session) {
        if (isHeapFull.getAndSet(false)) {
            throw new OutOfMemoryError("Java heap space");
        }
        return true;
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.shutdownNow();
        }
        loops.shutdownGracefully();
    }

    @Test
    void shouldEndTheConnectionOfARevokedCertificateOnly() throws Exception {
        TlsSettings first = issue("broker1", CertificateRole.CLIENT, List.of());
        TlsSettings second = issue("broker2", CertificateRole.CLIENT, List.of());
        try (SSLSocket revoked = connect(first);
                SSLSocket other = connect(second)) {
            assertThat(answersPing(revoked)).isTrue();
            assertThat(answersPing(other)).isTrue();

            Files.writeString(serverFiles.revoked(), authority.revocationList(List.of(certificate(first))));

            awaitEnd(revoked);
            assertThat(answersPing(other)).isTrue();
            assertThatIOException().isThrownBy(() -> {
                try (SSLSocket again = connect(first)) {
                    answersPing(again);
                }
            });
        }
    }

    @Test
    void shouldEndTheConnectionOfARevokedCertificateAfterTheHeapWasFull() throws Exception {
        TlsSettings files = issue("broker1", CertificateRole.CLIENT, List.of());
        isHeapFull.set(true);
        try (SSLSocket revoked = connect(files)) {
            assertThat(answersPing(revoked)).isTrue();
            Facts.await("the review has met the full heap", () -> !isHeapFull.get());

            Files.writeString(serverFiles.revoked(), authority.revocationList(List.of(certificate(files))));

            awaitEnd(revoked);
        }
    }

    @Test
    void shouldEndTheConnectionsOfAnAuthorityThatIsRemoved() throws Exception {
        try (SSLSocket connection = connect(issue("broker1", CertificateRole.CLIENT, List.of()))) {
            assertThat(answersPing(connection)).isTrue();

            TlsSettings others = TlsSettings.ofFilesIn(directory.resolve("others"));
            new CertificateAuthority("others", YEAR, Clock.systemUTC())
                    .issue(others, "broker3", CertificateRole.CLIENT, List.of());
            Files.copy(others.trusted(), serverFiles.trusted(), StandardCopyOption.REPLACE_EXISTING);

            awaitEnd(connection);
        }
    }

    private TlsSettings issue(String name, CertificateRole role, List<String> names) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        authority.issue(files, name, role, names);
        return files;
    }

    private static X509Certificate certificate(TlsSettings files) throws Exception {
        try (InputStream in = Files.newInputStream(files.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private SSLSocket connect(TlsSettings client) throws IOException {
        SSLSocket socket = (SSLSocket)
                TlsIdentity.open(client).context().getSocketFactory().createSocket(HOST, server.getPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        socket.getOutputStream().write(PREFACE_AND_SETTINGS);
        return socket;
    }

    /** Returns whether the server answers; what it sends before the answer is read too. */
    private static boolean answersPing(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(PING_FRAME);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            byte[] header = in.readNBytes(9);
            if (header.length < 9) {
                throw new IOException("the server has ended the connection");
            }
            in.readNBytes((header[0] & 0xFF) << 16 | (header[1] & 0xFF) << 8 | header[2] & 0xFF);
            if (header[3] == PING && header[4] == ACK) {
                return true;
            }
        }
    }

    /** Reads until the server has ended the connection. */
    private static void awaitEnd(SSLSocket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Frames from before the end.
            }
        } catch (IOException e) {
            // Ended without a farewell.
        }
    }
}
