package io.sealbook.consensus;

import io.sealbook.consensus.agent.AgreementFeed;
import io.sealbook.consensus.gateway.ArchiveProofs;
import io.sealbook.consensus.gateway.Followers;
import io.sealbook.consensus.gateway.GatewayContext;
import io.sealbook.consensus.gateway.GatewayServer;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.ingress.IngressContext;
import io.sealbook.consensus.storage.NodeStorage;
import io.sealbook.protocol.v1.NodeStatus;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** The brokers' side of a node: the ring that admits batches, and the gateway with what it serves. */
final class BrokerSide {
    private final NodeContext context;
    private final AgreementSide agreement;
    final Followers followers;
    final Ingress ingress;
    final GatewayServer gateway;

    /**
     * Opens everything; starts nothing. The ring closes before the threads of agreement: what is in it gets its verdict.
     *
     * @param context of the node
     * @param storage its open files
     * @param agreement takes admitted batches, has its peers' batches admitted
     * @param status answers GetNodeStatus
     */
    BrokerSide(NodeContext context, NodeStorage storage, AgreementSide agreement, Supplier<NodeStatus> status) {
        this.context = context;
        this.agreement = agreement;
        followers = followers();
        ingress = context.parts().add(ingress());
        agreement.gate.connect(agreement.core, agreement.transport, ingress);
        gateway = context.parts().add(gateway(new ArchiveProofs(storage.archive()), status));
    }

    private Followers followers() {
        Followers created = new Followers(
                agreement.core.blocks(), context.metrics(), context.config().receiptStallMs());
        agreement.core.blocks().onCommitted(created::signal);
        agreement.threads.add("followers", created);
        return created;
    }

    private Ingress ingress() {
        return new Ingress(
                new IngressContext(context.nodeId(), context.config().ingress(), context.metrics(), agreement.failures),
                () -> agreement.core.signatureStage(
                        context.config().experiment().verifyBatchMax()),
                agreement.core.admission(
                        new AgreementFeed(agreement.core.spreading(), context.state(), agreement.inbox)));
    }

    private GatewayServer gateway(ArchiveProofs proofs, Supplier<NodeStatus> status) {
        GatewayContext served = new GatewayContext(
                context.nodeId(),
                ingress,
                agreement.core.blocks(),
                proofs,
                context.state(),
                context.metrics(),
                context.config().ingress().submitInFlightMax(),
                status);
        InetSocketAddress address = new InetSocketAddress(
                context.config().network().bindAddress(),
                context.member().self().getGatewayPort());
        return new GatewayServer(address, context.config().gateway(), served, followers, agreement.service);
    }
}
