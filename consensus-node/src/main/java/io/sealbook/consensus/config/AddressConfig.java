package io.sealbook.consensus.config;

import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.HostPort;

/**
 * Where others reach this node, as far as its operator says. What is left open is as the genesis file, or the
 * transaction that replaced the node, says.
 *
 * @param host name or address; empty if left open
 * @param votePort 0 if left open
 * @param payloadPort 0 if left open
 * @param gatewayPort 0 if left open
 * @param enginePort 0 if left open; the engine's own settings name the port that it opens
 */
public record AddressConfig(String host, int votePort, int payloadPort, int gatewayPort, int enginePort) {
    private static final int PORT_MAX = 0xFFFF;

    public AddressConfig {
        ConfigException.require(
                host.isEmpty() || HostPort.isHost(host), "address.host=" + host + " is no " + HostPort.HOST_FORM);
        require("vote-port", votePort);
        require("payload-port", payloadPort);
        require("gateway-port", gatewayPort);
        require("engine-port", enginePort);
    }

    private static void require(String key, int port) {
        ConfigException.require(0 <= port && port <= PORT_MAX, "address." + key + "=" + port + " is no port");
    }

    /** Reads the settings. */
    static AddressConfig of(Settings settings) {
        return new AddressConfig(
                settings.text("address.host", ""),
                settings.integer("address.vote-port", "0"),
                settings.integer("address.payload-port", "0"),
                settings.integer("address.gateway-port", "0"),
                settings.integer("address.engine-port", "0"));
    }

    /**
     * Returns the node at the addresses that are wanted.
     *
     * @param node this one, as the membership names it
     */
    public Node over(Node node) {
        Node.Builder wanted = node.toBuilder();
        if (!host.isEmpty()) {
            wanted.setHost(host);
        }
        if (votePort != 0) {
            wanted.setVotePort(votePort);
        }
        if (payloadPort != 0) {
            wanted.setPayloadPort(payloadPort);
        }
        if (gatewayPort != 0) {
            wanted.setGatewayPort(gatewayPort);
        }
        if (enginePort != 0) {
            wanted.setEnginePort(enginePort);
        }
        return wanted.build();
    }
}
