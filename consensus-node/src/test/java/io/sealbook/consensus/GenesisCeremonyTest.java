package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.ceremony.CeremonyCheck;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Passphrases;
import io.sealbook.membership.RateQuota;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.SignedContribution;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Four members hold a ceremony with the commands of the operator's manual, and one of them cheats. */
@Timeout(600)
class GenesisCeremonyTest {
    private static final int WRONG = 1;
    private static final int WRONG_USE = 2;
    private static final int INCOMPLETE = 3;
    private static final List<String> MEMBERS = List.of("alpha", "beta", "gamma", "delta");
    private static final String SECTION = "### A genesis file that all members sign";

    @TempDir
    private Path files;

    private String output;
    private int basePort = 7100;

    @BeforeEach
    void makeMembers() throws IOException {
        for (String member : MEMBERS) {
            Files.createDirectory(files.resolve(member));
            for (String name : List.of("node.pass", "broker.pass", "auditor.pass")) {
                ownerOnly(files.resolve(member).resolve(name), member + "'s " + name);
            }
        }
    }

    @Test
    void shouldMakeAClusterAsTheManualSays() throws Exception {
        PortBlock ports = PortBlock.take(TestCluster.PORTS);
        basePort = ports.base();
        List<String> commands = commands();
        assertThat(commands).hasSize(7);
        for (int i = 0; i < 4; i++) {
            for (String command : commands.subList(0, 4)) {
                run(0, i, command);
            }
        }
        run(0, 0, commands.get(4));
        for (int i = 0; i < 4; i++) {
            run(INCOMPLETE, i, commands.get(5));
            assertThat(output).contains("WARN signature: node " + i + " (" + MEMBERS.get(i) + ") has not signed");
            run(0, i, commands.get(6));
            assertThat(output).contains("signed as node " + i + " (" + MEMBERS.get(i) + ")");
        }
        run(0, 0, commands.get(5));
        assertThat(output.lines().filter(line -> line.startsWith("OK contribution: ")))
                .hasSize(4);
        assertThat(output.lines().filter(line -> line.startsWith("OK signature: ")))
                .hasSize(4);
        assertThat(output).contains("broker 4 \"Broker\": accounts 4000..4999", "auditor 4 \"Auditor\"");

        for (int i = 0; i < 4; i++) {
            makeNode(i);
        }
        try (TestCluster cluster = TestCluster.open(files, ports)) {
            for (int i = 0; i < 4; i++) {
                TestBroker broker = cluster.brokerWith(i + 1, 0, plainKey(MEMBERS.get(i)));
                int account = 1000 * (i + 1) + 7;
                assertThat(broker.refusalOf(broker.batch(fields -> fields.accountId = account)))
                        .isNull();
            }
            cluster.awaitCommitted(4);
            cluster.assertEqualChains();
        }
    }

    @Test
    void shouldNotStartWithoutAllSignaturesIfTheyAreRequired() throws Exception {
        holdCeremony(List.of(0, 1, 2));
        for (int i = 0; i < 4; i++) {
            makeNode(i);
        }

        assertThatThrownBy(() -> open(0))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("node 3 (delta) has not signed");
        Files.delete(node(1).genesisSignaturesFile());
        assertThatThrownBy(() -> open(1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no " + node(1).genesisSignaturesFile());
        Files.writeString(node(2).genesisSignaturesFile(), "{\"what\": 1}");
        assertThatThrownBy(() -> open(2))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no list of signatures");
        Files.writeString(node(3).propertiesFile(), "node-id=3\nkey-passphrase-file=node.pass\n");
        open(3).close();
    }

    /** The proposer changes what others contributed, after they gave it away. */
    @Test
    void shouldNameWhatTheProposerChanged() throws Exception {
        holdCeremony(List.of());
        Path genesis = files.resolve("genesis.json");
        String honest = Files.readString(genesis);

        cheat(honest, file -> file.getNodesBuilder(2).setHost("10.6.6.6").setName("Other"));
        refused("node 2 (Other): its node was changed: name was gamma, is Other; host was 127.0.0.1, is 10.6.6.6");
        cheat(honest, file -> file.getBrokersBuilder(1).getAccountsBuilder(0).setLast(2_100));
        refused("node 1 (beta): broker 2 was changed: accounts");
        cheat(honest, file -> file.getBrokersBuilder(3).setLiveOrderCountMax(5));
        refused("node 3 (delta): broker 4 was changed: liveOrderCountMax was 0, is 5");
        cheat(honest, file -> file.getAuditorsBuilder(0).setName("Other"));
        refused("node 0 (alpha): auditor 1 was changed: name was Auditor, is Other");
        cheat(honest, file -> file.removeBrokers(2));
        refused("node 2 (gamma): broker 3 is missing in the file");
        cheat(
                honest,
                file -> file.addBrokers(
                        file.getBrokers(0).toBuilder().setBrokerId(9).clearAccounts()));
        refused("broker 9 is in no contribution");
        cheat(honest, file -> file.addAuditors(file.getAuditors(0).toBuilder().setAuditorId(9)));
        refused("auditor 9 is in no contribution");
        cheat(
                honest,
                file -> file.addNodes(file.getNodes(0).toBuilder()
                        .setNodeId(4)
                        .setIdentity(file.getBrokers(0).getKeys(0).getKey())));
        refused("5 nodes and 4 contributions");
        cheat(honest, file -> file.setChainId(4712));
        refused("it is for chain 4711, the file for 4712");
        cheat(honest, file -> file.getParametersBuilder().setLogWindow(256));
        refused("FAIL digest: the genesis file has ");
        Files.writeString(genesis, honest);
        run(INCOMPLETE, 0, "consensus-node.jar genesis check genesis.json");
    }

    /** What members compare by eye has a line of each, whatever a member calls itself. */
    @Test
    void shouldPrintNoControlCharacterOfAMember() throws Exception {
        holdCeremony(List.of(0, 1, 2, 3));
        String name = "gamma\nnode 3 \"delta\": forged\u001b[1A\u009b2K";
        cheat(Files.readString(files.resolve("genesis.json")), file -> {
            file.getNodesBuilder(2).setName(name).setHost(name);
            file.getAuditorsBuilder(2).setName(name);
        });
        write(signatures().toBuilder(), file -> file.setGenesisDigest(name));

        run(WRONG, 0, "consensus-node.jar genesis check genesis.json");

        assertThat(output.lines().filter(line -> line.startsWith("node "))).hasSize(4);
        assertThat(output.lines().filter(line -> line.startsWith("auditor "))).hasSize(4);
        assertThat(output.lines()).allMatch(line -> line.chars().noneMatch(Character::isISOControl));
        run(WRONG, 1, commands().get(6));
        assertThat(output.lines()).allMatch(line -> line.chars().noneMatch(Character::isISOControl));
    }

    /** Nodes move, and members write where they are into their copies of the file. */
    @Test
    void shouldCheckAFileWithOtherAddresses() throws Exception {
        holdCeremony(List.of(0, 1, 2, 3));
        Path genesis = files.resolve("genesis.json");

        cheat(
                Files.readString(genesis),
                file -> file.getNodesBuilder(2).setHost("10.0.0.12").setGatewayPort(7));

        run(0, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output)
                .contains("WARN address: node 2 (gamma) contributed another one: host was 127.0.0.1, is 10.0.0.12; ")
                .contains("OK contribution: node 2 (gamma)");
        assertThat(CeremonyCheck.of(Files.readAllBytes(genesis), signatures()).faults())
                .isEmpty();
    }

    /** The proposer also changes the contributions that it hands on, or replaces one by one of its own. */
    @Test
    void shouldNameAForgedContribution() throws Exception {
        holdCeremony(List.of());
        Path signatures = files.resolve("genesis-signatures.json");
        GenesisSignatures honest = signatures();

        write(
                honest.toBuilder(),
                file -> file.getContributionsBuilder(2)
                        .getContributionBuilder()
                        .getNodeBuilder()
                        .setHost("10.6.6.6"));
        cheat(
                Files.readString(files.resolve("genesis.json")),
                file -> file.getNodesBuilder(2).setHost("10.6.6.6"));
        refused("node 2 (gamma): it is not signed by its identity key, or was changed after that");

        Files.delete(files.resolve("genesis.json"));
        Files.delete(signatures);
        Files.move(files.resolve("gamma/contribution.json"), files.resolve("gamma/own.json"));
        Files.delete(files.resolve("gamma/node.key"));
        Files.delete(files.resolve("gamma/node.key.pub"));
        Files.delete(files.resolve("gamma/node.key.never-voted"));
        for (String command : List.of(commands().get(0), commands().get(3))) {
            run(0, 2, plain(command));
        }
        run(0, 0, commands().get(4));
        run(WRONG, 2, commands().get(6).replace("MEMBER/contribution.json", "MEMBER/own.json"));
        assertThat(output).contains("is not what", "own.json has; not signed");
    }

    /** A member that is in the file twice would sign twice, and have two votes. */
    @Test
    void shouldNotTakeAMemberTwice() throws Exception {
        holdCeremony(List.of());
        write(signatures().toBuilder(), file -> file.setContributions(3, file.getContributions(0)));
        cheat(
                Files.readString(files.resolve("genesis.json")),
                file -> file.setNodes(3, file.getNodes(0).toBuilder().setNodeId(3))
                        .removeBrokers(3)
                        .removeAuditors(3));

        run(WRONG_USE, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output).contains("genesis: nodes[3] has the identity key of another node");
        run(WRONG_USE, 1, commands().get(6));
        assertThat(signatures().getSignaturesList()).isEmpty();
    }

    @Test
    void shouldNotTakeTheSignatureOfAnother() throws Exception {
        holdCeremony(List.of(0, 1, 2, 3));
        GenesisSignatures honest = signatures();

        write(
                honest.toBuilder(),
                file -> file.getSignaturesBuilder(1)
                        .setSignature(honest.getSignatures(0).getSignature()));
        run(WRONG, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output).contains("FAIL signature: that of node 1 (beta) is not its own, or is for another file");
        write(honest.toBuilder(), file -> file.getSignaturesBuilder(1).setNodeId(7));
        run(WRONG, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output).contains("there is one of node 7", "WARN signature: node 1 (beta) has not signed");
        write(
                honest.toBuilder(),
                file -> file.addSignatures(honest.getSignatures(1).toBuilder()
                        .setSignature(honest.getSignatures(0).getSignature())));
        run(WRONG, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output).contains("OK signature: node 1 (beta)", "FAIL signature: there is another one of node 1");
        write(honest.toBuilder(), file -> {});
        run(WRONG_USE, 0, commands().get(6).replace("MEMBER/node", "MEMBER/broker"));
        assertThat(output).contains("broker.key: no node of the genesis file has this identity key");
    }

    /** What no member contributed, an instrument, is covered by their signatures of the whole. */
    @Test
    void shouldNotTakeSignaturesOfAnotherFile() throws Exception {
        holdCeremony(List.of(0, 1, 2, 3));
        Path genesis = files.resolve("genesis.json");
        cheat(Files.readString(genesis), file -> file.getInstrumentsBuilder(0).setPriceMax(2));

        write(signatures().toBuilder(), file -> {
            try {
                file.setGenesisDigest(
                        GenesisFile.parse(Files.readAllBytes(genesis)).digest().hex());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        run(WRONG, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output.lines().filter(line -> line.startsWith("FAIL signature: that of node ")))
                .hasSize(4);
        assertThat(output.lines()).noneMatch(line -> line.startsWith("FAIL contribution"));
    }

    @Test
    void shouldPutSignaturesOfCopiesTogether() throws Exception {
        holdCeremony(List.of(0, 2));
        Files.move(files.resolve("genesis-signatures.json"), files.resolve("copy.json"));
        GenesisSignatures ofCopy = read(files.resolve("copy.json"));
        write(ofCopy.toBuilder(), GenesisSignatures.Builder::clearSignatures);
        run(0, 1, commands().get(6));
        run(0, 3, commands().get(6));

        run(0, 0, "consensus-node.jar genesis check --add " + files.resolve("copy.json") + " genesis.json");

        assertThat(signatures().getSignaturesList())
                .extracting(each -> each.getNodeId())
                .containsExactly(0, 1, 2, 3);
        write(ofCopy.toBuilder(), file -> file.setGenesisDigest("00"));
        run(WRONG_USE, 0, "consensus-node.jar genesis check --add " + files.resolve("copy.json") + " genesis.json");
        assertThat(output).contains("expected those for 00");
    }

    @Test
    void shouldSayWhyContributionsMakeNoGenesisFile() throws Exception {
        for (int i = 0; i < 4; i++) {
            for (String command : commands().subList(0, 3)) {
                run(0, i, plain(command));
            }
            run(0, i, commands().get(3).replace("4711", i == 2 ? "4712" : "4711"));
        }
        String collect = commands().get(4);

        run(WRONG_USE, 0, collect);
        assertThat(output).contains("contribution of 'gamma' is for chain 4712, those before are for 4711");
        run(WRONG_USE, 0, collect.replace("gamma", "alpha"));
        assertThat(output).contains("contribution of 'alpha' has the identity key of another one");
        run(WRONG_USE, 0, collect.replace("gamma/contribution.json", "gamma/broker.key"));
        assertThat(output).contains("gamma/broker.key: no contribution");
        Files.delete(files.resolve("gamma/contribution.json"));
        run(0, 2, commands().get(3).replace("BROKER:Broker", "1:Broker"));
        run(WRONG_USE, 0, collect);
        assertThat(output).contains("genesis: broker 1 occurs twice");
        assertThat(files.resolve("genesis.json")).doesNotExist();
        run(WRONG_USE, 2, commands().get(3).replace("4711", "0"));
        assertThat(output).contains("--chain-id 0: expected a number from 1 on");
        run(WRONG_USE, 2, commands().get(3).replace("HOST", "node_2"));
        assertThat(output).contains("--host node_2: expected a name or IP address");
    }

    @Test
    void shouldContributeTheQuotasOfABroker() throws Exception {
        for (String command : commands().subList(0, 3)) {
            run(0, 0, plain(command));
        }
        String propose = commands().get(3);
        String broker = "BROKER000-BROKER999 ";
        run(WRONG_USE, 0, propose.replace(broker, "BROKER000-BROKER999:500:20 "));
        assertThat(output).contains(": expected ID:NAME:FILE:ACCOUNTS[:QUOTA[:ORDERS:BYTES]]");

        run(0, 0, propose.replace(broker, "BROKER000-BROKER999:500:20:3000 "));

        SignedContribution.Builder contribution = SignedContribution.newBuilder();
        JsonFormat.parser().merge(Files.readString(files.resolve("alpha/contribution.json")), contribution);
        Broker contributed = contribution.getContribution().getBrokers(0);
        assertThat(contributed.getLiveOrderCountMax()).isEqualTo(500);
        assertThat(RateQuota.of(contributed)).isEqualTo(new RateQuota(20, 3_000));
    }

    /** Everything up to the members' signatures. The derivation of a key is slow on purpose, and is not tested here. */
    private void holdCeremony(List<Integer> signers) throws Exception {
        List<String> commands = commands();
        for (int i = 0; i < 4; i++) {
            for (String command : commands.subList(0, 4)) {
                run(0, i, plain(command));
            }
        }
        run(0, 0, commands.get(4));
        for (int i : signers) {
            run(0, i, commands.get(6));
        }
    }

    private static String plain(String command) {
        return command.contains(" new ") ? command.replaceAll("--passphrase-file \\S+", "--plain") : command;
    }

    private void cheat(String honest, Consumer<Genesis.Builder> change) throws IOException {
        Genesis.Builder genesis = Genesis.newBuilder();
        JsonFormat.parser().merge(honest, genesis);
        change.accept(genesis);
        Files.writeString(files.resolve("genesis.json"), JsonFormat.printer().print(genesis));
    }

    /** Neither the command that checks nor the one that signs takes it. */
    private void refused(String fact) throws IOException {
        run(WRONG, 0, "consensus-node.jar genesis check genesis.json");
        assertThat(output).contains("FAIL ", fact);
        run(WRONG, 1, commands().get(6));
        assertThat(output).contains(fact, "not signed");
        assertThat(signatures().getSignaturesList()).isEmpty();
    }

    private GenesisSignatures signatures() throws IOException {
        return read(files.resolve("genesis-signatures.json"));
    }

    private static GenesisSignatures read(Path file) throws IOException {
        GenesisSignatures.Builder signatures = GenesisSignatures.newBuilder();
        JsonFormat.parser().merge(Files.readString(file), signatures);
        return signatures.build();
    }

    private void write(GenesisSignatures.Builder signatures, Consumer<GenesisSignatures.Builder> change)
            throws IOException {
        change.accept(signatures);
        Files.writeString(
                files.resolve("genesis-signatures.json"), JsonFormat.printer().print(signatures));
    }

    private void makeNode(int i) throws IOException {
        NodeDirectory node = node(i);
        Files.createDirectories(node.root());
        Path member = files.resolve(MEMBERS.get(i));
        Files.copy(files.resolve("genesis.json"), node.genesisFile());
        Files.copy(files.resolve("genesis-signatures.json"), node.genesisSignaturesFile());
        for (String file : List.of("node.key", "node.key.never-voted")) {
            Files.copy(member.resolve(file), node.root().resolve(file));
        }
        ownerOnly(node.root().resolve("node.pass"), MEMBERS.get(i) + "'s node.pass");
        Files.write(
                node.propertiesFile(),
                List.of(
                        "node-id=" + i,
                        "key-passphrase-file=node.pass",
                        "require-genesis-signatures=true",
                        "payload-store-bytes=33554432"));
    }

    private NodeDirectory node(int i) {
        return new NodeDirectory(files.resolve("net/node" + i));
    }

    private ConsensusNode open(int i) throws IOException {
        return ConsensusNode.open(node(i), StartOptions.NONE, failure -> {});
    }

    private Path plainKey(String member) throws IOException {
        Path file = files.resolve(member + ".plain");
        KeyFile.write(
                file,
                KeyFile.read(
                        files.resolve(member).resolve("broker.key"),
                        Passphrases.ofFile(files.resolve(member).resolve("broker.pass"))));
        return file;
    }

    private static void ownerOnly(Path file, String content) throws IOException {
        Files.writeString(file, content + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** The seven commands of the manual: four of each member, one of the proposer, two of each member. */
    private static List<String> commands() throws IOException {
        String manual = Files.readString(Path.of("../docs/OPERATING.md"));
        String section = manual.substring(manual.indexOf(SECTION));
        section = section.split("\n#{2,3} ", 2)[0];
        return section.replaceAll("\\\\\n +", "")
                .lines()
                .filter(line -> line.startsWith("java -jar "))
                .map(line -> line.substring("java -jar ".length()).replaceAll(" +#.*", ""))
                .toList();
    }

    /** Runs a command as the member; {@code keys.jar} is {@code consensus-node.jar keys}. */
    private void run(int exitCode, int member, String command) throws IOException {
        String name = MEMBERS.get(member);
        String broker = Integer.toString(member + 1);
        String filled = command.replace("consensus-node.jar ", "")
                .replace("keys.jar ", "keys ")
                .replace("MEMBER/", files.resolve(name) + "/")
                .replace("MEMBER", name)
                .replace("HOST", "127.0.0.1")
                .replace("PORT", Integer.toString(basePort + 10 * member))
                .replace("BROKER", broker);
        for (String file : List.of("genesis.json", "alpha/", "beta/", "gamma/", "delta/")) {
            filled = filled.replace(" " + file, " " + files.resolve(file) + (file.endsWith("/") ? "/" : ""));
        }
        StringWriter text = new StringWriter();
        CommandLine commandLine = NodeTool.commandLine();
        int result = commandLine
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(text, true))
                .execute(filled.split(" +"));
        output = text.toString();
        assertThat(result).as(filled + "\n" + output).isEqualTo(exitCode);
    }
}
