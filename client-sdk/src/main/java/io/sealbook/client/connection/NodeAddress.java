package io.sealbook.client.connection;

import io.grpc.ManagedChannel;
import io.sealbook.client.ConnectionReport;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.UnreachableChannel;

/**
 * Where one server of a node listens.
 *
 * @param nodeId from 0, as in the genesis file
 * @param role which of the node's servers
 * @param host name or address
 * @param port 1..65535
 */
public record NodeAddress(int nodeId, ConnectionReport.Role role, String host, int port) {
    /** Returns the gateway of a node. */
    public static NodeAddress gatewayOf(Node node) {
        return new NodeAddress(node.getNodeId(), ConnectionReport.Role.GATEWAY, node.getHost(), node.getGatewayPort());
    }

    /** Returns the engine of a node. */
    public static NodeAddress engineOf(Node node) {
        return new NodeAddress(node.getNodeId(), ConnectionReport.Role.ENGINE, node.getHost(), node.getEnginePort());
    }

    /** Opens a new channel to it, which the caller shuts down; its calls fail if the factory refuses the address. */
    ManagedChannel open(LinkConfig config) {
        return UnreachableChannel.unless(() -> config.channels().open(nodeId, role, host, port));
    }

    /**
     * Returns a report on it.
     *
     * @param step how far a connection came
     * @param detail of a failure what was seen, else empty
     */
    ConnectionReport.Endpoint at(ConnectionReport.Step step, String detail) {
        return new ConnectionReport.Endpoint(nodeId, role, host, port, step, detail);
    }
}
