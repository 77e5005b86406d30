package io.sealbook.engine.console;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sealbook.access.TlsPorts;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.v1.EndpointRecords;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks the gateway of every present node for its state, so that a browser need not reach the nodes. */
@RestController
class NodeController {
    private static final Logger log = LoggerFactory.getLogger(NodeController.class);
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

    /**
     * @param state the node's own word; without its answer SLOW if it is connected, else UNREACHABLE, and all that
     *     follows but the reason is zero or empty
     * @param reason why there is no answer; empty with one
     */
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
            String durability,
            String reason) {
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
                    status.getDurability(),
                    "");
        }

        static NodeView without(Node node, String state, String reason) {
            return new NodeView(node.getNodeId(), node.getName(), state, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", "", "", reason);
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
            try {
                NodeStatus status = await(answers.get(i));
                views.add(NodeView.of(node, status));
                askAddresses(node, status.getEndpointSerials());
            } catch (StatusRuntimeException e) {
                views.add(without(node, e));
            }
        }
        return views;
    }

    /** A node that is connected and does not answer in time is not gone. */
    private NodeView without(Node node, StatusRuntimeException failure) {
        if (failure.getStatus().getCode() != Status.Code.DEADLINE_EXCEEDED) {
            return NodeView.without(node, "UNREACHABLE", origin(failure));
        }
        return gateways.isConnected(node)
                ? NodeView.without(node, "SLOW", "no answer in " + DEADLINE_MS + " ms")
                : NodeView.without(node, "UNREACHABLE", "no connection in " + DEADLINE_MS + " ms");
    }

    private static String origin(StatusRuntimeException failure) {
        Throwable origin = failure;
        while (origin.getCause() != null) {
            origin = origin.getCause();
        }
        String said = origin == failure ? failure.getStatus().getDescription() : origin.getMessage();
        String fact = said == null ? origin.toString() : said;
        return (failure.getStatus().getCode() + ": " + fact).lines().findFirst().orElseThrow();
    }

    /** Reads the signed addresses that a node has, for the next time, if they have changed. */
    private void askAddresses(Node node, long serials) {
        if (gateways.mayHaveNews(node.getNodeId(), serials)) {
            try {
                EndpointRecords answer = await(stub(node).getEndpoints(GetEndpointsRequest.getDefaultInstance()));
                gateways.take(node.getNodeId(), serials, answer.getRecordsList());
            } catch (StatusRuntimeException e) {
                log.debug("node {} sends no addresses: {}", node.getNodeId(), e.getMessage());
            }
        }
    }

    private OrderGatewayGrpc.OrderGatewayFutureStub stub(Node node) {
        return OrderGatewayGrpc.newFutureStub(gateways.channel(node))
                .withDeadlineAfter(DEADLINE_MS, TimeUnit.MILLISECONDS);
    }

    /** Its deadline ends each call. */
    private static <T> T await(Future<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw Status.fromThrowable(e.getCause()).asRuntimeException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.CANCELLED.withDescription("interrupted").asRuntimeException();
        }
    }
}
