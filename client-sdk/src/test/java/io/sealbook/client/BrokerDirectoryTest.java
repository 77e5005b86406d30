package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private Path broker(String properties) throws IOException {
        Path directory = Files.createDirectory(root.resolve("broker1"));
        KeyFile.write(directory.resolve("broker.key"), key);
        Files.writeString(directory.resolve("broker.properties"), properties);
        return directory;
    }
}
