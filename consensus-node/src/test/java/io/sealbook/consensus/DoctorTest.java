package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.DoctorFinding;
import io.sealbook.protocol.v1.DoctorReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command before a start and beside a running cluster; each thing that is broken here is named. */
@Timeout(300)
class DoctorTest {
    private static final int FAILED = 1;

    @TempDir
    private Path files;

    private String output;

    @Test
    void shouldFindNothingWrongBesideARunningCluster() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            assertThat(doctor(cluster.nodeDirectory(1))).as(() -> output).isZero();

            assertThat(output.lines())
                    .contains("OK running: a node runs in the directory")
                    .anyMatch(line -> line.startsWith("OK key: it is that of node 1 (node1), fingerprint "))
                    .anyMatch(
                            line -> line.startsWith("OK port gateway: ") && line.endsWith(" is held, as the node runs"))
                    .anyMatch(line -> line.startsWith("OK node 1: same genesis file, version "));
            for (int other : List.of(0, 2, 3)) {
                assertThat(output.lines())
                        .anyMatch(line -> line.startsWith("OK node " + other + ": same genesis file, version "))
                        .anyMatch(line -> line.startsWith("OK clock: node " + other + " is "));
            }
            assertThat(temporaryFiles(cluster.nodeDirectory(1).root())).isEmpty();

            cluster.kill(3);
            assertThat(doctor(cluster.nodeDirectory(1)))
                    .as("a member may be down")
                    .isZero();
            assertThat(output).contains("WARN node 3: no answer at 127.0.0.1:");
            assertThat(doctor(cluster.nodeDirectory(3))).as(() -> output).isZero();
            assertThat(output).contains("OK running: no node runs here", "OK node 0: same genesis file");
        }
    }

    /** What a member would run into that starts with a wrong file. */
    @Test
    void shouldNameWhatTheOthersDoNotHave() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            cluster.kill(3);
            NodeDirectory node = cluster.nodeDirectory(3);
            String agreed = Files.readString(node.genesisFile());

            Files.writeString(node.genesisFile(), agreed.replace("\"priceMax\": \"", "\"priceMax\": \"1"));
            assertThat(doctor(node)).isEqualTo(FAILED);
            assertThat(output)
                    .contains("FAIL node 0: it has another genesis file: "
                            + cluster.genesis().digest().hex() + ", here ");

            Files.writeString(node.genesisFile(), agreed.replace("\"4711\"", "\"4712\""));
            assertThat(doctor(node)).isEqualTo(FAILED);
            assertThat(output).contains("FAIL node 0: it is of chain 4711");

            int first = cluster.genesis().genesis().getNodes(0).getGatewayPort();
            int second = cluster.genesis().genesis().getNodes(1).getGatewayPort();
            Files.writeString(node.genesisFile(), agreed.replace(": " + first, ": " + second));
            assertThat(doctor(node)).as(() -> output).isZero();
            assertThat(output)
                    .as("the others know where it is")
                    .contains("OK node 0: same genesis file")
                    .doesNotContain("answers at 127.0.0.1:" + second);
        }
    }

    @Test
    void shouldNameWhatIsWrongInADirectory() throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestGenesis.write(files.resolve("net"), ports.base());
            NodeDirectory node = new NodeDirectory(files.resolve("net/node0"));
            assertThat(doctor(node)).as(() -> output).isZero();
            assertThat(output)
                    .contains("OK port votes: 127.0.0.1:" + ports.base() + " is free")
                    .contains("WARN key format: PKCS#8, not encrypted")
                    .contains("WARN clock: no other member answers")
                    .contains("OK votes: ");

            Path mark = node.root().resolve("node.key.never-voted");
            byte[] made = Files.readAllBytes(mark);
            Files.delete(mark);
            assertThat(doctor(node)).isEqualTo(FAILED);
            assertThat(output)
                    .contains("FAIL votes: replica-log/ has no record, and nothing shows that its key has never voted:"
                            + " there is no " + mark + "; the node refuses to start; if the key is new, put the file");
            Files.write(mark, made);

            Files.copy(files.resolve("net/node2/node.key"), node.keyFile(), StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(node.keyFile(), PosixFilePermissions.fromString("rw-r-----"));
            for (Path key : List.of(node.engineKeyFile(), node.auditorKeyFile())) {
                Files.setPosixFilePermissions(Files.createFile(key), PosixFilePermissions.fromString("rw-r--r--"));
            }
            Files.setPosixFilePermissions(node.root(), PosixFilePermissions.fromString("rwxrwxr-x"));
            try (ServerSocket other = new ServerSocket(ports.base() + 2, 1, InetAddress.getLoopbackAddress())) {
                assertThat(doctor(node, "--timeout-ms", "200"))
                        .as("a port that never answers")
                        .isEqualTo(FAILED);
                assertThat(output)
                        .contains(
                                "FAIL port gateway: 127.0.0.1:" + other.getLocalPort() + " is held by another process");
            }
            Files.setPosixFilePermissions(node.root(), PosixFilePermissions.fromString("rwxr-xr-x"));
            assertThat(output)
                    .contains("FAIL key mode: rw-r-----, others may use the file; chmod 600 ")
                    .contains("FAIL engine.key mode: rw-r--r--, others may use the file; chmod 600 ")
                    .contains("FAIL auditor.key mode: rw-r--r--, others may use the file; chmod 600 ")
                    .contains("FAIL directory: ", "others may replace the node's files; chmod go-w ")
                    .contains("FAIL key: the chain has another key for node 0 (node0); this one is that of"
                            + " node 2 (node2); restore node.key, or correct node-id");

            Path encrypted = files.resolve("encrypted");
            KeyFile.writeEncrypted(encrypted, KeyFile.read(node.keyFile()), "correct horse".toCharArray());
            Files.move(encrypted, node.keyFile(), StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(node.propertiesFile(), "require-genesis-signatures=true\n", StandardOpenOption.APPEND);
            assertThat(doctor(node)).isEqualTo(FAILED);
            assertThat(output)
                    .contains("FAIL key: " + node.keyFile() + " is encrypted: set key-passphrase-file")
                    .contains("FAIL genesis signatures: require-genesis-signatures=true, and there is no ");

            Files.writeString(node.propertiesFile(), "ring-sise=3\n", StandardOpenOption.APPEND);
            Files.writeString(node.genesisFile(), "{}");
            assertThat(doctor(node)).isEqualTo(FAILED);
            assertThat(output)
                    .contains("FAIL settings: node.properties: unknown keys [ring-sise]")
                    .contains("FAIL genesis: genesis: chainId is 0; copy the file of another member");
            assertThat(doctor(new NodeDirectory(files.resolve("absent")))).isEqualTo(FAILED);
            assertThat(output).contains("FAIL directory: there is no directory ");
        }
    }

    /** The passphrase comes through a pipe, from which it can be read once. */
    @Test
    void shouldTryAWrongPassphraseOnce() throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            assertThat(NodeTool.commandLine()
                            .execute(
                                    "testnet",
                                    "--dir=" + files.resolve("net"),
                                    "--base-port=" + ports.base(),
                                    "--tls",
                                    "--force"))
                    .isZero();
            NodeDirectory node = new NodeDirectory(files.resolve("net/node0"));
            Path encrypted = files.resolve("encrypted");
            KeyFile.writeEncrypted(encrypted, KeyFile.read(node.keyFile()), "correct horse".toCharArray());
            Files.move(encrypted, node.keyFile(), StandardCopyOption.REPLACE_EXISTING);
            Path pipe = node.root().resolve("node.pass");
            assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                            .start()
                            .waitFor())
                    .isZero();
            Files.writeString(node.propertiesFile(), "key-passphrase-file=node.pass\n", StandardOpenOption.APPEND);

            CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(() -> doctor(node));
            Files.writeString(pipe, "wrong\n");

            Facts.await("its end", exitCode::isDone);
            assertThat(exitCode).isCompletedWithValue(FAILED);
            assertThat(output.lines().filter(line -> line.startsWith("FAIL key: wrong passphrase for ")))
                    .hasSize(1);
        }
    }

    @Test
    void shouldPrintTheSameAsJson() throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestGenesis.write(files.resolve("net"), ports.base());
            NodeDirectory node = new NodeDirectory(files.resolve("net/node0"));
            Files.writeString(node.propertiesFile(), "laboratory=true\n", StandardOpenOption.APPEND);

            assertThat(doctor(node, "--json")).isZero();

            DoctorReport.Builder report = DoctorReport.newBuilder();
            JsonFormat.parser().merge(output, report);
            assertThat(report.getHealthy()).isTrue();
            assertThat(report.getFindingsList())
                    .contains(DoctorFinding.newBuilder()
                            .setLevel("WARN")
                            .setCheck("settings")
                            .setFact("laboratory=true: a node of experiments")
                            .setRemedy("never in production: remove laboratory and experiment.*")
                            .build())
                    .extracting(DoctorFinding::getCheck)
                    .contains("java", "memory", "descriptors", "disk space", "disk speed", "disk sync", "tls", "clock");
            Files.delete(node.keyFile());
            assertThat(doctor(node, "--json")).isEqualTo(FAILED);
            assertThat(output).contains("\"healthy\": false");
        }
    }

    private static List<Path> temporaryFiles(Path directory) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.filter(file -> file.getFileName().toString().contains("doctor"))
                    .toList();
        }
    }

    private int doctor(NodeDirectory node, String... options) {
        StringWriter text = new StringWriter();
        CommandLine commandLine = NodeTool.commandLine();
        String[] arguments = Stream.concat(Stream.of("doctor", node.root().toString()), Stream.of(options))
                .toArray(String[]::new);
        int exitCode = commandLine
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(text, true))
                .execute(arguments);
        output = text.toString();
        return exitCode;
    }
}
