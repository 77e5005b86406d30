package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerDirectoryTest {
    private final SigningKey key = SigningKey.generate(SignatureScheme.SM2_SM3);

    @TempDir
    Path root;

    @BeforeEach
    void writeGenesis() throws IOException {
        try (TestCluster cluster = new TestCluster()) {
            Files.writeString(
                    root.resolve("genesis.json"),
                    GenesisFile.toJson(cluster.genesis().genesis()));
        }
    }

    @Test
    void shouldReadWhatTestnetWrites() throws IOException {
        Path directory = broker("brokerId=1\nkeyId=1\nscheme=SM2_SM3\nkey=broker.key\ngenesis=../genesis.json\n");

        BrokerDirectory broker = BrokerDirectory.read(directory);

        assertThat(broker.brokerId()).isEqualTo(1);
        assertThat(broker.keyId()).isEqualTo(1);
        assertThat(broker.signer().verificationKey()).isEqualTo(key.signer().verificationKey());
        assertThat(broker.genesis().genesis().getChainId()).isEqualTo(TestCluster.CHAIN_ID);
        assertThat(broker.accounts()).isEqualTo(AccountRanges.of(1));
    }

    @Test
    void shouldNameWhatIsMissing() throws IOException {
        Path directory = broker("keyId=1\n");

        assertThatThrownBy(() -> BrokerDirectory.read(directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("broker.properties")
                .hasMessageContaining("brokerId");
    }

    @Test
    void shouldNotConnectWithAKeyThatIsNotInTheGenesisFile() throws IOException {
        BrokerDirectory broker = BrokerDirectory.read(broker("brokerId=1\nkeyId=1\n"));

        assertThatThrownBy(() -> BrokerClient.builder().directory(broker).connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key 1");
    }

    @Test
    void shouldConnectWithTheCertificateOfTheDirectory() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("members", Duration.ofDays(30), Clock.systemUTC());
        TlsSettings node = TlsSettings.ofFilesIn(root.resolve("node"));
        authority.issue(node, "node", CertificateRole.SERVER, List.of("127.0.0.1"));
        TlsIdentity identity = TlsIdentity.open(node);
        ServerCredentials credentials = TlsServerCredentials.newBuilder()
                .keyManager(identity.keys())
                .trustManager(identity.trust())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
        Path directory = broker("brokerId=1\nkeyId=1\ntls=required\n");
        authority.issue(TlsSettings.ofFilesIn(directory.resolve("tls")), "broker1", CertificateRole.CLIENT, List.of());

        try (TestCluster cluster = new TestCluster(credentials);
                BrokerClient client = cluster.client()
                        .channels(BrokerDirectory.read(directory).channels())
                        .connect()) {
            assertThat(client.connectionReport().endpoints())
                    .anyMatch(each -> each.step() == ConnectionReport.Step.CONNECTED);
        }
    }

    @Test
    void shouldNameTheFileOfTlsThatIsMissing() throws IOException {
        Path directory = broker("brokerId=1\nkeyId=1\ntls=required\n");

        assertThatThrownBy(() -> BrokerDirectory.read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.resolve("tls/key.pem").toString());
    }

    @Test
    void shouldReadAnEncryptedKey() throws IOException {
        Path directory = broker("brokerId=1\nkeyId=1\nkey=closed.key\nkey-passphrase-file=pass\n");
        KeyFile.writeEncrypted(directory.resolve("closed.key"), key, "correct horse".toCharArray());
        Path pass = Files.writeString(directory.resolve("pass"), "correct horse\n");
        Files.setPosixFilePermissions(pass, PosixFilePermissions.fromString("rw-------"));

        assertThat(BrokerDirectory.read(directory).signer().verificationKey()).isEqualTo(key.verificationKey());

        Files.writeString(pass, "battery staple\n");
        assertThatThrownBy(() -> BrokerDirectory.read(directory))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessage("wrong passphrase for " + directory.resolve("closed.key") + ", or the file is damaged");
    }

    private Path broker(String properties) throws IOException {
        Path directory = Files.createDirectory(root.resolve("broker1"));
        KeyFile.write(directory.resolve("broker.key"), key);
        Files.writeString(directory.resolve("broker.properties"), properties);
        return directory;
    }
}
