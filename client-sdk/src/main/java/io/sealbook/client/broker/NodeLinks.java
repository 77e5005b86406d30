package io.sealbook.client.broker;

import io.sealbook.client.ConnectionReport;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.EngineLink;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.connection.LinkConfig;
import io.sealbook.client.connection.MembershipEvents;
import io.sealbook.client.connection.NodeAddress;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.client.reports.ReportPipeline;
import io.sealbook.client.submission.SubmissionPipeline;
import io.sealbook.protocol.v1.Node;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The links to the gateways and engines of the present nodes. Nodes that move are followed; what nodes said that are
 * none any more, or whose machine is another one now, is forgotten, and f follows their number. The loop thread changes
 * the lists, any thread reads them.
 */
final class NodeLinks {
    private static final System.Logger log = System.getLogger(NodeLinks.class.getName());

    private final AnswerQuorum quorum;
    private final ClientLoop loop;
    private final LinkConfig config;
    private final ClientCounters counters;
    private final MembershipEvents membership;
    private final SubmissionPipeline submission;
    private final Optional<ReportPipeline> reports;
    /** The only node whose engine is asked for reports; empty: each. */
    private final OptionalInt trusted;

    private final List<GatewayLink> gateways = new CopyOnWriteArrayList<>();
    private final List<EngineLink> engines = new CopyOnWriteArrayList<>();
    private List<Node> nodes;
    private boolean isClosed;

    /**
     * Makes links to these nodes; none is started.
     *
     * @param nodes by their ids
     * @param quorum is resized with the nodes
     * @param settings whom to trust, and how to connect
     * @param loop on which links run
     * @param counters reconnects are counted there
     * @param membership gets what nodes report about the chain
     * @param submission gets receipts and replies
     * @param reports gets reports; empty if none are wanted
     */
    NodeLinks(
            List<Node> nodes,
            AnswerQuorum quorum,
            BrokerClientBuilder settings,
            ClientLoop loop,
            ClientCounters counters,
            MembershipEvents membership,
            SubmissionPipeline submission,
            Optional<ReportPipeline> reports) {
        this.nodes = nodes;
        this.quorum = quorum;
        this.config = settings.linkConfig();
        this.trusted = settings.agreement.trustedNodeId();
        this.loop = loop;
        this.counters = counters;
        this.membership = membership;
        this.submission = submission;
        this.reports = reports;
        nodes.forEach(node -> {
            addGateway(node);
            addEngine(node);
        });
    }

    private GatewayLink addGateway(Node node) {
        GatewayLink link = new GatewayLink(NodeAddress.gatewayOf(node), config, loop, submission.events(), counters);
        link.followMembership(membership);
        gateways.add(link);
        return link;
    }

    private Optional<EngineLink> addEngine(Node node) {
        if (reports.isEmpty() || trusted.orElse(node.getNodeId()) != node.getNodeId()) {
            return Optional.empty();
        }
        EngineLink link = new EngineLink(
                NodeAddress.engineOf(node), config, loop, reports.get().events(), counters);
        engines.add(link);
        return Optional.of(link);
    }

    /**
     * Starts all links.
     *
     * @param homeNode id of the node that batches are sent to while it is healthy
     * @return completed when batches can be sent and it is known with which report the delivery begins; fails if
     *     engines do not keep this report any more, and have said so before
     */
    CompletableFuture<Void> start(int homeNode) {
        CompletableFuture<Void> ready = submission.start(gateways, homeNode);
        CompletableFuture<Void> begun = CompletableFuture.allOf(
                ready, reports.map(each -> each.start(engines)).orElse(CompletableFuture.completedFuture(null)));
        reports.ifPresent(each -> each.lost().exceptionally(failure -> {
            begun.completeExceptionally(failure);
            return null;
        }));
        return begun;
    }

    /**
     * Takes other nodes, keys or addresses; loop thread.
     *
     * @param present by their ids, which begin at 0 and have no gaps
     * @throws IllegalArgumentException if they are more than a chain has; nothing has changed then
     */
    void follow(List<Node> present) {
        if (isClosed) {
            return;
        }
        quorum.resize(present.size());
        for (int id = nodes.size() - 1; id >= present.size(); id--) {
            remove(id);
        }
        for (Node node : present) {
            int id = node.getNodeId();
            if (id >= nodes.size()) {
                addGateway(node).start();
                addEngine(node).ifPresent(link -> reports.orElseThrow().added(link));
            } else if (node.getIdentity().equals(nodes.get(id).getIdentity())) {
                gateways.get(id).moveTo(NodeAddress.gatewayOf(node));
                engine(id).ifPresent(link -> link.moveTo(NodeAddress.engineOf(node)));
            } else {
                submission.forget(id);
                gateways.get(id).replaceAt(NodeAddress.gatewayOf(node));
                engine(id).ifPresent(link -> {
                    link.replaceAt(NodeAddress.engineOf(node));
                    reports.orElseThrow().replaced(link);
                });
            }
        }
        nodes = present;
    }

    private void remove(int nodeId) {
        GatewayLink gateway = gateways.remove(nodeId);
        submission.forget(nodeId);
        gateway.leave();
        engine(nodeId).ifPresent(link -> {
            engines.remove(link);
            link.close();
            reports.orElseThrow().removed(link);
            if (trusted.isPresent()) {
                log.log(Level.WARNING, "node {0}, whose engine is trusted, has left: no reports come", nodeId);
            }
        });
    }

    private Optional<EngineLink> engine(int nodeId) {
        return engines.stream().filter(link -> link.nodeId() == nodeId).findFirst();
    }

    /** Returns the present nodes, where they are; loop thread. */
    List<Node> nodes() {
        return nodes;
    }

    /** Returns the links to the gateways of the present nodes; loop thread. */
    List<GatewayLink> gateways() {
        return gateways;
    }

    /** Returns the state of each endpoint. For one that does not answer it tries name and port, at most 1 s each. */
    ConnectionReport report() {
        List<ConnectionReport.Endpoint> endpoints = new ArrayList<>();
        gateways.forEach(each -> endpoints.add(each.report()));
        engines.forEach(each -> endpoints.add(each.report()));
        return new ConnectionReport(endpoints);
    }

    /** Closes all links for good; loop thread. */
    void close() {
        isClosed = true;
        gateways.forEach(GatewayLink::close);
        engines.forEach(EngineLink::close);
    }

    /**
     * Waits for the ends of their channels; any thread, after {@link #close}.
     *
     * @param timeoutNs longest wait for each
     */
    void awaitTermination(long timeoutNs) throws InterruptedException {
        for (GatewayLink gateway : gateways) {
            gateway.awaitTermination(timeoutNs);
        }
        for (EngineLink engine : engines) {
            engine.awaitTermination(timeoutNs);
        }
    }
}
