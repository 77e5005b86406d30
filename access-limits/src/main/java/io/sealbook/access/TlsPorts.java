package io.sealbook.access;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.NettySslContextServerCredentials;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sealbook.tls.TlsIdentity;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * TLS of ports and channels on Netty: version 1.3 only, by Java's own provider. A server requires a certificate of its
 * client; a client checks the server's name. Any thread.
 */
public final class TlsPorts {
    private TlsPorts() {}

    /**
     * Returns what a gRPC server accepts.
     *
     * @param identity of the server; empty for plain connections
     */
    public static ServerCredentials server(Optional<TlsIdentity> identity) {
        return identity.map(present -> NettySslContextServerCredentials.create(
                        build(GrpcSslContexts.configure(accepting(present), SslProvider.JDK))))
                .orElseGet(InsecureServerCredentials::create);
    }

    /**
     * Returns what a gRPC channel connects with.
     *
     * @param identity of the client; empty for a plain connection
     */
    public static ChannelCredentials channel(Optional<TlsIdentity> identity) {
        return identity.map(present -> NettySslContextChannelCredentials.create(build(GrpcSslContexts.configure(
                        SslContextBuilder.forClient()
                                .keyManager(present.keys())
                                .trustManager(present.trust())
                                .protocols(TlsIdentity.PROTOCOL),
                        SslProvider.JDK))))
                .orElseGet(InsecureChannelCredentials::create);
    }

    /** Returns what an HTTP/1.1 server accepts. */
    public static SslContext http(TlsIdentity identity) {
        return build(accepting(identity).sslProvider(SslProvider.JDK));
    }

    private static SslContextBuilder accepting(TlsIdentity identity) {
        return SslContextBuilder.forServer(identity.keys())
                .trustManager(identity.trust())
                .clientAuth(ClientAuth.REQUIRE)
                .protocols(TlsIdentity.PROTOCOL);
    }

    private static SslContext build(SslContextBuilder builder) {
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException("every Java has " + TlsIdentity.PROTOCOL, e);
        }
    }
}
