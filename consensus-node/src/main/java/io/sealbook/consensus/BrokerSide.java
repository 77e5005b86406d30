package io.sealbook.consensus;

import io.sealbook.access.role.PortSecurity;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.agent.AgreementFeed;
import io.sealbook.consensus.agent.NodeLoop;
import io.sealbook.consensus.endpoint.EndpointExchange;
import io.sealbook.consensus.gateway.ArchiveProofs;
import io.sealbook.consensus.gateway.BlockFeedService;
import io.sealbook.consensus.gateway.Followers;
import io.sealbook.consensus.gateway.GatewayContext;
import io.sealbook.consensus.gateway.GatewayRefusals;
import io.sealbook.consensus.gateway.GatewayRules;
import io.sealbook.consensus.gateway.GatewayServer;
import io.sealbook.consensus.gateway.HeadSigner;
import io.sealbook.consensus.gateway.LimitedService;
import io.sealbook.consensus.gateway.OrderGatewayService;
import io.sealbook.consensus.gateway.ReadBudget;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.ingress.LaneStages;
import io.sealbook.consensus.ingress.LoopIngress;
import io.sealbook.consensus.ingress.RingIngress;
import io.sealbook.consensus.storage.NodeStorage;
import io.sealbook.node.NodeCore;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.protocol.v1.NodeStatus;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The brokers' side of a node: the ring that admits batches, and the gateway with what it serves. */
final class BrokerSide {
    private final NodeContext context;
    private final AgreementSide agreement;
    final Followers followers;
    final Followers feedFollowers;
    final Ingress ingress;
    final GatewayServer gateway;
    final EndpointExchange exchange;

    /**
     * Opens everything; starts nothing. The ring closes before the threads of agreement: what is in it gets its
     * verdict. Its own threads are awaited after those: one may wait for room in agreement's inbox.
     *
     * @param context of the node
     * @param storage its open files
     * @param agreement takes admitted batches, has its peers' batches admitted
     * @param further services of the gateway
     * @param status answers GetNodeStatus
     */
    BrokerSide(
            NodeContext context,
            NodeStorage storage,
            AgreementSide agreement,
            List<LimitedService> further,
            Supplier<NodeStatus> status) {
        this.context = context;
        this.agreement = agreement;
        followers = followers();
        agreement.threads.addOnPath("followers", followers);
        feedFollowers = followers();
        agreement.threads.add("feed", feedFollowers);
        ingress = context.parts().add(ingress());
        agreement.gate.connect(agreement.core, agreement.speech, ingress);
        gateway = context.parts().add(gateway(services(orders(storage, status), feed(storage), further)));
        exchange = context.parts().add(new EndpointExchange(context.nodeId(), agreement.endpoints, access()));
    }

    private MemberGateway.Access access() {
        return MemberGateway.Access.ofMember(
                context.member().genesis().genesis(),
                context.tls(),
                context.nodeId(),
                context.member().identity());
    }

    private Followers followers() {
        Followers created = new Followers(
                agreement.core.blocks(),
                context.metrics()::followerCut,
                new ReadBudget(context.config().feed().archiveBytesPerSecond()),
                context.config().receiptStallMs());
        agreement.core.blocks().onCommitted(created::signal);
        return created;
    }

    private Ingress ingress() {
        IngressContext limits = new IngressContext(
                context.nodeId(),
                agreement.core.membership().epoch().nodeCount(),
                context.config().ingress(),
                context.verifier()
                        .preferredBatch()
                        .atMost(context.config().experiment().verifyBatchMax()),
                context.metrics(),
                agreement.failures);
        LaneStages stages = new CoreStages(agreement.core);
        Admission admission = agreement.core.admission(
                new AgreementFeed(agreement.core.spreading(), context.state(), agreement.inbox));
        if (agreement.loop.isEmpty()) {
            RingIngress ring = new RingIngress(limits, stages, admission);
            agreement.afterThreads.add(ring::awaitEnd);
            return ring;
        }
        LoopIngress onLoop = new LoopIngress(limits, agreement.loop.get(), stages, admission, agreement.inbox::room);
        agreement.threads.addOnPath("ingress", onLoop);
        return onLoop;
    }

    private OrderGatewayService orders(NodeStorage storage, Supplier<NodeStatus> status) {
        GatewayContext served = new GatewayContext(
                context.nodeId(),
                ingress,
                agreement.core.blocks(),
                agreement.core.sessions(),
                agreement.core.membership(),
                agreement.endpoints,
                new ArchiveProofs(storage.archive()),
                context.state(),
                context.metrics(),
                context.config().ingress().submitInFlightMax(),
                status);
        return new OrderGatewayService(served, followers, agreement.service);
    }

    /** Followers on other machines have a thread of their own: one that is far behind delays no receipt. */
    private BlockFeedService feed(NodeStorage storage) {
        HeadSigner heads = new HeadSigner(
                context.nodeId(),
                context.member().genesis().genesis().getChainId(),
                context.state(),
                context.member().identity());
        return new BlockFeedService(storage.archive(), heads, feedFollowers);
    }

    private List<LimitedService> services(
            OrderGatewayService orders, BlockFeedService feed, List<LimitedService> further) {
        List<LimitedService> services = new ArrayList<>(further);
        services.add(orders.limited());
        services.add(feed.limited(context.config().feed()));
        return services;
    }

    private GatewayServer gateway(List<LimitedService> services) {
        InetSocketAddress address = new InetSocketAddress(
                context.config().network().bindAddress(), agreement.self().getGatewayPort());
        return new GatewayServer(
                address,
                PortSecurity.of(
                        context.tls(),
                        () -> agreement.core.membership().membership().terms(),
                        GatewayRules.ALL),
                context.config().gateway(),
                new GatewayRefusals(
                        "node " + context.nodeId(),
                        "sealbook_node_gateway",
                        context.metrics()::gatewayConnectionRefused,
                        context.metrics()::gatewayReadRefused,
                        context.metrics()::gatewayRateRefused),
                services,
                agreement.loop.map(NodeLoop::group));
    }

    private record CoreStages(NodeCore core) implements LaneStages {
        @Override
        public DecodeStage decoding() {
            return core.decodeStage();
        }

        @Override
        public SignatureStage collecting(int batchMax) {
            return core.signatureStage(batchMax);
        }
    }
}
