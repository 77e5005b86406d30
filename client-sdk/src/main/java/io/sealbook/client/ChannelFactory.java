package io.sealbook.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * Opens the gRPC channel to an endpoint; which transport carries it is whatever the application has on its class path.
 *
 * <p>Channels of the factories here ask an endpoint that is silent for {@link #KEEP_ALIVE_S} s for a sign of life,
 * while calls are open, and break if none comes within {@link #KEEP_ALIVE_TIMEOUT_S} s. A factory of the application
 * must do so too ({@code keepAliveTime} and {@code keepAliveTimeout} of gRPC): a stream of reports on a connection that
 * the network has lost is silent for hours. Gateways and engines close a connection that asks more than once per 10 s.
 */
@FunctionalInterface
public interface ChannelFactory {
    /**
     * Above the 10 s that engines permit and the 5 s of gateways, below the minute after which some firewalls forget a
     * connection.
     */
    int KEEP_ALIVE_S = 20;

    /** Far beyond any round trip: a busy machine keeps its connections. */
    int KEEP_ALIVE_TIMEOUT_S = 10;

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
                .keepAliveTime(KEEP_ALIVE_S, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_S, TimeUnit.SECONDS)
                .build();
    }
}
