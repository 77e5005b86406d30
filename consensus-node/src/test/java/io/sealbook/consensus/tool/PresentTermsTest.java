package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.consensus.testnet.TestnetPlan;
import io.sealbook.consensus.testnet.TestnetWriter;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where commands take the configuration from when the member's node does not answer. */
@Timeout(120)
class PresentTermsTest {
    private static final String HOST = "127.0.0.1";
    private static final int NODES = 4;
    private static final int PORTS_PER_NODE = 10;
    /** Of nodes that do not run. */
    private static final int FIRST_PORT = 7_000;

    private static final long TIMEOUT_MS = 300;
    /** Long enough for a second attempt. */
    private static final long RESTART_MS = 3_000;
    /** Longer than a test. */
    private static final long PATIENCE_MS = 600_000;

    @TempDir
    private Path directory;

    @Test
    void shouldTakeTheGenesisFileOnlyIfNoNodeRuns() throws Exception {
        try (PortBlock ports = PortBlock.take(NODES * PORTS_PER_NODE)) {
            write(ports);
            NodeDirectory files = new NodeDirectory(directory.resolve("node0"));
            Member member = Member.read(files);
            List<String> progress = new ArrayList<>();
            PresentTerms terms = PresentTerms.of(files.root(), member, TIMEOUT_MS, progress::add);
            Node node = member.genesis().genesis().getNodes(0);

            assertThat(terms.get()).isEqualTo(member.genesis().genesis());
            assertThat(progress)
                    .containsExactly("no node runs at " + HOST + ":" + node.getGatewayPort()
                            + ", which refuses the connection: the terms of the genesis file count, without what"
                            + " transactions have changed since");
            try (ServerSocket rude =
                    new ServerSocket(node.getGatewayPort(), 1, InetAddress.getByName(node.getHost()))) {
                Thread closing = Thread.ofVirtual().start(() -> closeAll(rude));
                assertThatThrownBy(terms::get).isInstanceOf(OperatingFailureException.class);
                rude.close();
                closing.join();
            }
            try (ServerSocket silent =
                    new ServerSocket(node.getGatewayPort(), 1, InetAddress.getByName(node.getHost()))) {
                assertThat(silent.isBound()).isTrue();
                assertThatThrownBy(terms::get)
                        .isInstanceOf(OperatingFailureException.class)
                        .hasMessageContaining("no terms from " + HOST + ":" + node.getGatewayPort());
            }
            assertThat(terms.get()).isEqualTo(member.genesis().genesis());
        }
    }

    /** On a machine without a network: nothing tells whether the node runs, and nothing changes by waiting. */
    @Test
    void shouldNameTheProofAtOnceIfTheNodeCannotBeReached() throws Exception {
        write("nowhere.invalid", FIRST_PORT);
        NodeDirectory files = new NodeDirectory(directory.resolve("node0"));
        PresentTerms terms = PresentTerms.of(files.root(), Member.read(files), PATIENCE_MS, line -> {});

        assertThatThrownBy(terms::get)
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining("no terms from nowhere.invalid:")
                .hasMessageContaining("--membership FILE");
    }

    /** A node that restarts, or a loaded machine, breaks a connection that it has taken. */
    @Test
    void shouldAskAgainIfTheConnectionBreaks() throws Exception {
        try (PortBlock ports = PortBlock.take(NODES * PORTS_PER_NODE)) {
            write(ports);
            NodeDirectory files = new NodeDirectory(directory.resolve("node0"));
            Member member = Member.read(files);
            Node node = member.genesis().genesis().getNodes(0);
            Genesis present =
                    member.genesis().genesis().toBuilder().clearBrokers().build();
            AtomicInteger asked = new AtomicInteger();
            List<String> progress = new ArrayList<>();
            Server breaking = NettyServerBuilder.forAddress(new InetSocketAddress(HOST, node.getGatewayPort()))
                    .addService(new OrderGatewayGrpc.OrderGatewayImplBase() {
                        @Override
                        public void getMembership(GetMembershipRequest request, StreamObserver<MembershipView> answer) {
                            if (asked.incrementAndGet() <= 2) {
                                answer.onError(Status.UNAVAILABLE
                                        .withDescription("Network closed for unknown reason")
                                        .asRuntimeException());
                                return;
                            }
                            answer.onNext(MembershipView.newBuilder()
                                    .setTerms(present)
                                    .build());
                            answer.onCompleted();
                        }
                    })
                    .build()
                    .start();
            try {
                assertThat(PresentTerms.of(files.root(), member, PATIENCE_MS, progress::add)
                                .get())
                        .isEqualTo(present);
            } finally {
                breaking.shutdownNow().awaitTermination();
            }
            assertThat(progress)
                    .singleElement()
                    .asString()
                    .contains("asking again for up to", "UNAVAILABLE: Network closed for unknown reason");
        }
    }

    /** A node that restarts refuses connections until its virtual machine has started. */
    @Test
    void shouldNotTakeTheGenesisFileIfANodeStopsMeanwhile() throws Exception {
        try (PortBlock ports = PortBlock.take(NODES * PORTS_PER_NODE)) {
            write(ports);
            NodeDirectory files = new NodeDirectory(directory.resolve("node0"));
            Member member = Member.read(files);
            Node node = member.genesis().genesis().getNodes(0);
            Server stopping = NettyServerBuilder.forAddress(new InetSocketAddress(HOST, node.getGatewayPort()))
                    .addService(new OrderGatewayGrpc.OrderGatewayImplBase() {
                        @Override
                        public void getMembership(GetMembershipRequest request, StreamObserver<MembershipView> answer) {
                            answer.onError(Status.UNAVAILABLE
                                    .withDescription("Network closed for unknown reason")
                                    .asRuntimeException());
                        }
                    })
                    .build()
                    .start();
            try {
                // The line comes between the first connection, which breaks, and the second one, which is refused.
                PresentTerms terms = PresentTerms.of(files.root(), member, RESTART_MS, line -> stop(stopping));

                assertThatThrownBy(terms::get)
                        .isInstanceOf(OperatingFailureException.class)
                        .hasMessageContaining("no terms from " + HOST + ":" + node.getGatewayPort());
            } finally {
                stop(stopping);
            }
        }
    }

    private static void stop(Server server) {
        try {
            server.shutdownNow().awaitTermination();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As a port does that is full. */
    private static void closeAll(ServerSocket port) {
        try {
            while (true) {
                port.accept().close();
            }
        } catch (IOException e) {
            // The port is closed.
        }
    }

    private void write(PortBlock ports) throws Exception {
        write(HOST, ports.base());
    }

    private void write(String host, int firstPort) throws Exception {
        TestnetPlan plan = new TestnetPlan(
                4711,
                List.of(host),
                NODES,
                firstPort,
                PORTS_PER_NODE,
                HOST,
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                List.of(SignatureScheme.ECDSA_SECP256K1_SHA256),
                List.of(),
                List.of(InstrumentSpec.parse("1:TEST:2:1:200000:1000000")),
                Parameters.getDefaultInstance(),
                false,
                List.of());
        new TestnetWriter(directory, plan).write(false);
    }
}
