package io.sealbook.engine.console;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.crypto.Signer;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.facts.Facts;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.ports.HeldPort;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.EndpointRecords;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.endpoint.SignedEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The console's page of nodes while they move, come and go. */
class NodeControllerTest {
    private final List<AutoCloseable> open = new ArrayList<>();
    private volatile List<EndpointRecord> records = List.of();
    /** Whether gateways take questions and do not answer. */
    private volatile boolean isSilent;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void shouldShowThePresentNodesWhereTheyAre() throws Exception {
        Genesis.Builder terms = TestMarket.genesis(port()).toBuilder();
        for (int i = 0; i < terms.getNodesCount(); i++) {
            terms.getNodesBuilder(i).setGatewayPort(i == 0 ? gateway() : port());
        }
        Signer moved = TestAdministration.key(1).signer();
        terms.getNodesBuilder(1).setIdentity(keyOf(moved));
        AgreedMarket market = new AgreedMarket(
                GenesisFile.parse(GenesisFile.toJson(terms.build()).getBytes(StandardCharsets.UTF_8)));
        NodeController console = new NodeController(market, EngineTls.OFF);
        open.add(console::close);

        awaitStates(console, "NORMAL", "UNREACHABLE", "UNREACHABLE", "UNREACHABLE");

        Node there = terms.getNodes(1).toBuilder().setGatewayPort(gateway()).build();
        records = List.of(
                SignedEndpoint.sign(TestMarket.CHAIN_ID, 3, 1, there, moved).record());
        awaitStates(console, "NORMAL", "NORMAL", "UNREACHABLE", "UNREACHABLE");

        Node added = Node.newBuilder()
                .setNodeId(4)
                .setName("node4")
                .setHost("127.0.0.1")
                .setGatewayPort(gateway())
                .setIdentity(keyOf(TestAdministration.key(5).signer()))
                .build();
        market.follow(ChainTerms.of(market.genesis().toBuilder().addNodes(added).build()));
        awaitStates(console, "NORMAL", "NORMAL", "UNREACHABLE", "UNREACHABLE", "NORMAL");

        market.follow(ChainTerms.of(market.genesis()));
        awaitStates(console, "NORMAL", "NORMAL", "UNREACHABLE", "UNREACHABLE");
    }

    @Test
    void shouldNotCallANodeUnreachableThatIsSlow() throws Exception {
        Genesis.Builder terms = TestMarket.genesis(port()).toBuilder();
        for (int i = 0; i < terms.getNodesCount(); i++) {
            terms.getNodesBuilder(i).setGatewayPort(i == 0 ? gateway() : port());
        }
        isSilent = true;
        NodeController console = new NodeController(
                new AgreedMarket(
                        GenesisFile.parse(GenesisFile.toJson(terms.build()).getBytes(StandardCharsets.UTF_8))),
                EngineTls.OFF);
        open.add(console::close);

        awaitStates(console, "SLOW", "UNREACHABLE", "UNREACHABLE", "UNREACHABLE");

        awaitReason(console, 0, "no answer in 800 ms");
        awaitReason(console, 3, "refused");
        isSilent = false;
        awaitStates(console, "NORMAL", "UNREACHABLE", "UNREACHABLE", "UNREACHABLE");
        Facts.await(
                "a node that answers without a reason",
                () -> console.nodes().getFirst().reason().isEmpty());
    }

    private static void awaitReason(NodeController console, int node, String part) throws Exception {
        Facts.await(
                "reason of node " + node + ": " + part,
                () -> console.nodes().get(node).reason().contains(part));
    }

    private static void awaitStates(NodeController console, String... states) throws Exception {
        Facts.await(
                () -> "the nodes' states, last " + console.nodes(),
                () -> console.nodes().stream()
                        .map(NodeController.NodeView::state)
                        .toList()
                        .equals(List.of(states)));
    }

    private int port() {
        HeldPort port = new HeldPort();
        open.add(port::close);
        return port.number();
    }

    private int gateway() throws IOException {
        int port = port();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .addService(new Gateway())
                .build()
                .start();
        open.add(0, server::shutdownNow);
        return port;
    }

    private static PublicKey keyOf(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }

    private final class Gateway extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> response) {
            if (isSilent) {
                return;
            }
            long serials = records.stream()
                    .mapToLong(record ->
                            SignedEndpoint.read(record, TestMarket.CHAIN_ID).serial())
                    .sum();
            response.onNext(NodeStatus.newBuilder()
                    .setState("NORMAL")
                    .setEndpointSerials(serials)
                    .build());
            response.onCompleted();
        }

        @Override
        public void getEndpoints(GetEndpointsRequest request, StreamObserver<EndpointRecords> response) {
            response.onNext(EndpointRecords.newBuilder().addAllRecords(records).build());
            response.onCompleted();
        }
    }
}
