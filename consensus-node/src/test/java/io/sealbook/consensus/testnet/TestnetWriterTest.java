package io.sealbook.consensus.testnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.tool.TestnetCommand;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.lock.LockFile;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Parameters;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
            assertThat(node.neverVoted(KeyFile.readSigner(node.keyFile()).verificationKey())
                            .fault())
                    .isEmpty();
            assertThat(Files.readAllLines(node.enginePropertiesFile())).contains("server.port=" + (7205 + 10 * i));
        }
        assertThat(KeyFile.readSigner(directory.resolve("broker2/broker.key")).scheme())
                .isEqualTo(SignatureScheme.ECDSA_SECP256K1_SHA256);
        assertThat(genesis.genesis().getNodes(3).getGatewayPort()).isEqualTo(7232);
    }

    @Test
    void shouldCloseDirectoriesOfNodesAndFollowersToOthers() throws Exception {
        new CommandLine(new TestnetCommand()).execute("--dir=" + directory, "--followers=1");

        for (String each : List.of("node0", "node3", "follower0")) {
            assertThat(Files.getPosixFilePermissions(directory.resolve(each)))
                    .as(each)
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** With --force nothing is left of the older cluster once the new one is begun. */
    @Test
    void shouldRemoveNothingForFollowersThatHaveNoPlace() throws Exception {
        new CommandLine(new TestnetCommand()).execute("--dir=" + directory);
        Path block = Files.createFile(
                Files.createDirectories(directory.resolve("node0/archive")).resolve("block"));

        for (List<String> wrong : List.of(List.of("--followers=-1"), List.of("--followers=2", "--base-port=65490"))) {
            List<String> arguments = new ArrayList<>(List.of("--dir=" + directory, "--force"));
            arguments.addAll(wrong);
            assertThat(new CommandLine(new TestnetCommand()).execute(arguments.toArray(String[]::new)))
                    .as(wrong.toString())
                    .isNotZero();
        }

        assertThat(block).exists();
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
    void shouldRemoveNothingOfAClusterThatRuns() throws Exception {
        GenesisFile first = new TestnetWriter(directory, plan()).write(false);
        Path archive = Files.createDirectories(directory.resolve("node3/archive"));

        try (LockFile held = LockFile.take(archive.resolve("archive.lock"))) {
            assertThatThrownBy(() -> new TestnetWriter(directory, plan()).write(true))
                    .hasMessageContaining("node3/archive/archive.lock")
                    .hasMessageContaining("end the cluster first");
            assertThat(new NodeDirectory(directory.resolve("node0"))
                            .readGenesis()
                            .digest())
                    .isEqualTo(first.digest());
        }
        assertThat(new TestnetWriter(directory, plan()).write(true).digest()).isNotEqualTo(first.digest());
    }

    /** A removal that is interrupted can be repeated. */
    @Test
    void shouldRemoveLastByWhatItKnowsADirectory() throws Exception {
        new TestnetWriter(directory, plan()).write(false);
        Path node = directory.resolve("node0");
        Path block = Files.createFile(
                Files.createDirectories(node.resolve("archive")).resolve("block"));
        Path log = Files.createFile(node.resolve("node.log"));

        List<Path> order = OlderCluster.inOrderOfRemoval(node);

        assertThat(order).endsWith(node);
        assertThat(order.indexOf(node.resolve("node.properties")))
                .isGreaterThan(order.indexOf(block))
                .isGreaterThan(order.indexOf(node.resolve("archive")))
                .isGreaterThan(order.indexOf(log));
        assertThat(order.indexOf(block)).isLessThan(order.indexOf(node.resolve("archive")));
    }

    @Test
    void shouldSeeAProgramOfABrokerThatKeepsACheckpoint() throws Exception {
        new TestnetWriter(directory, plan()).write(false);

        try (LockFile held = LockFile.takeBeside(directory.resolve("broker1/checkpoint"))) {
            assertThatThrownBy(() -> new TestnetWriter(directory, plan()).write(true))
                    .hasMessageContaining("broker1/checkpoint.lock");
        }
    }

    /** As in the folder of a project. */
    @Test
    void shouldRemoveNothingThatNoTestnetWrote() throws Exception {
        Path foreign = Files.createFile(
                Files.createDirectories(directory.resolve("operator")).resolve("main.go"));

        for (boolean force : new boolean[] {false, true}) {
            assertThatThrownBy(() -> new TestnetWriter(directory, plan()).write(force))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("operator")
                    .hasMessageNotContaining("--force");
        }
        assertThat(foreign).exists();
        assertThat(directory.resolve("genesis.json")).doesNotExist();
    }

    @Test
    void shouldGiveEveryBrokerAccountsOfItsOwn() throws Exception {
        GenesisFile byNumber = new TestnetWriter(directory, plan()).write(false);
        assertThat(accounts(byNumber)).containsExactly("1", "2");

        GenesisFile given = new TestnetWriter(directory, plan("2:1-9", "2:4000000000-4294967295", "1:77")).write(true);
        assertThat(accounts(given)).containsExactly("77", "1-9, 4000000000-4294967295");

        assertThatThrownBy(() -> new TestnetWriter(directory, plan("2:1-9", "1:9")).write(true))
                .hasMessageContaining("account 9 belongs to broker 2 and to broker 1");
        assertThat(new NodeDirectory(directory.resolve("node0")).readGenesis().digest())
                .isEqualTo(given.digest());
        assertThatThrownBy(() -> plan("3:1")).hasMessageContaining("--accounts of broker 3, there are 2");
        for (String text : new String[] {"1", "1:", ":1", "1-2", "1-2:3", "1:2-3-4", "1:2-", "a:1", "1:-5"}) {
            assertThatThrownBy(() -> AccountSpec.parse(text))
                    .as(text)
                    .hasMessageContaining("accounts '" + text + "': expected broker:first[-last]");
        }
    }

    private static List<String> accounts(GenesisFile genesis) {
        return genesis.genesis().getBrokersList().stream()
                .map(broker -> AccountRanges.of(broker).toString())
                .toList();
    }

    /** A negative number would be 4,294,967,295 decimals in the file. */
    @Test
    void shouldRefuseMoreDecimalsThanAPriceHasDigits() {
        assertThat(InstrumentSpec.parse("1:GOOG:19:1:2:3").getPriceDecimals()).isEqualTo(19);
        for (String decimals : new String[] {"-1", "20", "101"}) {
            assertThatThrownBy(() -> InstrumentSpec.parse("1:GOOG:" + decimals + ":1:2:3"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(decimals + " decimals, expected 0..19");
        }
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
                        List.of(),
                        Parameters.getDefaultInstance(),
                        false,
                        List.of()))
                .hasMessageContaining("--host given 2 times");
    }

    private static TestnetPlan plan(String... accounts) {
        return new TestnetPlan(
                7,
                List.of("127.0.0.1"),
                4,
                7200,
                10,
                "127.0.0.1",
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                List.of(SignatureScheme.SM2_SM3, SignatureScheme.ECDSA_SECP256K1_SHA256),
                Stream.of(accounts).map(AccountSpec::parse).toList(),
                List.of(InstrumentSpec.parse("1:GOOG:2:1:200000:1000000:keep")),
                Parameters.newBuilder().setCheckpointInterval(4).build(),
                false,
                List.of("durability=process"));
    }
}
