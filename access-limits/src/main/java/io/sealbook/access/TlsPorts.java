package io.sealbook.access;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettySslContextChannelCredentials;
import io.grpc.netty.NettySslContextServerCredentials;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sealbook.tls.TlsIdentity;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * TLS of ports and channels on Netty: version 1.3 only. gRPC has it from BoringSSL if its library is on the class path
 * and loads here, otherwise from Java, as HTTP always does. A server requires a certificate of its client; a client
 * checks the server's name. Any thread.
 *
 * <p>{@code -Dio.netty.handler.ssl.noOpenSsl=true} selects Java.
 */
public final class TlsPorts {
    private static final SslProvider GRPC_PROVIDER =
            SslProvider.isAlpnSupported(SslProvider.OPENSSL) && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                    ? SslProvider.OPENSSL
                    : SslProvider.JDK;

    private TlsPorts() {}

    /** Returns for a log whose TLS gRPC has in this process, and why it is Java's if it is. */
    public static String grpcProvider() {
        if (GRPC_PROVIDER == SslProvider.OPENSSL) {
            return OpenSsl.versionString();
        }
        Throwable cause = OpenSsl.unavailabilityCause();
        return "Java, without BoringSSL" + (cause == null ? "" : ": " + cause);
    }

    /**
     * Returns what a gRPC server accepts.
     *
     * @param identity of the server; empty for plain connections
     */
    public static ServerCredentials server(Optional<TlsIdentity> identity) {
        return identity.map(present -> server(present, GRPC_PROVIDER)).orElseGet(InsecureServerCredentials::create);
    }

    /**
     * Returns what a gRPC server accepts.
     *
     * @param identity of the server
     * @param provider that encrypts
     */
    static ServerCredentials server(TlsIdentity identity, SslProvider provider) {
        return NettySslContextServerCredentials.create(build(GrpcSslContexts.configure(accepting(identity), provider)));
    }

    /**
     * Returns what a gRPC channel connects with.
     *
     * @param identity of the client; empty for a plain connection
     */
    public static ChannelCredentials channel(Optional<TlsIdentity> identity) {
        return identity.map(present -> channel(present, GRPC_PROVIDER)).orElseGet(InsecureChannelCredentials::create);
    }

    /**
     * Returns what a gRPC channel connects with.
     *
     * @param identity of the client
     * @param provider that encrypts
     */
    static ChannelCredentials channel(TlsIdentity identity, SslProvider provider) {
        return NettySslContextChannelCredentials.create(build(GrpcSslContexts.configure(
                SslContextBuilder.forClient()
                        .keyManager(identity.keys())
                        .trustManager(identity.trust())
                        .protocols(TlsIdentity.PROTOCOL),
                provider)));
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
            throw new IllegalStateException("every provider has " + TlsIdentity.PROTOCOL, e);
        }
    }
}
