package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ChannelFactory;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.crypto.KeyFile;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster with TLS on which broker 1 trades: another broker, an auditor, a stranger and everyone who listens at a
 * wire look for its ClOrdID.
 */
class ConfidentialityIT {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    private static final int ACCOUNT = 1;
    private static final int INSTRUMENT = 1;
    /** Occurs nowhere by chance. */
    private static final long CL_ORD_ID = 0x5EA1_B00C_0FF1_CE01L;

    @TempDir
    private Path directory;

    private final Map<Integer, WireTap> taps = new ConcurrentHashMap<>();

    @AfterEach
    void close() throws Exception {
        for (WireTap tap : taps.values()) {
            tap.close();
        }
    }

    @Test
    @Timeout(value = 25, unit = TimeUnit.MINUTES)
    void shouldShowAnOrderToItsBrokerAndAuditorsOnly() throws Exception {
        ClusterPlan plan = ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(4),
                        4,
                        List.of("sm2", "secp256k1"),
                        List.of("1:ABC:2:1:200000:1000000"))
                .withTestnetOptions(List.of("--tls"));
        try (LocalCluster cluster = LocalCluster.prepare(plan)) {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            assertThat(log(cluster, "node.log")).contains("gateway: TLS of " + provider());
            assertThat(log(cluster, "engine.log")).contains("gRPC: TLS of " + provider());

            Receipt receipt = trade(cluster);

            assertThat(proofs(cluster, receipt))
                    .containsExactlyInAnyOrderEntriesOf(
                            Map.of("broker1", "the ClOrdID", "broker2", "something else", "auditor1", "the ClOrdID"));
            assertThat(asBroker2(cluster)).allMatch(answer -> answer.equals("PERMISSION_DENIED"));
            assertThat(withoutRole(cluster)).allMatch(answer -> answer.equals("UNAUTHENTICATED"));
            assertThat(asAuditor(cluster)).isNotEmpty().allMatch(answer -> answer.equals("the ClOrdID"));
            assertThat(marketDataWithoutRole(cluster)).isEqualTo(1);
            assertThat(asStranger(cluster)).allMatch(answer -> answer.equals("UNAVAILABLE"));
            assertThat(overHttp(cluster, "broker2/tls", Optional.empty())).isEqualTo(401);
            assertThat(overHttp(cluster, "broker2/tls", Optional.of(broker(cluster, 2))))
                    .isEqualTo(403);
            assertThat(overHttp(cluster, "broker1/tls", Optional.of(broker(cluster, 1))))
                    .isEqualTo(200);
            assertThat(taps).hasSize(2 * cluster.size());
            for (WireTap tap : taps.values()) {
                List<byte[]> recorded = tap.recorded();
                assertThat(recorded.stream().mapToInt(bytes -> bytes.length).sum())
                        .isPositive();
                assertThat(recorded).noneMatch(ConfidentialityIT::hasClOrdId);
            }
        }
    }

    private static String log(LocalCluster cluster, String file) throws IOException {
        return Files.readString(cluster.directory().resolve("node0").resolve(file));
    }

    /** Returns whose TLS is in the jars for this platform. */
    private static String provider() {
        boolean isBundled = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
        return isBundled ? "BoringSSL" : "Java";
    }

    /**
     * Sends an order through taps at every gateway and engine, and waits for its report and its proof. A receipt is
     * handed on as a reference: who has it asks for the batch.
     */
    private Receipt trade(LocalCluster cluster) throws Exception {
        BrokerDirectory broker = BrokerDirectory.read(cluster.directory().resolve("broker1"));
        ChannelFactory tapped = (nodeId, role, host, port) -> broker.channels().open(nodeId, role, host, tap(port));
        AtomicBoolean isReported = new AtomicBoolean();
        try (BrokerClient client = BrokerClient.builder()
                .directory(broker)
                .channels(tapped)
                .connectTimeout(READY_TIMEOUT)
                .executionReports(report -> isReported.compareAndSet(false, report.clOrdId() == CL_ORD_ID))
                .connect()) {
            Receipt receipt = client.submit(Order.limit(CL_ORD_ID, ACCOUNT, INSTRUMENT, Side.BUY, 10_000, 100))
                    .get(READY_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            Facts.await(() -> "the report of the order", isReported::get);
            client.prove(receipt, READY_TIMEOUT).get(READY_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            return receipt;
        }
    }

    private int tap(int port) {
        return taps.computeIfAbsent(port, target -> {
                    try {
                        return new WireTap(target);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .port();
    }

    /** Returns what each of the callers finds in the proof of a batch, once node 0 has its certificate. */
    private static Map<String, String> proofs(LocalCluster cluster, Receipt receipt) throws Exception {
        Map<String, RoleHolder> callers = Map.of(
                "broker1", broker(cluster, 1),
                "broker2", broker(cluster, 2),
                "auditor1", holder(cluster, Role.AUDITOR, 1, 0, "auditor1/auditor.key"));
        Map<String, String> found = new HashMap<>();
        for (Map.Entry<String, RoleHolder> caller : callers.entrySet()) {
            ManagedChannel gateway = channel(
                    cluster.genesis().genesis().getNodes(0).getGatewayPort(),
                    identity(cluster, caller.getKey() + "/tls"));
            try {
                OrderGatewayGrpc.OrderGatewayBlockingStub orders = OrderGatewayGrpc.newBlockingStub(gateway)
                        .withCallCredentials(new RoleCredentials(caller.getValue()));
                Facts.await(() -> "the proof for " + caller.getKey(), () -> {
                    found.put(
                            caller.getKey(),
                            answer(() -> orders.withDeadlineAfter(60, TimeUnit.SECONDS)
                                    .getInclusionProof(GetInclusionProofRequest.newBuilder()
                                            .setBatchId(ByteString.copyFrom(receipt.batchId()))
                                            .setBlockSequence(receipt.blockSequence())
                                            .build())
                                    .getProof()));
                    return !found.get(caller.getKey()).equals("FAILED_PRECONDITION");
                });
            } finally {
                gateway.shutdownNow();
            }
        }
        return found;
    }

    private static List<String> asBroker2(LocalCluster cluster) throws Exception {
        return readAll(cluster, identity(cluster, "broker2/tls"), new RoleCredentials(broker(cluster, 2)));
    }

    private static List<String> asAuditor(LocalCluster cluster) throws Exception {
        return readAll(
                        cluster,
                        identity(cluster, "auditor1/tls"),
                        new RoleCredentials(holder(cluster, Role.AUDITOR, 1, 0, "auditor1/auditor.key")))
                .stream()
                // What a broker's sessions and receipts show has no ClOrdID.
                .filter(answer -> !answer.equals("something else"))
                .toList();
    }

    private static List<String> withoutRole(LocalCluster cluster) throws Exception {
        return readAll(cluster, identity(cluster, "broker2/tls"), null);
    }

    /** Asks each door for what broker 1 owns; returns how each answered. */
    private static List<String> readAll(LocalCluster cluster, ChannelCredentials tls, CallCredentials role) {
        Node node = cluster.genesis().genesis().getNodes(0);
        ManagedChannel gateway = channel(node.getGatewayPort(), tls);
        ManagedChannel engine = channel(node.getEnginePort(), tls);
        try {
            OrderGatewayGrpc.OrderGatewayBlockingStub orders = OrderGatewayGrpc.newBlockingStub(gateway)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .withCallCredentials(role);
            ExecutionReportsGrpc.ExecutionReportsBlockingStub reports = ExecutionReportsGrpc.newBlockingStub(engine)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .withCallCredentials(role);
            return List.of(
                    answer(() -> orders.logon(
                                    LogonRequest.newBuilder().setBrokerId(1).build())
                            .toByteString()),
                    answer(() -> orders.followReceipts(FollowReceiptsRequest.newBuilder()
                                    .setBrokerId(1)
                                    .setFromBlock(1)
                                    .build())
                            .next()
                            .toByteString()),
                    answer(() -> orders.getBlocks(GetBlocksRequest.newBuilder()
                                    .setFromSequence(1)
                                    .setToSequence(1)
                                    .build())
                            .next()
                            .getBlock()),
                    answer(() -> reports.follow(FollowReportsRequest.newBuilder()
                                    .setBrokerId(1)
                                    .setFromSequence(1)
                                    .build())
                            .next()
                            .getReports()));
        } finally {
            gateway.shutdownNow();
            engine.shutdownNow();
        }
    }

    private static String answer(Supplier<ByteString> question) {
        try {
            return hasClOrdId(question.get().toByteArray()) ? "the ClOrdID" : "something else";
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }

    /** Returns the instrument whose best prices a caller without a role reads. */
    private static int marketDataWithoutRole(LocalCluster cluster) throws Exception {
        Node node = cluster.genesis().genesis().getNodes(0);
        ManagedChannel engine = channel(node.getEnginePort(), identity(cluster, "broker2/tls"));
        try {
            return MarketDataGrpc.newBlockingStub(engine)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .followBestPrices(MarketDataRequest.getDefaultInstance())
                    .next()
                    .getInstrumentId();
        } finally {
            engine.shutdownNow();
        }
    }

    /** Knocks with a certificate of another authority, and in clear. */
    private List<String> asStranger(LocalCluster cluster) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve("stranger"));
        new CertificateAuthority("strangers", Duration.ofDays(1), Clock.systemUTC())
                .issue(files, "stranger", CertificateRole.CLIENT, List.of());
        // It knows whom to trust: only the other side refuses.
        TlsSettings trusting = new TlsSettings(
                files.mode(),
                files.certificate(),
                files.key(),
                files.passphrase(),
                cluster.directory().resolve("operator/tls/trusted.pem"),
                files.revoked());
        int port = cluster.genesis().genesis().getNodes(0).getGatewayPort();
        return List.of(
                statusAt(port, TlsIdentity.channelCredentials(trusting.open())),
                statusAt(port, InsecureChannelCredentials.create()));
    }

    private static String statusAt(int port, ChannelCredentials credentials) {
        ManagedChannel channel = channel(port, credentials);
        try {
            return OrderGatewayGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance())
                    .getState();
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        } finally {
            channel.shutdownNow();
        }
    }

    /**
     * Asks an engine's HTTP port for the order.
     *
     * @param cluster that runs
     * @param files the caller's directory of certificate and key
     * @param holder its role, if it proves one
     * @return status of the answer
     */
    private static int overHttp(LocalCluster cluster, String files, Optional<RoleHolder> holder) throws Exception {
        TlsSettings settings = TlsSettings.ofFilesIn(cluster.directory().resolve(files));
        URI order = URI.create(cluster.consoleAddress(0).replace("http:", "https:") + "api/orders/1/" + CL_ORD_ID);
        HttpRequest.Builder request = HttpRequest.newBuilder(order);
        if (holder.isPresent()) {
            request.header(
                    RoleStatement.HEADER,
                    RoleStatement.make(holder.get(), certificate(settings.certificate()))
                            .toText());
        }
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(TlsIdentity.open(settings).context())
                .build()) {
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private static X509Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static ManagedChannel channel(int port, ChannelCredentials credentials) {
        return Grpc.newChannelBuilderForAddress("127.0.0.1", port, credentials).build();
    }

    private static ChannelCredentials identity(LocalCluster cluster, String files) throws Exception {
        return TlsIdentity.channelCredentials(Optional.of(
                TlsIdentity.open(TlsSettings.ofFilesIn(cluster.directory().resolve(files)))));
    }

    private static RoleHolder broker(LocalCluster cluster, int id) throws Exception {
        return holder(cluster, Role.BROKER, id, 1, "broker" + id + "/broker.key");
    }

    private static RoleHolder holder(LocalCluster cluster, Role role, int id, int keyId, String key) throws Exception {
        return new RoleHolder(
                cluster.genesis().genesis().getChainId(),
                role,
                id,
                keyId,
                KeyFile.readSigner(cluster.directory().resolve(key)));
    }

    /** Looks for the ClOrdID in each way in which something may write it. */
    private static boolean hasClOrdId(byte[] bytes) {
        byte[] bigEndian = ByteBuffer.allocate(Long.BYTES).putLong(CL_ORD_ID).array();
        byte[] littleEndian = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(CL_ORD_ID)
                .array();
        byte[] text = Long.toString(CL_ORD_ID).getBytes(StandardCharsets.US_ASCII);
        String all = new String(bytes, StandardCharsets.ISO_8859_1);
        return List.of(bigEndian, littleEndian, text).stream()
                .anyMatch(form -> all.contains(new String(form, StandardCharsets.ISO_8859_1)));
    }
}
