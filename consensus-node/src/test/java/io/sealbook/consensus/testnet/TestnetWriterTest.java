package io.sealbook.consensus.testnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Parameters;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestnetWriterTest {
    @TempDir
    private Path directory;

    @Test
    void shouldWriteDirectoriesThatNodesCanStartFrom() throws Exception {
        GenesisFile genesis = new TestnetWriter(directory, plan()).write(false);

        for (int i = 0; i < 4; i++) {
            NodeDirectory node = new NodeDirectory(directory.resolve("node" + i));
            assertThat(node.readGenesis().digest()).isEqualTo(genesis.digest());
            assertThat(NodeConfig.read(node).nodeId()).isEqualTo(i);
            assertThat(KeyFile.readSigner(node.keyFile()).verificationKey().point())
                    .isEqualTo(genesis.genesis()
                            .getNodes(i)
                            .getIdentity()
                            .getPoint()
                            .toByteArray());
            assertThat(Files.readAllLines(node.enginePropertiesFile())).contains("server.port=" + (7205 + 10 * i));
        }
        assertThat(KeyFile.readSigner(directory.resolve("broker2/broker.key")).scheme())
                .isEqualTo(SignatureScheme.ECDSA_SECP256K1_SHA256);
        assertThat(genesis.genesis().getNodes(3).getGatewayPort()).isEqualTo(7232);
    }

    @Test
    void shouldRefuseToOverwriteAClusterUnlessForced() throws Exception {
        GenesisFile first = new TestnetWriter(directory, plan()).write(false);
        Path block = directory.resolve("node0/archive/block");
        Files.createDirectories(block.getParent());
        Files.createFile(block);

        assertThatThrownBy(() -> new TestnetWriter(directory, plan()).write(false))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("--force");
        assertThat(new NodeDirectory(directory.resolve("node0")).readGenesis().digest())
                .isEqualTo(first.digest());

        GenesisFile second = new TestnetWriter(directory, plan()).write(true);
        assertThat(second.digest()).isNotEqualTo(first.digest());
        assertThat(block).doesNotExist();
    }

    @Test
    void shouldNameTheFactThatMakesAPlanImpossible() {
        assertThatThrownBy(() -> InstrumentSpec.parse("1:GOOG:2")).hasMessageContaining("expected id:symbol");
        assertThatThrownBy(() -> new TestnetPlan(
                        1,
                        List.of("a", "b"),
                        4,
                        7200,
                        10,
                        "127.0.0.1",
                        SignatureScheme.SM2_SM3,
                        List.of(),
                        List.of(),
                        Parameters.getDefaultInstance(),
                        false,
                        List.of()))
                .hasMessageContaining("--host given 2 times");
    }

    private static TestnetPlan plan() {
        return new TestnetPlan(
                7,
                List.of("127.0.0.1"),
                4,
                7200,
                10,
                "127.0.0.1",
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                List.of(SignatureScheme.SM2_SM3, SignatureScheme.ECDSA_SECP256K1_SHA256),
                List.of(InstrumentSpec.parse("1:GOOG:2:1:200000:1000000:keep")),
                Parameters.newBuilder().setCheckpointInterval(4).build(),
                false,
                List.of("durability=process"));
    }
}
