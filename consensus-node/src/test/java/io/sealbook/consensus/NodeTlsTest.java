package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The ports of a node with {@code tls=required}, and its own tool. */
@Timeout(300)
class NodeTlsTest {
    @TempDir
    static Path directory;

    private static PortBlock ports;
    private static ConsensusNode node;
    private static int gatewayPort;
    private static TlsIdentity operator;

    @BeforeAll
    static void start() throws Exception {
        ports = PortBlock.take(TestCluster.PORTS);
        int basePort = ports.base();
        assertThat(NodeTool.commandLine()
                        .execute("testnet", "--dir=" + directory, "--base-port=" + basePort, "--tls", "--force"))
                .isZero();
        gatewayPort = new NodeDirectory(directory.resolve("node0"))
                .readGenesis()
                .genesis()
                .getNodes(0)
                .getGatewayPort();
        node = ConsensusNode.open(new NodeDirectory(directory.resolve("node0")), StartOptions.NONE, failure -> {});
        node.start();
        operator = TlsIdentity.open(TlsSettings.ofFilesIn(directory.resolve("operator/tls")));
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
        ports.close();
    }

    @Test
    void shouldAnswerAtTheGatewayWithTls() {
        assertThat(nodeIdFrom(TlsPorts.channel(Optional.of(operator)))).isZero();
    }

    @Test
    void shouldNotAnswerAPlainClientAtTheGateway() {
        assertThatThrownBy(() -> nodeIdFrom(InsecureChannelCredentials.create()))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        failure -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }

    @Test
    void shouldAnswerAtTheAdminPortWithTls() throws Exception {
        assertThat(get("https", operator.context())).contains("live");
    }

    @Test
    void shouldNotAnswerAClientWithoutCertificateAtTheAdminPort() throws Exception {
        SSLContext anonymous = SSLContext.getInstance(TlsIdentity.PROTOCOL);
        anonymous.init(null, new TrustManager[] {operator.trust()}, null);

        assertThatThrownBy(() -> get("https", anonymous)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotAnswerAPlainClientAtTheAdminPort() {
        assertThatThrownBy(() -> get("http", operator.context())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldLetItsOwnToolAsk() {
        StringWriter out = new StringWriter();
        CommandLine tool = NodeTool.commandLine().setOut(new PrintWriter(out));

        tool.execute("status", directory.resolve("node0").toString());
        assertThat(out.toString()).contains("node: 0");

        out.getBuffer().setLength(0);
        tool.execute("status", "--gateway=127.0.0.1:" + gatewayPort, "--tls=" + directory.resolve("operator/tls"));
        assertThat(out.toString()).contains("node: 0");
    }

    private static int nodeIdFrom(ChannelCredentials credentials) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", gatewayPort, credentials)
                .build();
        try {
            return OrderGatewayGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance())
                    .getNodeId();
        } finally {
            channel.shutdownNow();
        }
    }

    private static String get(String scheme, SSLContext context) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            URI uri = URI.create(scheme + "://127.0.0.1:" + node.adminPort() + "/health/live");
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
