package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.Order;
import io.sealbook.client.OrderTracker;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Passphrases;
import io.sealbook.crypto.Signer;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the operator's manual for changes of the consortium, one after another as they are written there, on
 * a cluster with TLS on which a broker trades all the time. After each submission somebody uses what has changed.
 */
class ConsortiumIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String MANUAL = "docs/OPERATING.md";
    private static final List<String> SECTIONS =
            List.of("### Changing the consortium", "### Adding and removing nodes");
    private static final String TOOL = "java -jar consensus-node.jar ";
    /** Node and engine in one process; the other members run them apart. */
    private static final int REPLICA = 2;

    private static final int ENDPOINTS_PER_NODE = 2;
    private static final int INSTRUMENT = 1;
    private static final long PRICE = 10_000;

    @TempDir
    private Path directory;

    private LocalCluster cluster;
    private AddedMachine added;
    private SteadyBroker load;
    private long clOrdId = 1;

    @Test
    @Timeout(value = 45, unit = TimeUnit.MINUTES)
    void shouldChangeTheConsortiumAsTheManualSays() throws Exception {
        Files.createDirectory(member());
        for (String owner : List.of("broker1.pass", "broker3.pass", "node.pass")) {
            Files.createFile(
                    member().resolve(owner),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(member().resolve(owner), "passphrase in " + owner + "\n");
        }
        ClusterPlan plan = ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(5),
                        4,
                        List.of("sm2", "secp256k1"),
                        List.of("1:ABC:2:1:200000:1000000"))
                .withShapes(node -> node == REPLICA ? NodeShape.REPLICA : NodeShape.SPLIT)
                .withTestnetOptions(List.of("--tls"));
        try (LocalCluster started = LocalCluster.prepare(plan);
                AddedMachine machine = new AddedMachine(started);
                SteadyBroker broker = new SteadyBroker(started)) {
            cluster = started;
            load = broker;
            added = machine;
            cluster.start();
            cluster.awaitReady(LIMIT);
            load.start();

            List<String> submitted = new ArrayList<>();
            for (String command : commands()) {
                if (command.contains("keys new node3.key")) {
                    loseTheMachineOfNode3();
                }
                if (command.startsWith("start ")) {
                    added.start(member().resolve("node4.key"));
                    continue;
                }
                assertThat(tool(command.replace("DIR", cluster.directory().toString())
                                .replaceAll("10\\.0\\.0\\.14(:\\d+)+", added.endpoints())
                                .split(" +")))
                        .as(command)
                        .isZero();
                if (command.contains(" submit ")) {
                    String file = command.substring(command.lastIndexOf(' ') + 1);
                    submitted.add(file);
                    use(file);
                }
            }

            assertThat(submitted)
                    .containsExactly(
                            "add-key.json",
                            "revoke-key.json",
                            "add-broker.json",
                            "halt.json",
                            "resume.json",
                            "add-instrument.json",
                            "replace-node.json",
                            "parameters.json",
                            "add-node.json",
                            "remove-node.json");
            load.close();
            assertThat(load.faults()).isEmpty();
            assertThat(load.count()).isPositive();
            checkTheEnd(submitted.size());
        }
    }

    /**
     * Returns the tool's commands in the sections of the manual. The files of transactions that it shows are not real,
     * and the node that leaves the middle of the list stays.
     */
    private static List<String> commands() throws IOException {
        String manual = Files.readString(Home.find().resolve(MANUAL));
        return SECTIONS.stream()
                .map(heading -> manual.substring(manual.indexOf(heading)))
                .map(section -> section.split("\n#{2,3} ", 2)[0])
                .flatMap(section -> section.replaceAll("\\\\\n +", "").lines())
                .filter(line -> line.startsWith(TOOL))
                .map(line ->
                        line.substring(TOOL.length()).replaceAll(" +#.*", "").replace("\"", ""))
                .filter(command -> !command.contains(" show-transaction ") && !command.contains("leave.json"))
                .toList();
    }

    private void use(String file) throws Exception {
        switch (file) {
            case "add-key.json" -> {
                trade(broker(1), 1, INSTRUMENT);
                trade(withSecondKey(), 1, INSTRUMENT);
                cluster.killNode(REPLICA);
                cluster.startNode(REPLICA);
            }
            case "revoke-key.json" -> {
                trade(broker(1).session(1).connectTimeout(LIMIT), 1, INSTRUMENT);
                assertThatThrownBy(() -> trade(withFirstKey(), 1, INSTRUMENT))
                        .as("the first key, which proves no role any more")
                        .isInstanceOf(RuntimeException.class);
            }
            case "add-broker.json" -> trade(thirdBroker(), 3_000, INSTRUMENT);
            case "halt.json" -> seeTheHalt();
            case "resume.json" -> trade(withSecondKey(), 1, INSTRUMENT);
            case "add-instrument.json" -> {
                trade(withSecondKey(), 1, 9);
                trade(thirdBroker(), 3_099, 9);
            }
            case "replace-node.json" -> {
                startNode3OnANewMachine();
                cluster.killNode(REPLICA);
                trade(withSecondKey(), 1, INSTRUMENT);
                cluster.startNode(REPLICA);
                cluster.awaitReady(LIMIT);
            }
            case "parameters.json" -> trade(withSecondKey(), 1, INSTRUMENT);
            case "add-node.json" -> {
                Facts.await(added::log, added::takesPart);
                load.awaitConnected(5 * ENDPOINTS_PER_NODE);
                // Four of five are a quorum: the added one counts, at nodes and at programs of brokers.
                cluster.killNode(REPLICA);
                trade(withSecondKey(), 1, INSTRUMENT);
                cluster.startNode(REPLICA);
                cluster.awaitReady(LIMIT);
                load.awaitConnected(5 * ENDPOINTS_PER_NODE);
            }
            case "remove-node.json" -> {
                Facts.await(added::log, added::hasLeft);
                load.awaitConnected(4 * ENDPOINTS_PER_NODE);
                trade(withSecondKey(), 1, INSTRUMENT);
            }
            default -> throw new AssertionError("the manual submits " + file + ", and this test does not use it");
        }
    }

    private void loseTheMachineOfNode3() throws Exception {
        cluster.killNode(3);
        cluster.killEngine(3);
        try (Stream<Path> files = Files.list(node3())) {
            for (Path file : files.filter(Files::isDirectory)
                    .filter(each -> !each.endsWith("tls"))
                    .toList()) {
                WorkDirectory.delete(file);
            }
        }
        Files.delete(node3().resolve("node.key"));
    }

    /** Settings, genesis file and certificates are prepared there; of the key only the operator knew before. */
    private void startNode3OnANewMachine() throws Exception {
        for (String kind : List.of("", ".never-voted")) {
            Files.copy(member().resolve("node3.key" + kind), node3().resolve("node.key" + kind));
        }
        Files.writeString(
                node3().resolve("node.properties"),
                "key-passphrase-file=" + member().resolve("node.pass") + "\n",
                StandardOpenOption.APPEND);
        cluster.startNode(3);
        cluster.startEngine(3);
        cluster.awaitReady(LIMIT);
    }

    private Path node3() {
        return cluster.directory().resolve("node3");
    }

    private BrokerClientBuilder broker(int brokerId) throws IOException {
        return BrokerClient.builder()
                .directory(BrokerDirectory.read(cluster.directory().resolve("broker" + brokerId)))
                .connectTimeout(Duration.ofSeconds(30));
    }

    /** Whatever the directory names. */
    private BrokerClientBuilder withFirstKey() throws IOException {
        return broker(1).keyId(1).signer(KeyFile.readSigner(cluster.directory().resolve("broker1/broker.key")));
    }

    private BrokerClientBuilder withSecondKey() throws IOException {
        return broker(1)
                .keyId(2)
                .signer(signer(cluster.directory().resolve("broker1/broker.key.2"), "broker1.pass"))
                .session(1)
                .connectTimeout(LIMIT);
    }

    /** It uses the TLS certificate of broker 2: any certificate of the consortium will do, the key proves the role. */
    private BrokerClientBuilder thirdBroker() throws IOException {
        return broker(2)
                .brokerId(3)
                .keyId(1)
                .signer(signer(member().resolve("broker3.key"), "broker3.pass"))
                .connectTimeout(LIMIT);
    }

    private Signer signer(Path key, String passphrase) throws IOException {
        return KeyFile.readSigner(key, Passphrases.ofFile(member().resolve(passphrase)));
    }

    /** Places an order, sees it live in a report, and cancels it. */
    private void trade(BrokerClientBuilder broker, int account, int instrument) throws Exception {
        OrderTracker orders = new OrderTracker(report -> {}, 10);
        try (BrokerClient client =
                broker.executionReports(orders).reportsFromNow().connect()) {
            long id = clOrdId;
            clOrdId += 2;
            client.submit(Order.limit(id, account, instrument, Side.BUY, PRICE, 1))
                    .get();
            client.submit(Order.cancel(id + 1, id, account, instrument, Side.BUY))
                    .get();

            assertThat(orders.whenDone(id)
                            .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                            .status())
                    .contains(OrdStatus.CANCELED);
        }
    }

    private void seeTheHalt() throws Exception {
        try (BrokerClient client = withSecondKey().connect()) {
            Facts.await(
                    "the halt at the client",
                    () -> client.terms().getInstruments(0).getStatus() == InstrumentStatus.INSTRUMENT_HALTED);

            assertThatThrownBy(() -> client.submit(Order.limit(clOrdId, 1, INSTRUMENT, Side.BUY, PRICE, 1)))
                    .isInstanceOfSatisfying(
                            InvalidOrderException.class,
                            refused -> assertThat(refused.reason()).isEqualTo(RejectReason.INSTRUMENT_HALTED));
        }
    }

    /** All engines have the same results, and an auditor follows each change with the genesis file alone. */
    private void checkTheEnd(int transactions) throws Exception {
        List<EngineState> engines = cluster.awaitQuiet(1, LIMIT);
        assertThat(engines)
                .extracting(EngineState::getResultDigest)
                .containsOnly(engines.get(0).getResultDigest());
        Path genesis = cluster.directory().resolve("genesis.json");
        Path archive = cluster.directory().resolve("node2/archive");
        Path light = directory.resolve("light.txt");
        assertThat(run(
                        "consensus-node",
                        light,
                        "light",
                        member().resolve("members.proof").toString(),
                        "--genesis",
                        genesis.toString(),
                        "--cluster",
                        cluster.directory().resolve("node0").toString()))
                .as(() -> text(light))
                .isZero();
        assertThat(text(light)).contains("members.proof: proven up to block ", "transactions " + transactions + ",");
        for (int node = 0; node < cluster.size(); node++) {
            cluster.killNode(node);
        }

        Path output = directory.resolve("auditor.txt");
        assertThat(run("block-archive", output, "members", archive.toString(), "--genesis", genesis.toString()))
                .as(() -> text(output))
                .isZero();
        assertThat(text(output)).contains("transaction " + transactions);
        assertThat(run(
                        "block-archive",
                        output,
                        "verify",
                        archive.toString(),
                        "--genesis",
                        genesis.toString(),
                        "--allow-uncertified-tail",
                        "--against",
                        member().resolve("members.proof").toString()))
                .as(() -> text(output))
                .isZero();
        assertThat(text(output)).contains("the nodes have certified block ").doesNotContain("behind ");
    }

    private int tool(String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("tool.txt");
        int exitCode = run("consensus-node", output, arguments);
        if (exitCode != 0) {
            System.err.println(text(output));
        }
        return exitCode;
    }

    private int run(String module, Path output, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                LocalCluster.jar(Home.find(), module).toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(member().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Where the files of keys and transactions are. */
    private Path member() {
        return directory.resolve("member");
    }
}
