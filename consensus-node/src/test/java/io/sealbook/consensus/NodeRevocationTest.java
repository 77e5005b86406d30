package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.ports.PortBlock;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member's authority revokes a certificate while a node runs. */
@Timeout(300)
class NodeRevocationTest {
    private static final String HOST = "127.0.0.1";
    private static final int FRAME_HEADER_LENGTH = 9;

    private final CertificateAuthority authority =
            new CertificateAuthority("another member", Duration.ofDays(1), Clock.systemUTC());

    @TempDir
    Path directory;

    private PortBlock ports;
    private ConsensusNode node;
    private TlsSettings nodeFiles;
    private TlsSettings client;

    @BeforeEach
    void start() throws Exception {
        ports = PortBlock.take(TestCluster.PORTS);
        assertThat(NodeTool.commandLine()
                        .execute("testnet", "--dir=" + directory, "--base-port=" + ports.base(), "--tls", "--force"))
                .isZero();
        nodeFiles = TlsSettings.ofFilesIn(directory.resolve("node0/tls"));
        client = TlsSettings.ofFilesIn(directory.resolve("client"));
        authority.issue(client, "client", CertificateRole.CLIENT, List.of());
        Files.writeString(nodeFiles.trusted(), Files.readString(client.trusted()), StandardOpenOption.APPEND);
        Files.copy(nodeFiles.trusted(), directory.resolve("both.pem"));
        client = new TlsSettings(
                client.mode(),
                client.certificate(),
                client.key(),
                client.passphrase(),
                directory.resolve("both.pem"),
                client.revoked());
        node = ConsensusNode.open(new NodeDirectory(directory.resolve("node0")), StartOptions.NONE, failure -> {});
        node.start();
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
        ports.close();
    }

    @Test
    void shouldEndConnectionsAndRefuseNewOnes() throws Exception {
        assertThat(askAdminPort()).contains("live");
        try (SSLSocket gateway = connectToGateway()) {
            // The server's first frame: the handshake is over on both sides.
            assertThat(gateway.getInputStream().readNBytes(FRAME_HEADER_LENGTH)).hasSize(FRAME_HEADER_LENGTH);

            Files.writeString(nodeFiles.revoked(), authority.revocationList(List.of(certificate())));

            awaitEnd(gateway);
        }
        assertThatIOException().isThrownBy(this::askAdminPort);
        assertThatIOException().isThrownBy(() -> {
            try (SSLSocket again = connectToGateway()) {
                if (again.getInputStream().read() < 0) {
                    throw new IOException("the node has ended the connection");
                }
            }
        });
    }

    private X509Certificate certificate() throws Exception {
        try (InputStream in = Files.newInputStream(client.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private String askAdminPort() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(TlsIdentity.open(client).context())
                .build()) {
            URI uri = URI.create("https://" + HOST + ":" + node.adminPort() + "/health/live");
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private SSLSocket connectToGateway() throws IOException {
        int port = new NodeDirectory(directory.resolve("node0"))
                .readGenesis()
                .genesis()
                .getNodes(0)
                .getGatewayPort();
        SSLSocket socket = (SSLSocket)
                TlsIdentity.open(client).context().getSocketFactory().createSocket(HOST, port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Reads until the node has ended the connection. */
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
