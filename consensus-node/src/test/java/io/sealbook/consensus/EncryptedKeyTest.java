package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.OpenedKeys;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.SigningKey;
import io.sealbook.protocol.v1.PublicKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A member keeps its identity key encrypted: node, tools and refusals. */
@Timeout(300)
class EncryptedKeyTest {
    private static final int CLOSED = 77;
    private static final String SETTING = "key-passphrase-file=node.pass\n";

    @TempDir
    private Path files;

    private String output;

    @Test
    void shouldRunANodeWithAnEncryptedKey() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            cluster.kill(2);
            encrypt(cluster.nodeDirectory(2), SETTING);

            cluster.startNode(2);
            cluster.awaitConnected();

            assertThat(tool(
                            "admin",
                            "propose",
                            "--node-dir",
                            cluster.nodeDirectory(2).root().toString(),
                            "--halt",
                            "1",
                            "--out",
                            files.resolve("t.json").toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(tool(
                            "admin",
                            "approve",
                            "--node-dir",
                            cluster.nodeDirectory(2).root().toString(),
                            files.resolve("t.json").toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains("[2]");
        }
    }

    @Test
    void shouldNotStartWithAKeyThatStaysClosed() throws Exception {
        TestGenesis.write(files.resolve("net"), 7100);
        NodeDirectory node = new NodeDirectory(files.resolve("net/node0"));
        encrypt(node, "");
        assertThat(tool("start", node.root().toString())).isEqualTo(CLOSED);
        assertThat(output)
                .isEqualTo(node.keyFile() + " is encrypted: set key-passphrase-file or key-passphrase-env, or start it"
                        + " at a console\n");

        Files.writeString(node.propertiesFile(), SETTING, StandardOpenOption.APPEND);
        Files.writeString(node.root().resolve("node.pass"), "battery staple\n");
        assertThat(tool("start", node.root().toString())).isEqualTo(CLOSED);
        assertThat(output).isEqualTo("wrong passphrase for " + node.keyFile() + ", or the file is damaged\n");
        assertThat(tool("inspect", node.root().toString())).isEqualTo(CLOSED);

        Files.writeString(node.propertiesFile(), "key-passphrase-env=NODE_PASS\n", StandardOpenOption.APPEND);
        assertThat(tool("start", node.root().toString())).isEqualTo(1);
        assertThat(output).contains("key-passphrase-file and key-passphrase-env are both set");
    }

    /** As an epoch does that begins long after the start. */
    @Test
    void shouldOpenANodeAgainWithoutItsPassphrase() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            cluster.kill(2);
            NodeDirectory node = cluster.nodeDirectory(2);
            encrypt(node, SETTING);
            OpenedKeys keys = new OpenedKeys();
            ConsensusNode.open(node, StartOptions.NONE, keys, failure -> {}).close();
            Files.delete(node.root().resolve("node.pass"));

            assertThatThrownBy(() -> ConsensusNode.open(node, StartOptions.NONE, new OpenedKeys(), failure -> {}))
                    .isInstanceOf(KeyPassphraseException.class);
            assertThatCode(() -> ConsensusNode.open(node, StartOptions.NONE, keys, failure -> {})
                            .close())
                    .as("the key that was opened before")
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void shouldTakePublicKeysOfBothForms() throws Exception {
        Path pass = Files.writeString(files.resolve("pass"), "correct horse\n");
        Files.setPosixFilePermissions(pass, PosixFilePermissions.fromString("rw-------"));
        assertThat(tool("keys", "new", file("a"), "--passphrase-file", pass.toString()))
                .isZero();
        assertThat(Files.readString(files.resolve("a"))).startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
        PublicKey key = PublicKeyFile.read(files.resolve("a.pub"));
        Files.writeString(
                files.resolve("old.pub"),
                "SM2_SM3 " + HexFormat.of().formatHex(key.getPoint().toByteArray()) + "\n");

        assertThat(PublicKeyFile.read(files.resolve("old.pub"))).isEqualTo(key);
        assertThat(tool("keys", "show", file("a.pub"))).isZero();
        String fingerprint =
                output.substring(output.indexOf("fingerprint: ") + 13).strip();
        assertThat(tool("keys", "new", file("b"), "--passphrase-file", pass.toString()))
                .isZero();
        TestGenesis.write(files.resolve("net"), 7100);
        assertThat(tool(
                        "admin",
                        "propose",
                        "--genesis",
                        file("net/genesis.json"),
                        "--number",
                        "1",
                        "--add-key",
                        "1:2:" + file("a.pub"),
                        "--out",
                        file("t.json")))
                .isZero();
        assertThat(output).as("the owner's fingerprint").contains(fingerprint);
    }

    private void encrypt(NodeDirectory node, String setting) throws IOException {
        SigningKey key = KeyFile.read(node.keyFile());
        Files.delete(node.keyFile());
        KeyFile.writeEncrypted(node.keyFile(), key, "correct horse".toCharArray());
        Path pass = Files.writeString(node.root().resolve("node.pass"), "correct horse\n");
        Files.setPosixFilePermissions(pass, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(node.propertiesFile(), setting, StandardOpenOption.APPEND);
    }

    private String file(String name) {
        return files.resolve(name).toString();
    }

    private int tool(String... arguments) {
        StringWriter text = new StringWriter();
        CommandLine commandLine = NodeTool.commandLine();
        int exitCode = commandLine
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(text, true))
                .execute(arguments);
        output = text.toString();
        return exitCode;
    }
}
