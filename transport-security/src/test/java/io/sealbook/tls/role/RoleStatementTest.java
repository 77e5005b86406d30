package io.sealbook.tls.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsSettings;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleStatementTest {
    private final Signer signer = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);

    @TempDir
    Path directory;

    @Test
    void shouldSurviveBothWays() throws Exception {
        RoleStatement made = RoleStatement.make(holder(7, Role.BROKER, -2), certificate("a"));

        for (RoleStatement read : List.of(RoleStatement.decode(made.encode()), RoleStatement.ofText(made.toText()))) {
            assertThat(read.role()).isEqualTo(Role.BROKER);
            assertThat(read.id()).isEqualTo(-2);
            assertThat(read.keyId()).isEqualTo(3);
            assertThat(read.signature()).isEqualTo(made.signature());
        }
    }

    @Test
    void shouldCoverChainRoleHolderAndCertificate() throws Exception {
        X509Certificate certificate = certificate("a");
        RoleStatement made = RoleStatement.make(holder(7, Role.BROKER, 1), certificate);
        byte[] covered = made.signedBytes(7, certificate);

        assertThat(made.signedBytes(8, certificate)).isNotEqualTo(covered);
        assertThat(made.signedBytes(7, certificate("b"))).isNotEqualTo(covered);
        assertThat(new RoleStatement(Role.AUDITOR, 1, 3, made.signature()).signedBytes(7, certificate))
                .isNotEqualTo(covered);
        assertThat(new RoleStatement(Role.BROKER, 2, 3, made.signature()).signedBytes(7, certificate))
                .isNotEqualTo(covered);
        assertThat(new RoleStatement(Role.BROKER, 1, 4, made.signature()).signedBytes(7, certificate))
                .isNotEqualTo(covered);
    }

    @Test
    void shouldRefuseOtherBytes() throws Exception {
        byte[] made =
                RoleStatement.make(holder(7, Role.BROKER, 1), certificate("a")).encode();
        byte[] otherRole = made.clone();
        otherRole[0] = 9;

        assertThatIllegalArgumentException().isThrownBy(() -> RoleStatement.decode(new byte[made.length - 1]));
        assertThatIllegalArgumentException().isThrownBy(() -> RoleStatement.decode(otherRole));
        assertThatIllegalArgumentException().isThrownBy(() -> RoleStatement.ofText("***"));
    }

    private RoleHolder holder(long chainId, Role role, int id) {
        return new RoleHolder(chainId, role, id, 3, signer);
    }

    private X509Certificate certificate(String name) throws Exception {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        new CertificateAuthority("test", Duration.ofDays(1), Clock.systemUTC())
                .issue(files, name, CertificateRole.CLIENT, List.of());
        try (InputStream in = Files.newInputStream(files.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
