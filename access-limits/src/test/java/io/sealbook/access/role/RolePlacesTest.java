package io.sealbook.access.role;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.SocketPlaces;
import io.sealbook.access.TlsPorts;
import io.sealbook.access.rate.Rates;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A port with few places, of which everyone takes as many as he gets: each role and each caller has its own. */
@Timeout(300)
class RolePlacesTest {
    private static final long CHAIN_ID = 78;
    private static final int CONNECTIONS = 32;
    private static final int CONNECTIONS_OF_ONE = 6;
    private static final int STREAMS = 24;
    private static final int STREAMS_OF_ONE = 8;
    private static final int BROKERS = 4;

    private final CertificateAuthority authority =
            new CertificateAuthority("members", Duration.ofDays(1), Clock.systemUTC());
    private final Signer key = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final HolderQuota connections = new HolderQuota(CONNECTIONS, CONNECTIONS_OF_ONE);
    private final HolderQuota streams = new HolderQuota(STREAMS, STREAMS_OF_ONE);
    private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @TempDir
    private Path directory;

    private int certificates;
    private Server server;

    @BeforeEach
    void start() throws Exception {
        Genesis terms = genesis();
        PortSecurity security = PortSecurity.of(
                Optional.of(issue(CertificateRole.SERVER)),
                () -> terms,
                Map.of(MarketDataGrpc.getFollowDepthMethod(), CallRule.PUBLIC));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0), security.credentials())
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .directExecutor()
                .channelFactory(() -> {
                    NioServerSocketChannel channel = new NioServerSocketChannel();
                    channel.pipeline()
                            .addLast(security.limit(
                                    connections,
                                    new SocketPlaces(CONNECTIONS, 64),
                                    (remote, reason) -> refusals.add(reason)));
                    return channel;
                })
                .addService(security.protect(
                        new Endless(),
                        security.rateLimit(
                                new Rates(1_000, 1_000_000),
                                System::nanoTime,
                                (remote, reason) -> refusals.add(reason)),
                        new ReadLimit(
                                Map.of(MarketDataGrpc.getFollowDepthMethod(), streams),
                                new HolderQuota(STREAMS, STREAMS),
                                (remote, reason) -> refusals.add(reason))))
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
    void shouldCountTheConnectionsOfACallerWhateverCertificatesItShows() throws Exception {
        for (int i = 0; i < CONNECTIONS_OF_ONE; i++) {
            assertThat(follow(broker(1))).isEqualTo("served");
        }

        assertThat(follow(broker(1)))
                .isEqualTo("RESOURCE_EXHAUSTED: broker 1 has 6 connections open, the most that one may have");
        Facts.await("its connection is closed", () -> connections.count() == CONNECTIONS_OF_ONE);
        assertThat(follow(broker(2))).isEqualTo("served");
        channels.getFirst().shutdownNow();
        Facts.await("a place is free", () -> connections.count() == CONNECTIONS_OF_ONE);
        assertThat(follow(broker(1))).isEqualTo("served");
    }

    /** Its connection is open until the answer has reached it: what it begins meanwhile would count for no place. */
    @Test
    void shouldBeginNoCallOnAConnectionThatFoundNoPlace() throws Exception {
        for (int i = 0; i < CONNECTIONS_OF_ONE; i++) {
            assertThat(follow(broker(1))).isEqualTo("served");
        }
        int streamsBefore = streams.count();
        ManagedChannel surplus = channel();
        List<Begun> calls = new ArrayList<>(List.of(begin(surplus, broker(1))));
        Facts.await("it has found no place", () -> calls.getFirst().end != null);
        for (int i = 0; i < 40; i++) {
            calls.add(begin(surplus, broker(1)));
        }

        Facts.await("all have ended", () -> calls.stream().allMatch(call -> call.end != null));
        assertThat(calls).noneMatch(call -> call.isServed);
        assertThat(calls.getFirst().end.getDescription()).startsWith("broker 1 has 6 connections open");
        assertThat(streams.count()).isEqualTo(streamsBefore);
    }

    /** One call over a connection that is open, and what came of it. */
    private static final class Begun implements StreamObserver<Depth> {
        private volatile boolean isServed;
        private volatile Status end;

        @Override
        public void onNext(Depth depth) {
            isServed = true;
        }

        @Override
        public void onError(Throwable reason) {
            end = Status.fromThrowable(reason);
        }

        @Override
        public void onCompleted() {
            end = Status.OK;
        }
    }

    private static Begun begin(ManagedChannel channel, Optional<RoleHolder> who) {
        Begun call = new Begun();
        MarketDataGrpc.MarketDataStub stub = MarketDataGrpc.newStub(channel);
        (who.isPresent() ? stub.withCallCredentials(new RoleCredentials(who.get())) : stub)
                .followDepth(MarketDataRequest.getDefaultInstance(), call);
        return call;
    }

    private ManagedChannel channel() throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", server.getPort(), TlsPorts.channel(Optional.of(issue(CertificateRole.CLIENT))))
                .build();
        channels.add(channel);
        return channel;
    }

    /** Its authority issues as many certificates as it likes. */
    @Test
    void shouldServeEveryRoleWhileCertificatesWithoutARoleFloodThePort() throws Exception {
        for (int i = 0; i < 2 * CONNECTIONS; i++) {
            follow(Optional.empty());
        }
        assertThat(refusals).isNotEmpty();

        for (Optional<RoleHolder> each : List.of(broker(1), broker(2), auditor(), member())) {
            assertThat(followPatiently(each)).as("%s", each).isEqualTo("served");
        }
    }

    @Test
    void shouldServeAuditorsMembersAndOtherBrokersWhileBrokersFlood() throws Exception {
        for (int round = 0; round < STREAMS; round++) {
            for (int broker = 1; broker < BROKERS; broker++) {
                follow(broker(broker));
            }
        }

        assertThat(refusals).isNotEmpty();
        assertThat(follow(broker(BROKERS))).isEqualTo("served");
        assertThat(follow(auditor())).isEqualTo("served");
        assertThat(follow(member())).isEqualTo("served");
        assertThat(follow(Optional.empty())).isEqualTo("served");
    }

    @Test
    void shouldReleaseEveryPlaceWithItsConnection() throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            follow(i % 2 == 0 ? broker(1 + i % BROKERS) : Optional.empty());
        }
        channels.forEach(ManagedChannel::shutdownNow);

        Facts.await("no place is taken", () -> connections.count() == 0 && streams.count() == 0);
    }

    /** A place of the public may be taken by one that is refused at this moment: an honest caller tries again. */
    private String followPatiently(Optional<RoleHolder> who) throws Exception {
        String answer = "";
        for (int attempt = 0; attempt < 5 && !answer.equals("served"); attempt++) {
            answer = follow(who);
        }
        return answer;
    }

    /** Opens a stream over a new connection with a new certificate; returns how it began. */
    private String follow(Optional<RoleHolder> who) throws Exception {
        ManagedChannel channel = channel();
        MarketDataGrpc.MarketDataBlockingStub stub =
                MarketDataGrpc.newBlockingStub(channel).withDeadlineAfter(250, TimeUnit.SECONDS);
        try {
            (who.isPresent() ? stub.withCallCredentials(new RoleCredentials(who.get())) : stub)
                    .followDepth(MarketDataRequest.getDefaultInstance())
                    .next();
            return "served";
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED
                    ? "RESOURCE_EXHAUSTED: " + e.getStatus().getDescription()
                    : e.getStatus().getCode().name();
        }
    }

    private Optional<RoleHolder> broker(int id) {
        return Optional.of(new RoleHolder(CHAIN_ID, Role.BROKER, id, 1, key));
    }

    private Optional<RoleHolder> auditor() {
        return Optional.of(new RoleHolder(CHAIN_ID, Role.AUDITOR, 5, 0, key));
    }

    private Optional<RoleHolder> member() {
        return Optional.of(new RoleHolder(CHAIN_ID, Role.MEMBER, 0, 0, key));
    }

    private TlsIdentity issue(CertificateRole role) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(Integer.toString(certificates++)));
        authority.issue(files, "c" + certificates, role, List.of("127.0.0.1"));
        return TlsIdentity.open(files);
    }

    private Genesis genesis() {
        PublicKey known = PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
        Genesis.Builder genesis = Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .addAuditors(Auditor.newBuilder().setAuditorId(5).setKey(known))
                .addNodes(Node.newBuilder().setNodeId(0).setIdentity(known));
        for (int id = 1; id <= BROKERS; id++) {
            genesis.addBrokers(Broker.newBuilder()
                    .setBrokerId(id)
                    .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(known)));
        }
        return genesis.build();
    }

    /** Answers once, and goes on. */
    private static final class Endless extends MarketDataGrpc.MarketDataImplBase {
        @Override
        public void followDepth(MarketDataRequest request, StreamObserver<Depth> answer) {
            answer.onNext(Depth.getDefaultInstance());
        }
    }
}
