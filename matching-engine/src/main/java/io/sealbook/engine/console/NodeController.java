package io.sealbook.engine.console;

import io.sealbook.access.TlsPorts;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks the gateway of every present node for its state, so that a browser need not reach the nodes. */
@RestController
class NodeController {
    private static final long DEADLINE_MS = 800;
    private static final long KEPT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final PresentGateways gateways;
    private List<NodeView> kept = List.of();
    private long keptNs;

    /**
     * Connects when it is asked first.
     *
     * @param market names the nodes
     * @param tls to connect with
     */
    NodeController(AgreedMarket market, EngineTls tls) {
        gateways = new PresentGateways(market, TlsPorts.channel(tls.identity()));
    }

    /** @param state the node's own word, or UNREACHABLE, when the rest is zero */
    record NodeView(
            int nodeId,
            String name,
            String state,
            long view,
            int primary,
            long lastDelivered,
            long lastExecuted,
            long stableCheckpoint,
            int pendingBatches,
            long committedBatches,
            long committedOrders,
            int connectedPeers,
            String resultDigest,
            String verifier,
            String durability) {
        static NodeView of(Node node, NodeStatus status) {
            return new NodeView(
                    node.getNodeId(),
                    node.getName(),
                    status.getState(),
                    status.getView(),
                    status.getPrimary(),
                    status.getLastDelivered(),
                    status.getLastExecuted(),
                    status.getStableCheckpoint(),
                    status.getPendingBatches(),
                    status.getCommittedBatches(),
                    status.getCommittedOrders(),
                    status.getConnectedPeersCount(),
                    HexFormat.of().formatHex(status.getResultDigest().toByteArray()),
                    status.getVerifier(),
                    status.getDurability());
        }

        static NodeView unreachable(Node node) {
            return new NodeView(node.getNodeId(), node.getName(), "UNREACHABLE", 0, 0, 0, 0, 0, 0, 0, 0, 0, "", "", "");
        }
    }

    /** Returns all nodes in order; answers are kept for half a second, so that many browsers ask the nodes once. */
    @GetMapping("/api/nodes")
    synchronized List<NodeView> nodes() {
        long nowNs = System.nanoTime();
        if (kept.isEmpty() || nowNs - keptNs > KEPT_NS) {
            kept = ask();
            keptNs = System.nanoTime();
        }
        return kept;
    }

    @PreDestroy
    synchronized void close() {
        gateways.close();
    }

    private List<NodeView> ask() {
        List<Node> nodes = gateways.nodes();
        List<Future<NodeStatus>> answers = nodes.stream()
                .<Future<NodeStatus>>map(node -> stub(node).getNodeStatus(GetNodeStatusRequest.getDefaultInstance()))
                .toList();
        List<NodeView> views = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            Optional<NodeStatus> status = answer(answers.get(i));
            views.add(status.map(own -> NodeView.of(node, own)).orElseGet(() -> NodeView.unreachable(node)));
            status.ifPresent(own -> askAddresses(node, own.getEndpointSerials()));
        }
        return views;
    }

    /** Reads the signed addresses that a node has, for the next time, if they have changed. */
    private void askAddresses(Node node, long serials) {
        if (gateways.mayHaveNews(node.getNodeId(), serials)) {
            answer(stub(node).getEndpoints(GetEndpointsRequest.getDefaultInstance()))
                    .ifPresent(answer -> gateways.take(node.getNodeId(), serials, answer.getRecordsList()));
        }
    }

    private OrderGatewayGrpc.OrderGatewayFutureStub stub(Node node) {
        return OrderGatewayGrpc.newFutureStub(gateways.channel(node))
                .withDeadlineAfter(DEADLINE_MS, TimeUnit.MILLISECONDS);
    }

    private static <T> Optional<T> answer(Future<T> answer) {
        try {
            return Optional.of(answer.get(2 * DEADLINE_MS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
