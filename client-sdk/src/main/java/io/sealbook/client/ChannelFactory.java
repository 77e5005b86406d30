package io.sealbook.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;

/**
 * Opens the gRPC channel to an endpoint; which transport carries it is whatever the application has on its class path.
 */
@FunctionalInterface
public interface ChannelFactory {

    /**
     * Returns a new channel, which the client will shut down.
     *
     * @param nodeId the node, from 0
     * @param role which of its servers
     * @param host name or address, from the genesis file
     * @param port 1..65535
     */
    ManagedChannel open(int nodeId, ConnectionReport.Role role, String host, int port);

    /** Unencrypted, for one machine or a network that protects by itself. */
    static ChannelFactory plaintext() {
        return with(InsecureChannelCredentials.create());
    }

    /** The same credentials for every endpoint, such as {@code TlsChannelCredentials} with trust and key managers. */
    static ChannelFactory with(ChannelCredentials credentials) {
        // The client's callbacks only hand over to its loop, so the transport's threads may run them.
        return (nodeId, role, host, port) -> Grpc.newChannelBuilderForAddress(host, port, credentials)
                .directExecutor()
                .build();
    }
}
