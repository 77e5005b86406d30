package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Opens channels, with TLS of BoringSSL and of Java, to every kind of wrong server. A server that is trusted answers
 * that it has no such service.
 */
@Timeout(120)
@ParameterizedClass
@EnumSource(
        value = SslProvider.class,
        names = {"JDK", "OPENSSL"})
class TlsChannelsTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String HOST = "127.0.0.1";

    @Parameter
    SslProvider provider;

    @TempDir
    Path directory;

    private final CertificateAuthority authority = new CertificateAuthority("members", YEAR, Clock.systemUTC());

    @Test
    void shouldTrustAServerOfAMember() throws Exception {
        assertThat(call(issue(authority, "node0", CertificateRole.SERVER, HOST)))
                .isEqualTo(Status.Code.UNIMPLEMENTED);
    }

    @Test
    void shouldNotTrustAServerOfAnotherName() throws Exception {
        assertThat(call(issue(authority, "node1", CertificateRole.SERVER, "node1.example")))
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void shouldNotTrustABrokerAsServer() throws Exception {
        assertThat(call(issue(authority, "broker2", CertificateRole.CLIENT, HOST)))
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    @Test
    void shouldNotTrustAServerOfAnotherAuthority() throws Exception {
        CertificateAuthority others = new CertificateAuthority("members", YEAR, Clock.systemUTC());

        assertThat(call(issue(others, "stranger", CertificateRole.SERVER, HOST)))
                .isEqualTo(Status.Code.UNAVAILABLE);
    }

    /** Calls a server with this identity that trusts everyone of the authority; returns how the call ended. */
    private Status.Code call(TlsIdentity identity) throws Exception {
        assumeTrue(provider == SslProvider.JDK || OpenSsl.isAvailable(), "needs glibc: no BoringSSL");
        TlsIdentity client = issue(authority, "broker1", CertificateRole.CLIENT);
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(HOST, 0), TlsPorts.server(Optional.of(identity)))
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        HOST, server.getPort(), TlsPorts.channel(client, provider))
                .build();
        try {
            ExecutionReportsGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .follow(FollowReportsRequest.getDefaultInstance())
                    .next();
            return Status.Code.OK;
        } catch (StatusRuntimeException refused) {
            return refused.getStatus().getCode();
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private TlsIdentity issue(CertificateAuthority by, String name, CertificateRole role, String... names)
            throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        by.issue(files, name, role, List.of(names));
        return TlsIdentity.open(files);
    }
}
