package io.sealbook.consensus.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.ByteString;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.consensus.config.AdminConfig;
import io.sealbook.consensus.status.Readiness;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.FollowerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log levels of a follower with TLS: the auditor that it is may see them, and nobody else. */
@Timeout(300)
class OperatorGateTest {
    private static final long CHAIN_ID = 79;
    private static final int OWN = 5;
    private static final int OTHER = 6;

    private final CertificateAuthority authority =
            new CertificateAuthority("members", Duration.ofDays(1), Clock.systemUTC());
    private final Signer key = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);

    @TempDir
    private Path directory;

    @Test
    void shouldLetTheAuditorOfAFollowerOperateIt() throws Exception {
        Genesis terms = genesis();
        try (AdminServer server = server(OperatorGate.ofAuditor(OWN, () -> terms))) {
            assertThat(loggers(server, Optional.of(holder(Role.AUDITOR, OWN)))).isEqualTo(200);
            assertThat(loggers(server, Optional.of(holder(Role.AUDITOR, OTHER))))
                    .isEqualTo(403);
            assertThat(loggers(server, Optional.of(holder(Role.MEMBER, OWN)))).isEqualTo(403);
            assertThat(loggers(server, Optional.empty())).isEqualTo(401);
        }
    }

    @Test
    void shouldLetNobodyOperateAFollowerThatIsNoAuditor() throws Exception {
        try (AdminServer server = server(OperatorGate.ofNobody())) {
            assertThat(loggers(server, Optional.of(holder(Role.AUDITOR, OWN)))).isEqualTo(401);
        }
    }

    /** The port of a node is made before the node has its state. */
    @Test
    void shouldReadNoTermsBeforeTheFirstStatement() {
        assertThatCode(() -> OperatorGate.ofNode(OWN, () -> {
                    throw new IllegalStateException("no state");
                }))
                .doesNotThrowAnyException();
    }

    private AdminServer server(OperatorGate operator) throws Exception {
        TlsSettings files = issue("follower", CertificateRole.SERVER);
        AdminServer server = new AdminServer(
                new AdminConfig("127.0.0.1", 0, 8, 60_000, AdminConfig.RATES_DEFAULT),
                Optional.of(TlsIdentity.open(files)),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                () -> new Readiness(true, ""),
                FollowerStatus::getDefaultInstance,
                operator);
        server.start();
        return server;
    }

    private int loggers(AdminServer server, Optional<RoleHolder> holder) throws Exception {
        TlsSettings files = issue("caller", CertificateRole.CLIENT);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/loggers"));
        if (holder.isPresent()) {
            request.header(
                    RoleStatement.HEADER,
                    RoleStatement.make(holder.get(), certificate(files)).toText());
        }
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(TlsIdentity.open(files).context())
                .build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private TlsSettings issue(String name, CertificateRole role) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        authority.issue(files, name, role, List.of("127.0.0.1"));
        return files;
    }

    private static X509Certificate certificate(TlsSettings files) throws Exception {
        try (InputStream in = Files.newInputStream(files.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private RoleHolder holder(Role role, int id) {
        return new RoleHolder(CHAIN_ID, role, id, 0, key);
    }

    private Genesis genesis() {
        PublicKey known = PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
        return Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .addAuditors(Auditor.newBuilder().setAuditorId(OWN).setKey(known))
                .addAuditors(Auditor.newBuilder().setAuditorId(OTHER).setKey(known))
                .addNodes(Node.newBuilder().setNodeId(OWN).setIdentity(known))
                .build();
    }
}
