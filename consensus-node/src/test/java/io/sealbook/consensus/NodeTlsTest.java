package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.access.role.RoleVerifier;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
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

    /** More of them than one address may have. */
    @Test
    void shouldServeACertificateBesideSilentConnectionsOfItsAddress() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 600; i++) {
                silent.add(new Socket("127.0.0.1", gatewayPort));
            }

            assertThat(nodeIdFrom(TlsPorts.channel(Optional.of(operator)))).isZero();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** Which one is of no matter: a client's handshake is done before the server's. */
    @Test
    void shouldCloseOneOfTheConnectionsOfACertificateBeyondItsLimit() throws Exception {
        List<Socket> open = new ArrayList<>();
        BlockingQueue<Socket> ended = new LinkedBlockingQueue<>();
        try {
            // One more than the default of gateway-connections-per-address.
            for (int i = 0; i <= 256; i++) {
                Socket socket = shaken();
                open.add(socket);
                Thread.ofVirtual().start(() -> awaitEnd(socket, ended));
            }

            assertThat(ended.poll(1, TimeUnit.MINUTES)).isNotNull();
            TlsIdentity other = TlsIdentity.open(TlsSettings.ofFilesIn(directory.resolve("broker1/tls")));
            assertThat(nodeIdFrom(TlsPorts.channel(Optional.of(other)))).isZero();
            assertThat(ended).isEmpty();
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static Socket shaken() throws Exception {
        SSLSocket socket = (SSLSocket) operator.context().getSocketFactory().createSocket("127.0.0.1", gatewayPort);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** The server's SETTINGS may come before its end. */
    private static void awaitEnd(Socket socket, Queue<Socket> ended) {
        try {
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // The connection is reset: that is an end too.
        }
        ended.add(socket);
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
    void shouldShowWhenItsCertificatesExpire() throws IOException {
        TlsIdentity own = TlsIdentity.open(TlsSettings.ofFilesIn(directory.resolve("node0/tls")));

        assertThat(endShown("own")).isEqualTo(own.ownEnd().getEpochSecond());
        assertThat(endShown("trusted")).isEqualTo(own.trustedEnd().getEpochSecond());
    }

    private static double endShown(String of) {
        return node.metrics()
                .registry()
                .get("sealbook.tls.not.after")
                .tag("of", of)
                .gauge()
                .value();
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
    void shouldLetItsOperatorAloneSetLogLevels() throws Exception {
        assertThat(setLogLevel(Optional.empty())).isEqualTo(401);
        assertThat(setLogLevel(Optional.of("no statement"))).isEqualTo(401);
        assertThat(setLogLevel(Optional.of(statement(Role.BROKER, 1, 1, "broker1/broker.key"))))
                .isEqualTo(403);
        assertThat(setLogLevel(Optional.of(statement(Role.AUDITOR, 1, 0, "auditor1/auditor.key"))))
                .isEqualTo(403);
        assertThat(setLogLevel(Optional.of(statement(Role.MEMBER, 1, 0, "node1/node.key"))))
                .isEqualTo(403);
        assertThat(setLogLevel(Optional.of(statement(Role.MEMBER, 0, 0, "node1/node.key"))))
                .isEqualTo(401);
        assertThat(setLogLevel(Optional.of(statement(Role.MEMBER, 0, 0, "node0/node.key"))))
                .isEqualTo(200);
    }

    private static int setLogLevel(Optional<String> statement) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(operator.context()).build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                            "https://127.0.0.1:" + node.adminPort() + "/loggers/io.sealbook.consensus.admin"))
                    .PUT(HttpRequest.BodyPublishers.ofString("info"));
            statement.ifPresent(text -> request.header(RoleStatement.HEADER, text));
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void shouldServeReceiptsToTheirBrokerOnly() throws Exception {
        assertThat(headsOf(2, Optional.empty())).isEqualTo("UNAUTHENTICATED");
        assertThat(headsOf(2, Optional.of(role(Role.BROKER, 1, 1, "broker1/broker.key"))))
                .isEqualTo("PERMISSION_DENIED");
        assertThat(headsOf(1, Optional.of(role(Role.BROKER, 1, 1, "broker1/broker.key"))))
                .isEqualTo("node 0");
        assertThat(headsOf(1, Optional.of(role(Role.AUDITOR, 1, 0, "auditor1/auditor.key"))))
                .isEqualTo("node 0");
    }

    @Test
    void shouldServeBlocksToAuditorsAndMembersOnly() throws Exception {
        assertThat(blocks(Optional.empty())).isEqualTo("UNAUTHENTICATED");
        assertThat(blocks(Optional.of(role(Role.BROKER, 1, 1, "broker1/broker.key"))))
                .isEqualTo("PERMISSION_DENIED");
        assertThat(blocks(Optional.of(role(Role.AUDITOR, 1, 0, "auditor1/auditor.key"))))
                .isEqualTo("none");
        assertThat(blocks(Optional.of(role(Role.MEMBER, 2, 0, "node2/node.key"))))
                .isEqualTo("none");
    }

    @Test
    void shouldLetItsOwnToolAsk() {
        StringWriter out = new StringWriter();
        CommandLine tool = NodeTool.commandLine().setOut(new PrintWriter(out));

        tool.execute("status", "--timeout-ms=60000", directory.resolve("node0").toString());
        assertThat(out.toString()).contains("node: 0");

        out.getBuffer().setLength(0);
        tool.execute(
                "status",
                "--timeout-ms=60000",
                "--gateway=127.0.0.1:" + gatewayPort,
                "--tls=" + directory.resolve("operator/tls"));
        assertThat(out.toString()).contains("node: 0");
    }

    /** So does {@code status --cluster}, which learns of added and replaced nodes by it. */
    @Test
    void shouldReadTheMembershipByTheRoleOfADirectoryWithoutAQuestion() throws Exception {
        List<String> facts = new ArrayList<>();
        NodeDirectory member = new NodeDirectory(directory.resolve("node1"));
        NodeDirectory nobody = new NodeDirectory(directory);
        MemberGateway.Access role = MemberGateway.Access.unattended(member, Optional.of(operator), facts::add);
        MemberGateway.Access none = MemberGateway.Access.unattended(nobody, Optional.of(operator), facts::add);
        assertThat(facts).isEmpty();

        String address = "127.0.0.1:" + gatewayPort;
        try (MemberGateway known = new MemberGateway(address, role, 60_000);
                MemberGateway unknown = new MemberGateway(address, none, 60_000)) {
            assertThat(known.membership().getNodeId()).isZero();
            assertThatThrownBy(unknown::membership)
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            failure ->
                                    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
        }
    }

    @Test
    void shouldAskAllMembersWithoutARoleIfTheKeyNeedsAQuestion(@TempDir Path closed) throws Exception {
        for (String file : List.of("genesis.json", "node.properties")) {
            Files.copy(directory.resolve("node1").resolve(file), closed.resolve(file));
        }
        KeyFile.writeEncrypted(
                closed.resolve("node.key"),
                KeyFile.read(directory.resolve("node1/node.key")),
                "a passphrase".toCharArray());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int exitCode = NodeTool.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(
                        "status",
                        "--timeout-ms=60000",
                        "--cluster",
                        closed.toString(),
                        "--tls=" + directory.resolve("operator/tls"));

        assertThat(exitCode).as(err::toString).isEqualTo(1);
        assertThat(err.toString()).contains("asks without a role", "is encrypted");
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

    /** The HTTP port of an engine has this verifier. */
    @Test
    void shouldPrintAStatementThatProvesTheRole() throws Exception {
        StringWriter out = new StringWriter();
        Path certificate = directory.resolve("broker1/tls/certificate.pem");
        int exitCode = NodeTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "role",
                        "--role=broker",
                        "--id=1",
                        "--key=" + directory.resolve("broker1/broker.key"),
                        "--certificate=" + certificate,
                        "--genesis=" + directory.resolve("genesis.json"));

        assertThat(exitCode).isZero();
        byte[] statement = RoleStatement.ofText(out.toString()).encode();
        RoleVerifier verifier = RoleVerifier.of(
                new NodeDirectory(directory.resolve("node0")).readGenesis().genesis());
        assertThat(verifier.judge(read(certificate), statement)).contains(new Caller(Role.BROKER, 1));
        assertThat(verifier.judge(read(directory.resolve("operator/tls/certificate.pem")), statement))
                .isEmpty();
    }

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static String statement(Role role, int id, int keyId, String key) throws Exception {
        X509Certificate shown = read(directory.resolve("operator/tls/certificate.pem"));
        return RoleStatement.make(holder(role, id, keyId, key), shown).toText();
    }

    private static CallCredentials role(Role role, int id, int keyId, String key) throws IOException {
        return new RoleCredentials(holder(role, id, keyId, key));
    }

    private static RoleHolder holder(Role role, int id, int keyId, String key) throws IOException {
        long chainId = new NodeDirectory(directory.resolve("node0"))
                .readGenesis()
                .genesis()
                .getChainId();
        return new RoleHolder(chainId, role, id, keyId, KeyFile.readSigner(directory.resolve(key)));
    }

    /** Asks for the sessions of a broker as somebody; returns the node that answers, or why none does. */
    private static String headsOf(int brokerId, Optional<CallCredentials> role) {
        return asked(channel -> "node "
                + OrderGatewayGrpc.newBlockingStub(channel)
                        .withCallCredentials(role.orElse(null))
                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                        .logon(LogonRequest.newBuilder().setBrokerId(brokerId).build())
                        .getNodeId());
    }

    /** Asks for a range of blocks in which none can be. */
    private static String blocks(Optional<CallCredentials> role) {
        return asked(channel -> OrderGatewayGrpc.newBlockingStub(channel)
                        .withCallCredentials(role.orElse(null))
                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                        .getBlocks(GetBlocksRequest.newBuilder()
                                .setFromSequence(2)
                                .setToSequence(1)
                                .build())
                        .hasNext()
                ? "some"
                : "none");
    }

    private static String asked(Function<ManagedChannel, String> question) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", gatewayPort, TlsPorts.channel(Optional.of(operator)))
                .build();
        try {
            return question.apply(channel);
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
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
