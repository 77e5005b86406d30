package io.sealbook.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

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
     * @param host name or address, from the genesis file, the chain or the node itself
     * @param port 1..65535
     * @throws IllegalArgumentException if no channel can be built to the address; the endpoint counts as down
     */
    ManagedChannel open(int nodeId, ConnectionReport.Role role, String host, int port);

    /** Unencrypted, for one machine or a network that protects by itself. */
    static ChannelFactory plaintext() {
        return with(InsecureChannelCredentials.create());
    }

    /**
     * TLS with the program's own managers, for one that names no type of gRPC: these have other names in
     * {@code client-sdk-bundle}.
     *
     * @param keys show the broker's certificate; null for none
     * @param trust check the certificate of a node or engine; null for the authorities of the Java installation
     */
    static ChannelFactory tls(KeyManager[] keys, TrustManager[] trust) {
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
        if (keys != null) {
            credentials.keyManager(keys);
        }
        if (trust != null) {
            credentials.trustManager(trust);
        }
        return with(credentials.build());
    }

    /** The same credentials for every endpoint, such as {@code TlsChannelCredentials} with trust and key managers. */
    static ChannelFactory with(ChannelCredentials credentials) {
        // The client's callbacks only hand over to its loop, so the transport's threads may run them.
        return (nodeId, role, host, port) -> Grpc.newChannelBuilderForAddress(host, port, credentials)
                .directExecutor()
                .build();
    }
}
