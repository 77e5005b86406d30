package io.sealbook.access.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.CallCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.sealbook.access.TlsPorts;
import io.sealbook.access.rate.CallRateLimit;
import io.sealbook.access.rate.Rates;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.AuditorStatus;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.ReportFrame;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A port of which one method is public and one reads a broker's data, asked by everyone who is not that broker. */
@Timeout(300)
class RoleGateTest {
    private static final long CHAIN_ID = 77;
    private static final String OTHERS_DATA = "data of broker ";
    /** A broker whose stream of reports does not end. */
    private static final int ENDLESS = 99;

    /** In these tests time stands still: each caller has two seconds' worth. */
    private static final Rates RATES = new Rates(8, 1_000);

    private final CertificateAuthority authority =
            new CertificateAuthority("members", Duration.ofDays(1), Clock.systemUTC());
    private final Signer broker1 = Signers.generate(SignatureScheme.SM2_SM3);
    private final Signer broker2 = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final Signer auditor = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final Signer member = Signers.generate(SignatureScheme.SM2_SM3);
    private final List<StreamObserver<ReportFrame>> endless = new CopyOnWriteArrayList<>();
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private final List<ManagedChannel> channels = new ArrayList<>();

    @TempDir
    Path directory;

    private final AtomicReference<Genesis> terms = new AtomicReference<>(genesis());
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private Server server;

    @BeforeEach
    void start() throws Exception {
        PortSecurity security = PortSecurity.of(
                Optional.of(issue("node0", CertificateRole.SERVER)),
                terms::get,
                Map.of(
                        EngineStatusGrpc.getGetEngineStatusMethod(),
                        CallRule.PUBLIC,
                        ExecutionReportsGrpc.getFollowMethod(),
                        CallRule.ofBroker(FollowReportsRequest.class, FollowReportsRequest::getBrokerId)));
        ServerInterceptor nothing = new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                return next.startCall(call, headers);
            }
        };
        CallRateLimit rates = security.rateLimit(RATES, () -> 0, (remote, reason) -> refusals.add(reason));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0), security.credentials())
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelFactory(() -> {
                    NioServerSocketChannel channel = new NioServerSocketChannel();
                    security.watch(channel);
                    return channel;
                })
                .addService(security.protect(new Reports(), rates, nothing))
                .addService(security.protect(new State(), rates, nothing))
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        server.shutdownNow();
        loops.shutdownGracefully();
    }

    @Test
    void shouldLetABrokerReadWhatIsItsOwn() throws Exception {
        assertThat(read(channel("broker1"), broker(1, broker1), 1)).isEqualTo(OTHERS_DATA + 1);
        assertThat(read(channel("broker2"), broker(2, broker2), 2)).isEqualTo(OTHERS_DATA + 2);
    }

    @Test
    void shouldLetNoBrokerReadWhatIsAnothers() throws Exception {
        assertThat(read(channel("broker2"), broker(2, broker2), 1)).isEqualTo("PERMISSION_DENIED");
    }

    @Test
    void shouldLetAuditorsAndMembersReadEverything() throws Exception {
        assertThat(read(channel("auditor"), holder(Role.AUDITOR, 5, 0, auditor), 1))
                .isEqualTo(OTHERS_DATA + 1);
        assertThat(read(channel("node1"), holder(Role.MEMBER, 0, 0, member), 2)).isEqualTo(OTHERS_DATA + 2);
    }

    @Test
    void shouldKeepOutACallerWithoutARole() throws Exception {
        assertThat(read(channel("broker2"), null, 1)).isEqualTo("UNAUTHENTICATED");
    }

    @Test
    void shouldKeepOutACallerThatSignsWithAnotherKey() throws Exception {
        assertThat(read(channel("broker2"), broker(1, broker2), 1)).isEqualTo("UNAUTHENTICATED");
        assertThat(read(channel("b"), holder(Role.AUDITOR, 5, 0, broker2), 1)).isEqualTo("UNAUTHENTICATED");
        assertThat(read(channel("c"), holder(Role.BROKER, 1, 2, broker1), 1)).isEqualTo("UNAUTHENTICATED");
    }

    @Test
    void shouldKeepOutACallerOfAnotherChain() throws Exception {
        assertThat(read(channel("broker1"), new RoleHolder(CHAIN_ID + 1, Role.BROKER, 1, 1, broker1), 1))
                .isEqualTo("UNAUTHENTICATED");
    }

    /** The statement was recorded, or given to it by a node that it had been sent to. */
    @Test
    void shouldKeepOutACallerWithTheStatementOfAnothersCertificate() throws Exception {
        X509Certificate others = certificate("broker1");
        byte[] recorded = RoleStatement.make(broker(1, broker1), others).encode();
        CallCredentials replaying = new CallCredentials() {
            @Override
            public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
                Metadata headers = new Metadata();
                headers.put(Metadata.Key.of("sealbook-role-bin", Metadata.BINARY_BYTE_MARSHALLER), recorded);
                applier.apply(headers);
            }
        };

        assertThat(call(channel("broker2"), replaying, 1)).isEqualTo("UNAUTHENTICATED");
        assertThat(call(channel("broker1"), replaying, 1)).isEqualTo(OTHERS_DATA + 1);
    }

    /** With however many certificates, and whatever others do at its address. */
    @Test
    void shouldRefuseACallerThatIsTooFastAndNoOther() throws Exception {
        List<String> flood = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            flood.add(read(channel("broker1-" + i % 4), broker(1, broker1), 1));
        }
        for (int i = 0; i < 40; i++) {
            read(channel("nobody" + i % 4), null, 1);
        }

        assertThat(flood.subList(0, 16)).containsOnly(OTHERS_DATA + 1);
        assertThat(flood.subList(16, 40)).containsOnly("RESOURCE_EXHAUSTED");
        assertThat(refusals)
                .hasSize(24)
                .containsOnly("broker 1 makes more than 8 calls per second, the most that one may");
        assertThat(read(channel("broker2"), broker(2, broker2), 2)).isEqualTo(OTHERS_DATA + 2);
    }

    /** Each certificate has its rates, and all of them at one address four times these. */
    @Test
    void shouldRefuseCertificatesWithoutARoleThatAreTooFast() throws Exception {
        List<String> one = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            one.add(read(channel("nobody"), null, 1));
        }
        for (int i = 0; i < 60; i++) {
            one.add(read(channel("nobody" + i % 6), null, 1));
        }

        assertThat(one.subList(0, 16)).containsOnly("UNAUTHENTICATED");
        assertThat(one.subList(16, 20)).containsOnly("RESOURCE_EXHAUSTED");
        assertThat(one.subList(20, 68)).containsOnly("UNAUTHENTICATED");
        assertThat(one.subList(68, 80)).containsOnly("RESOURCE_EXHAUSTED");
        assertThat(refusals).last().asString().startsWith("address 127.0.0.1 makes more than 32 calls per second");
        assertThat(read(channel("broker2"), broker(2, broker2), 2)).isEqualTo(OTHERS_DATA + 2);
    }

    @Test
    void shouldTakeOneRolePerConnection() throws Exception {
        ManagedChannel channel = channel("both");

        assertThat(read(channel, broker(2, broker2), 2)).isEqualTo(OTHERS_DATA + 2);
        assertThat(read(channel, broker(1, broker1), 1)).isEqualTo("UNAUTHENTICATED");
    }

    @Test
    void shouldRefuseAKeyThatWasRevoked() throws Exception {
        ManagedChannel open = channel("broker1");
        assertThat(read(open, broker(1, broker1), 1)).isEqualTo(OTHERS_DATA + 1);

        Genesis.Builder changed = genesis().toBuilder();
        changed.getBrokersBuilder(0).getKeysBuilder(0).setUntilBlock(7);
        terms.set(changed.build());

        assertThat(read(open, broker(1, broker1), 1)).isIn("UNAUTHENTICATED", "UNAVAILABLE");
        assertThat(read(channel("broker1"), broker(1, broker1), 1)).isEqualTo("UNAUTHENTICATED");
        assertThat(read(channel("broker2"), broker(2, broker2), 2)).isEqualTo(OTHERS_DATA + 2);
    }

    @Test
    void shouldRefuseWhoWasRemoved() throws Exception {
        Genesis.Builder changed = genesis().toBuilder();
        changed.getBrokersBuilder(0).setStatus(BrokerStatus.BROKER_REMOVED);
        changed.getBrokersBuilder(1).setStatus(BrokerStatus.BROKER_SUSPENDED);
        changed.getAuditorsBuilder(0).setStatus(AuditorStatus.AUDITOR_REMOVED);
        terms.set(changed.build());

        assertThat(read(channel("broker1"), broker(1, broker1), 1)).isEqualTo("UNAUTHENTICATED");
        assertThat(read(channel("auditor"), holder(Role.AUDITOR, 5, 0, auditor), 1))
                .isEqualTo("UNAUTHENTICATED");
        assertThat(read(channel("broker2"), broker(2, broker2), 2))
                .as("a suspended broker reads what is its own")
                .isEqualTo(OTHERS_DATA + 2);
    }

    @Test
    void shouldLetANewKeyProveItsRole() throws Exception {
        Signer added = Signers.generate(SignatureScheme.SM2_SM3);
        ManagedChannel channel = channel("broker1");
        RoleHolder holder = holder(Role.BROKER, 1, 2, added);
        assertThat(read(channel, holder, 1)).isEqualTo("UNAUTHENTICATED");

        Genesis.Builder changed = genesis().toBuilder();
        changed.getBrokersBuilder(0)
                .addKeys(BrokerKey.newBuilder().setKeyId(2).setKey(key(added)).setFromBlock(8));
        terms.set(changed.build());

        assertThat(read(channel, holder, 1)).as("on the same connection").isEqualTo(OTHERS_DATA + 1);
        assertThat(read(channel("c"), broker(1, broker1), 1))
                .as("the old key overlaps")
                .isEqualTo(OTHERS_DATA + 1);
    }

    @Test
    void shouldTakeTheKeyOfAReplacedNodeAndRefuseTheOldOne() throws Exception {
        Signer replacement = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
        RoleHolder old = holder(Role.MEMBER, 0, 0, member);
        RoleHolder fresh = holder(Role.MEMBER, 0, 0, replacement);
        ManagedChannel open = channel("node1");
        assertThat(read(open, old, 2)).isEqualTo(OTHERS_DATA + 2);
        assertThat(read(channel("new"), fresh, 2)).isEqualTo("UNAUTHENTICATED");

        Genesis.Builder changed = genesis().toBuilder();
        changed.getNodesBuilder(0).setIdentity(key(replacement));
        terms.set(changed.build());

        assertThat(read(open, old, 2)).isIn("UNAUTHENTICATED", "UNAVAILABLE");
        assertThat(read(channel("node1"), old, 2)).isEqualTo("UNAUTHENTICATED");
        assertThat(read(channel("new"), fresh, 2)).isEqualTo(OTHERS_DATA + 2);
    }

    @Test
    void shouldEndTheStreamsOfAKeyThatWasRevoked() throws Exception {
        Iterator<ReportFrame> revoked = follow(channel("auditor"), holder(Role.AUDITOR, 5, 0, auditor));
        revoked.next();
        Iterator<ReportFrame> other = follow(channel("node1"), holder(Role.MEMBER, 0, 0, member));
        other.next();

        Genesis.Builder changed = genesis().toBuilder();
        changed.getAuditorsBuilder(0).setStatus(AuditorStatus.AUDITOR_REMOVED);
        terms.set(changed.build());

        assertThatThrownBy(revoked::hasNext)
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("UNAVAILABLE");
        endless.get(1).onCompleted();
        assertThat(other.hasNext()).isFalse();
    }

    private static Iterator<ReportFrame> follow(ManagedChannel channel, RoleHolder holder) {
        return ExecutionReportsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(120, TimeUnit.SECONDS)
                .withCallCredentials(new RoleCredentials(holder))
                .follow(FollowReportsRequest.newBuilder().setBrokerId(ENDLESS).build());
    }

    @Test
    void shouldAnswerPublicCallsWithoutARole() throws Exception {
        assertThat(EngineStatusGrpc.newBlockingStub(channel("anyone"))
                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                        .getEngineStatus(GetEngineStatusRequest.getDefaultInstance())
                        .getLastExecuted())
                .isEqualTo(9);
    }

    @Test
    void shouldRefuseAMethodWithoutARule() throws Exception {
        ManagedChannel channel = channel("auditor");
        try {
            ExecutionReportsGrpc.newBlockingStub(channel)
                    .withCallCredentials(new RoleCredentials(holder(Role.AUDITOR, 5, 0, auditor)))
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .followByBlock(FollowReportsByBlockRequest.getDefaultInstance())
                    .hasNext();
            throw new AssertionError("a method without a rule was served");
        } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
    }

    private static RoleHolder broker(int id, Signer signer) {
        return holder(Role.BROKER, id, 1, signer);
    }

    private static RoleHolder holder(Role role, int id, int keyId, Signer signer) {
        return new RoleHolder(CHAIN_ID, role, id, keyId, signer);
    }

    private static String read(ManagedChannel channel, RoleHolder holder, int brokerId) {
        return call(channel, holder == null ? null : new RoleCredentials(holder), brokerId);
    }

    private static String call(ManagedChannel channel, CallCredentials credentials, int brokerId) {
        ExecutionReportsGrpc.ExecutionReportsBlockingStub stub = ExecutionReportsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .withCallCredentials(credentials);
        try {
            return stub.follow(FollowReportsRequest.newBuilder()
                            .setBrokerId(brokerId)
                            .build())
                    .next()
                    .getReports()
                    .toStringUtf8();
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }

    private ManagedChannel channel(String name) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", server.getPort(), TlsPorts.channel(Optional.of(identity(name))))
                .build();
        channels.add(channel);
        return channel;
    }

    private TlsIdentity identity(String name) throws Exception {
        Path files = directory.resolve(name);
        return Files.exists(files)
                ? TlsIdentity.open(TlsSettings.ofFilesIn(files))
                : issue(name, CertificateRole.CLIENT);
    }

    private X509Certificate certificate(String name) throws Exception {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) identity(name).keys();
        return keys.getCertificateChain(keys.chooseEngineServerAlias("EC", null, null))[0];
    }

    private TlsIdentity issue(String name, CertificateRole role) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        authority.issue(files, name, role, role == CertificateRole.SERVER ? List.of("127.0.0.1") : List.of());
        return TlsIdentity.open(files);
    }

    private Genesis genesis() {
        return Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .addBrokers(Broker.newBuilder()
                        .setBrokerId(1)
                        .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(key(broker1))))
                .addBrokers(Broker.newBuilder()
                        .setBrokerId(2)
                        .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(key(broker2))))
                .addAuditors(Auditor.newBuilder().setAuditorId(5).setKey(key(auditor)))
                .addNodes(Node.newBuilder().setNodeId(0).setIdentity(key(member)))
                .build();
    }

    private static PublicKey key(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }

    private final class Reports extends ExecutionReportsGrpc.ExecutionReportsImplBase {
        @Override
        public void follow(FollowReportsRequest request, StreamObserver<ReportFrame> frames) {
            frames.onNext(ReportFrame.newBuilder()
                    .setReports(ByteString.copyFromUtf8(OTHERS_DATA + request.getBrokerId()))
                    .build());
            if (request.getBrokerId() == ENDLESS) {
                endless.add(frames);
            } else {
                frames.onCompleted();
            }
        }
    }

    private static final class State extends EngineStatusGrpc.EngineStatusImplBase {
        @Override
        public void getEngineStatus(GetEngineStatusRequest request, StreamObserver<EngineState> state) {
            state.onNext(EngineState.newBuilder().setLastExecuted(9).build());
            state.onCompleted();
        }
    }
}
