package io.sealbook.engine.console;

import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks every gateway of the genesis file for its node's state, so that a browser need not reach the nodes. */
@RestController
class NodeController {
    private static final long DEADLINE_MS = 800;
    private static final long KEPT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ChannelCredentials credentials;
    private final List<Node> nodes;
    private final Map<Integer, ManagedChannel> channels = new ConcurrentHashMap<>();
    private List<NodeView> kept = List.of();
    private long keptNs;

    /**
     * Connects when it is asked first.
     *
     * @param market names the nodes
     * @param tls to connect with
     */
    NodeController(AgreedMarket market, EngineTls tls) {
        credentials = TlsPorts.channel(tls.identity());
        nodes = market.genesis().getNodesList();
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
    void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }

    private List<NodeView> ask() {
        List<Future<NodeStatus>> answers = new ArrayList<>();
        for (Node node : nodes) {
            ManagedChannel channel = channels.computeIfAbsent(node.getNodeId(), id -> open(node));
            if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                // A node that comes back should be seen soon, not after the channel's growing pauses.
                channel.resetConnectBackoff();
            }
            answers.add(OrderGatewayGrpc.newFutureStub(channel)
                    .withDeadlineAfter(DEADLINE_MS, TimeUnit.MILLISECONDS)
                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance()));
        }
        List<NodeView> views = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            views.add(view(nodes.get(i), answers.get(i)));
        }
        return views;
    }

    private static NodeView view(Node node, Future<NodeStatus> answer) {
        try {
            return NodeView.of(node, answer.get(2 * DEADLINE_MS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException | StatusRuntimeException e) {
            return NodeView.unreachable(node);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NodeView.unreachable(node);
        }
    }

    private ManagedChannel open(Node node) {
        return NettyChannelBuilder.forAddress(node.getHost(), node.getGatewayPort(), credentials)
                .directExecutor()
                .build();
    }
}
