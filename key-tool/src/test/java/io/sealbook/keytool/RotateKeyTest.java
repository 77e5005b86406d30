package io.sealbook.keytool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Passphrases;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rotation of a broker's and a node's key as its owner does it. */
class RotateKeyTest {
    private static final int WRONG = 1;
    private static final int WRONG_USE = 2;
    private static final int CLOSED = 77;
    private static final String SETTINGS = "# of broker 3\nbrokerId=3\nkeyId : 2\nscheme=ECDSA_SECP256K1_SHA256\n";

    @TempDir
    private Path folder;

    private Path broker;
    private Path node;
    private String pass;
    private Genesis.Builder genesis;
    private KeysRun run;

    @BeforeEach
    void writeDirectories() throws IOException {
        List<VerificationKey> nodes = new ArrayList<>();
        node = Files.createDirectory(folder.resolve("node0"));
        Files.writeString(node.resolve("node.properties"), "node-id=0\n");
        nodes.add(newKey(node.resolve("node.key"), SignatureScheme.SM2_SM3));
        for (int i = 1; i < 4; i++) {
            nodes.add(SigningKey.generate(SignatureScheme.SM2_SM3).verificationKey());
        }
        broker = Files.createDirectory(folder.resolve("broker3"));
        VerificationKey key = newKey(broker.resolve("broker.key"), SignatureScheme.ECDSA_SECP256K1_SHA256);
        write(SETTINGS);
        genesis = GenesisOfTest.of(nodes, key);
        GenesisOfTest.write(folder, genesis);
        pass = ownerOnly(folder.resolve("pass"), "correct horse").toString();
    }

    @Test
    void shouldPrepareABrokersKeyBesideTheOneInUse() throws IOException {
        byte[] present = Files.readAllBytes(broker.resolve("broker.key"));

        assertThat(rotate(broker, "--passphrase-file", pass))
                .as(() -> run.err())
                .isZero();

        Path fresh = broker.resolve("broker.key.3");
        VerificationKey key =
                KeyFile.read(fresh, Passphrases.ofFile(Path.of(pass))).verificationKey();
        assertThat(key.scheme()).as("as before").isEqualTo(SignatureScheme.ECDSA_SECP256K1_SHA256);
        assertThat(fresh).content().startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
        assertThat(broker.resolve("broker.key.3.pub")).hasContent(PublicKeyPem.text(key));
        assertThat(broker.resolve("broker.key.3.never-voted"))
                .as("brokers do not vote")
                .doesNotExist();
        assertThat(run.out().lines())
                .contains("fingerprint: " + PublicKeyPem.fingerprint(key))
                .contains("proposal: admin propose --node-dir NODE_DIR --add-key 3:3:" + fresh
                        + ".pub --reason rotation --out add-key-3-3.json")
                .last()
                .asString()
                .startsWith("next: give " + fresh + ".pub and its fingerprint to a member")
                .endsWith("'keys rotate " + broker + " --switch --key-id 3'");
        assertThat(broker.resolve("broker.key")).hasBinaryContent(present);
        assertThat(broker.resolve("broker.properties")).hasContent(SETTINGS);

        assertThat(rotate(broker, "--passphrase-file", pass)).isEqualTo(WRONG);
        assertThat(run.err()).isEqualTo(fresh + " exists, and a key is never overwritten\n");
    }

    @Test
    void shouldSwitchABrokerToItsNewKeyOnlyIfThatOpens() throws IOException {
        Files.setPosixFilePermissions(
                broker.resolve("broker.properties"), PosixFilePermissions.fromString("rw-r-----"));
        assertThat(rotate(broker, "--switch")).isEqualTo(WRONG);
        assertThat(run.err()).isEqualTo("there is no file " + broker.resolve("broker.key.3") + "\n");
        rotate(broker, "--passphrase-file", pass, "--scheme", "sm2");
        assertThat(rotate(broker, "--switch")).as("no passphrase").isEqualTo(CLOSED);
        Path wrong = ownerOnly(folder.resolve("wrong"), "battery staple");
        assertThat(rotate(broker, "--switch", "--passphrase-file", wrong.toString()))
                .isEqualTo(CLOSED);
        assertThat(broker.resolve("broker.properties")).hasContent(SETTINGS);

        assertThat(rotate(broker, "--switch", "--passphrase-file", pass))
                .as(() -> run.err())
                .isZero();

        assertThat(broker.resolve("broker.properties"))
                .content()
                .isEqualTo("# of broker 3\nbrokerId=3\nkeyId=3\nscheme=SM2_SM3\nkey=broker.key.3\nkey-passphrase-file="
                        + pass + "\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(broker.resolve("broker.properties"))))
                .isEqualTo("rw-r-----");
        assertThat(run.out())
                .contains("key 3 in " + broker.resolve("broker.key.3") + ", before 2 in ")
                .contains("proposal: admin propose --node-dir NODE_DIR --revoke-key 3:2 --reason rotation --out"
                        + " revoke-key-3-2.json\n")
                .contains("next: start the broker's programs again");
        assertThat(run.err()).startsWith("warning: no node was asked whether the chain has key 3:3: ");
        assertThat(broker.resolve("broker.key")).exists();
        try (Stream<Path> files = Files.list(broker)) {
            assertThat(files).as("no other file is left").hasSize(4);
        }
    }

    /** The second rotation: the present key is encrypted, and the new one has its passphrase. */
    @Test
    void shouldKeepThePassphraseOfTheSettings() throws IOException {
        rotate(broker, "--passphrase-file", pass);
        rotate(broker, "--switch", "--passphrase-file", pass);

        assertThat(rotate(broker)).as(() -> run.err()).isZero();
        assertThat(rotate(broker, "--switch")).as(() -> run.err()).isZero();

        assertThat(broker.resolve("broker.properties"))
                .content()
                .contains("keyId=4\n", "key=broker.key.4\n", "key-passphrase-file=" + pass + "\n");
        assertThat(KeyFile.read(broker.resolve("broker.key.4"), Passphrases.ofFile(Path.of(pass))))
                .isNotNull();
        assertThat(run.out()).contains("--revoke-key 3:3 ");
    }

    @Test
    void shouldTakeAKeyIdThatTheBrokerNeverUsed() throws IOException {
        write("brokerId=3\nkeyId=1\n");
        for (String used : List.of("0", "1", "2", "65536", "4294967296")) {
            assertThat(rotate(broker, "--passphrase-file", pass, "--key-id", used))
                    .isEqualTo(WRONG);
            assertThat(run.err()).startsWith("key id " + used + " is used, or not in ");
        }

        assertThat(rotate(broker, "--passphrase-file", pass, "--key-id", "65535"))
                .isZero();

        assertThat(run.out()).contains("--add-key 3:65535:");
        assertThat(broker.resolve("broker.key.65535.pub")).exists();
    }

    @Test
    void shouldPrintANextStepThatSwitchesToAChosenKey() throws IOException {
        write(SETTINGS + "key-passphrase-file=" + pass + "\n");
        assertThat(rotate(broker, "--key-id", "6")).as(() -> run.err()).isZero();
        String step = run.out().strip().substring(run.out().indexOf("next: "));
        String command = step.substring(step.indexOf("'keys ") + "'keys ".length(), step.lastIndexOf('\''));

        run = KeysRun.of(command.split(" "));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(broker.resolve("broker.properties")).content().contains("keyId=6\n", "key=broker.key.6\n");
    }

    /** The thief of a key signs in its sessions for ever. */
    @Test
    void shouldNameFormerKeysThatHaveTheSessionsOfTheNewOne() throws IOException {
        genesis.getParametersBuilder().setSessionsPerBroker(64).setSessionsPerKey(16);
        GenesisOfTest.write(folder, genesis);
        write("brokerId=3\nkeyId=3\n");
        rotate(broker, "--passphrase-file", pass);
        assertThat(run.err()).as("key 4, the first of its sessions").isEmpty();
        write("brokerId=3\nkeyId=5\n");

        assertThat(rotate(broker, "--passphrase-file", pass)).isZero();

        assertThat(run.out()).contains("--add-key 3:6:");
        assertThat(run.err())
                .startsWith("warning: key 6 signs in sessions 16..31, as former keys may (2): ")
                .endsWith(" If one was stolen, choose an id with other sessions: --key-id\n");
        rotate(broker, "--passphrase-file", pass, "--key-id", "65534");
        assertThat(run.err()).startsWith("warning: key 65534 signs in sessions 16..31, as former keys may (2): ");
        write("brokerId=3\nkeyId=53\n");
        rotate(broker, "--passphrase-file", pass, "--key-id", "9");
        assertThat(run.err())
                .startsWith(
                        "warning: key 9 signs in sessions 0..15, as former keys may (1, 5, 13, 17, 21, 25, 29, 33 and"
                                + " others): ");
    }

    @Test
    void shouldNotWarnWhereEachKeyHasAllSessions() throws IOException {
        write("brokerId=3\nkeyId=53\n");

        assertThat(rotate(broker, "--passphrase-file", pass)).isZero();

        assertThat(run.err()).isEmpty();
    }

    @Test
    void shouldPrepareTheReplacementOfANode() {
        assertThat(rotate(node, "--passphrase-file", pass)).as(() -> run.err()).isZero();

        Path fresh = node.resolve("node.key.next");
        assertThat(run.out())
                .contains("proposal: admin propose --node-dir NODE_DIR --replace-node 0:" + fresh + ".pub --reason"
                        + " rotation --out replace-node-0.json\n")
                .contains("exit code 66: start it as a new machine, with node.key.next as node.key,"
                        + " node.key.next.never-voted as node.key.never-voted and without data");
        assertThat(fresh).exists();
        assertThat(node.resolve("node.key.next.never-voted")).exists();
        assertThat(rotate(node, "--switch")).isEqualTo(WRONG_USE);
        assertThat(run.err()).contains("the keys of a node do not overlap");
    }

    @Test
    void shouldRefuseADirectoryThatItDoesNotUnderstand() throws IOException {
        assertThat(rotate(folder)).isEqualTo(WRONG);
        assertThat(run.err()).isEqualTo(folder + " has neither broker.properties nor node.properties\n");
        assertThat(rotate(node, "--key-id", "2")).isEqualTo(WRONG);
        assertThat(rotate(broker)).as("never without a passphrase").isEqualTo(CLOSED);
        assertThat(broker.resolve("broker.key.3")).doesNotExist();

        rotate(broker, "--passphrase-file", pass);
        String folded = "brokerId=3\nkeyId=\\\n  2\n";
        write(folded);
        assertThat(rotate(broker, "--switch", "--passphrase-file", pass)).isEqualTo(WRONG);
        assertThat(run.err()).contains("a setting is written over several lines: change it by hand");
        assertThat(broker.resolve("broker.properties")).hasContent(folded);
    }

    private int rotate(Path directory, String... options) {
        List<String> arguments = new ArrayList<>(List.of("rotate", directory.toString()));
        arguments.addAll(List.of(options));
        run = KeysRun.of(arguments.toArray(String[]::new));
        return run.exitCode();
    }

    private void write(String settings) throws IOException {
        Files.writeString(broker.resolve("broker.properties"), settings);
    }

    private static VerificationKey newKey(Path file, SignatureScheme scheme) throws IOException {
        SigningKey key = SigningKey.generate(scheme);
        KeyFile.write(file, key);
        return key.verificationKey();
    }

    private static Path ownerOnly(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
