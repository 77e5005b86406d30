package io.sealbook.keytool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.KeyFormat;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.Passphrases;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.StoredKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Auditor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands as a person types them, with their exit codes. */
class KeyToolTest {
    private static final int WRONG = 1;
    private static final int WRONG_USE = 2;
    private static final int CLOSED = 77;

    @TempDir
    private Path folder;

    private Path pass;
    private Path otherPass;
    private String out;
    private String err;

    @BeforeEach
    void writePassphrases() throws IOException {
        pass = ownerOnly("pass", "correct horse");
        otherPass = ownerOnly("other.pass", "battery staple");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm2", "secp256k1"})
    void shouldMakeAnEncryptedKeyAndItsPublicHalf(String scheme) throws IOException {
        assertThat(keys("new", file("a.key"), "--scheme", scheme, "--passphrase-file", pass.toString()))
                .isZero();

        StoredKey stored = KeyFile.open(folder.resolve("a.key"), source());
        VerificationKey key = stored.key().verificationKey();
        assertThat(stored.format()).isEqualTo(KeyFormat.ENCRYPTED_PKCS8);
        assertThat(stored.iterationCount()).isGreaterThanOrEqualTo(600_000);
        assertThat(key.scheme())
                .isEqualTo(scheme.equals("sm2") ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256);
        assertThat(folder.resolve("a.key.pub")).hasContent(PublicKeyPem.text(key));
        assertThat(out).contains("fingerprint: " + PublicKeyPem.fingerprint(key), ", encrypted");
    }

    @Test
    void shouldWriteAPlainKeyOnlyIfToldSo() throws IOException {
        assertThat(keys("new", file("a.key"))).isEqualTo(CLOSED);
        assertThat(err).contains("--passphrase-file or --passphrase-env; --plain writes it unencrypted");
        assertThat(folder.resolve("a.key")).doesNotExist();
        assertThat(folder.resolve("a.key.pub")).doesNotExist();

        assertThat(keys("new", file("a.key"), "--plain", "--passphrase-file", pass.toString()))
                .isEqualTo(WRONG_USE);
        assertThat(keys("new", file("a.key"), "--plain")).isZero();
        assertThat(KeyFile.open(folder.resolve("a.key"), PassphraseSource.NONE).format())
                .isEqualTo(KeyFormat.PKCS8);
        assertThat(out).contains("not encrypted");
    }

    @Test
    void shouldNeverOverwriteAKey() throws IOException {
        keys("new", file("a.key"), "--plain");
        byte[] before = Files.readAllBytes(folder.resolve("a.key"));

        assertThat(keys("new", file("a.key"), "--plain")).isEqualTo(WRONG);
        assertThat(err).isEqualTo(file("a.key") + " exists, and a key is never overwritten\n");
        Files.writeString(folder.resolve("b.key.pub"), "somebody's");
        assertThat(keys("new", file("b.key"), "--plain")).isEqualTo(WRONG);
        assertThat(folder.resolve("b.key")).doesNotExist();
        assertThat(keys("export", "--format", "plain", "--out", file("a.key"), file("a.key")))
                .isEqualTo(WRONG);
        assertThat(folder.resolve("a.key")).hasBinaryContent(before);
    }

    /** A copy of a key may be that of a node which has voted. */
    @Test
    void shouldMarkANewKeyAndNoExportedOne() throws IOException {
        assertThat(keys("new", file("a.key"), "--plain")).isZero();

        VerificationKey key = KeyFile.read(folder.resolve("a.key")).verificationKey();
        assertThat(NeverVotedMark.of(folder.resolve("a.key"), key).fault()).isEmpty();
        assertThat(out).contains("never voted: " + file("a.key.never-voted") + ", which a node needs beside its key");

        assertThat(keys("export", "--format", "plain", "--out", file("b.key"), file("a.key")))
                .as(err)
                .isZero();
        assertThat(folder.resolve("b.key")).exists();
        assertThat(folder.resolve("b.key.never-voted")).doesNotExist();
    }

    @Test
    void shouldNotReplaceAMark() throws IOException {
        Files.writeString(folder.resolve("a.key.never-voted"), "of another key");

        assertThat(keys("new", file("a.key"), "--plain")).isEqualTo(WRONG);

        assertThat(err).contains("a.key.never-voted exists");
        assertThat(folder.resolve("a.key")).doesNotExist();
    }

    /** The write of an interrupted thread fails. */
    @Test
    void shouldLeaveNothingOfAKeyWhosePublicHalfCannotBeWritten() throws IOException {
        Path file = folder.resolve("a.key");
        SigningKey key = SigningKey.generate(SignatureScheme.SM2_SM3);
        KeyFile.write(file, key);

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> NewKeyFiles.finish(
                        file,
                        key.verificationKey(),
                        NewKeyFiles.Protection.MODE,
                        true,
                        new PrintWriter(Writer.nullWriter())))
                .isInstanceOf(ClosedByInterruptException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).doesNotExist();
        assertThat(folder.resolve("a.key.pub")).doesNotExist();
        assertThat(NeverVotedMark.file(file)).doesNotExist();
        assertThat(keys("new", file.toString(), "--plain")).as(err).isZero();
    }

    @Test
    void shouldNameTheMarkOfAModulesKeyThatCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("a.key"), "pkcs11-label=a\n");
        SigningKey key = SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> NewKeyFiles.finish(
                        file,
                        key.verificationKey(),
                        NewKeyFiles.Protection.MODULE,
                        true,
                        new PrintWriter(Writer.nullWriter())))
                .hasMessageContaining(NeverVotedMark.file(file) + " cannot be written")
                .hasMessageContaining("make another key, under another label");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).exists();
    }

    /** It names the only way to the key. */
    @Test
    void shouldKeepTheFileOfAModulesKeyWhosePublicHalfCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("a.key"), "pkcs11-label=a\n");
        SigningKey key = SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> NewKeyFiles.finish(
                        file,
                        key.verificationKey(),
                        NewKeyFiles.Protection.MODULE,
                        false,
                        new PrintWriter(Writer.nullWriter())))
                .hasMessageContaining("'keys export --format public' writes it");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).exists();
        assertThat(folder.resolve("a.key.pub")).doesNotExist();
    }

    /** The file comes first: a key in a module that no file names would be in the way of the next attempt. */
    @Test
    void shouldTouchNoModuleWithoutAFileForItsKey() {
        String[] module = {"--scheme", "secp256k1", "--pkcs11-library", "none.so", "--passphrase-file", pass.toString()
        };
        List<String> arguments = new ArrayList<>(List.of("new", file("missing/a.key")));
        arguments.addAll(List.of(module));

        assertThat(keys(arguments.toArray(String[]::new))).isEqualTo(WRONG);
        assertThat(err).contains("missing/a.key").doesNotContain("none.so");

        arguments.set(1, file("a.key"));
        assertThat(keys(arguments.toArray(String[]::new))).isEqualTo(WRONG);
        assertThat(err).contains("there is no PKCS#11 library", "none.so");
        assertThat(folder.resolve("a.key")).doesNotExist();
    }

    @Test
    void shouldRefuseAShortPassphraseForANewKey() throws IOException {
        Path shortPass = ownerOnly("short", "1234567");

        assertThat(keys("new", file("a.key"), "--passphrase-file", shortPass.toString()))
                .isEqualTo(CLOSED);

        assertThat(err).contains("has 7 characters, a new one has at least 8");
    }

    /** One line, no trace, and an exit code that scripts can tell from all others. */
    @Test
    void shouldTellAWrongPassphraseFromEverythingElse() {
        keys("new", file("a.key"), "--passphrase-file", pass.toString());
        keys("new", file("a.p12"), "--pkcs12", "--passphrase-file", pass.toString());

        for (String file : new String[] {file("a.key"), file("a.p12")}) {
            for (String command : new String[] {"show", "check"}) {
                assertThat(keys(command, file, "--passphrase-file", otherPass.toString()))
                        .isEqualTo(CLOSED);
                assertThat(err).isEqualTo("wrong passphrase for " + file + ", or the file is damaged\n");
                assertThat(keys(command, file)).isEqualTo(CLOSED);
                assertThat(err)
                        .isEqualTo(file
                                + " is encrypted: name its passphrase with --passphrase-file or --passphrase-env\n");
            }
        }
        assertThat(keys("show", file("a.key"), "--passphrase-env", "NO_SUCH_VARIABLE_HERE"))
                .isEqualTo(CLOSED);
        assertThat(err).contains("NO_SUCH_VARIABLE_HERE is not set");
        assertThat(keys("show", file("absent"))).isEqualTo(WRONG);
        assertThat(err).isEqualTo("there is no file " + file("absent") + "\n");
    }

    @Test
    void shouldRefuseAPassphraseFileOfOthers() throws IOException {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "needs POSIX file modes");
        Files.setPosixFilePermissions(pass, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(keys("new", file("a.key"), "--passphrase-file", pass.toString()))
                .isEqualTo(CLOSED);

        assertThat(err).contains("rw-r-----", "chmod 600");
        assertThat(folder.resolve("a.key")).doesNotExist();
    }

    /** For one scheme: each derivation of a key is slow on purpose, and no command looks at the scheme. */
    @Test
    void shouldExportBetweenAllFormats() throws IOException {
        keys("new", file("a.key"), "--scheme", "SM2_SM3", "--passphrase-file", pass.toString());
        String[] from = {"--passphrase-file", pass.toString(), file("a.key")};
        String[] to = {"--new-passphrase-file", otherPass.toString()};

        assertThat(keys("export", "--format", "pkcs12", "--out", file("b"), to[0], to[1], from[0], from[1], from[2]))
                .isZero();
        assertThat(keys("export", "--format", "pkcs8", "--out", file("c"), to[0], to[1], from[0], from[1], from[2]))
                .isZero();
        assertThat(keys(
                        "export",
                        "--format",
                        "plain",
                        "--out",
                        file("d"),
                        "--passphrase-file",
                        otherPass.toString(),
                        file("b")))
                .isZero();
        assertThat(keys("export", "--format", "public", "--passphrase-file", otherPass.toString(), file("c")))
                .isZero();

        assertThat(out).isEqualTo(Files.readString(folder.resolve("a.key.pub")));
        VerificationKey key = PublicKeyPem.parse("stdout", out);
        for (String file : new String[] {"b", "c", "d"}) {
            assertThat(KeyFile.read(folder.resolve(file), Passphrases.ofFile(otherPass))
                            .verificationKey())
                    .isEqualTo(key);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(keys("export", "--format", "plain", file("d"))).isEqualTo(WRONG_USE);
        assertThat(err).contains("a private key is never printed");
    }

    @Test
    void shouldShowPublicAndPrivateFilesAlike() {
        keys("new", file("a.key"), "--passphrase-file", pass.toString());
        String made = out.substring(out.indexOf("scheme: "));

        assertThat(keys("show", file("a.key.pub"))).isZero();
        assertThat(out).isEqualTo("format: public key, X.509 PEM\n" + made);
        assertThat(keys("show", "--passphrase-file", pass.toString(), file("a.key")))
                .isZero();
        assertThat(out)
                .isEqualTo("format: encrypted PKCS#8: PBES2, PBKDF2-HMAC-SHA256 with 600000 iterations, AES-256-CBC\n"
                        + made);
    }

    @Test
    void shouldFindNothingWrongWithAGoodKey() {
        keys("new", file("a.key"), "--passphrase-file", pass.toString());

        assertThat(keys("check", "--passphrase-file", pass.toString(), file("a.key")))
                .isZero();

        assertThat(out.lines())
                .hasSize(5)
                .allMatch(line -> line.startsWith("OK "))
                .anyMatch(line -> line.startsWith("OK format: encrypted PKCS#8"))
                .contains("OK mode: rw-------")
                .anyMatch(line -> line.startsWith("OK public file: "));
    }

    @Test
    void shouldNameWhatIsWrongWithAKey() throws IOException {
        keys("new", file("a.key"), "--plain");
        keys("new", file("b.key"), "--plain");
        Files.copy(
                folder.resolve("b.key.pub"),
                folder.resolve("a.key.pub"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(folder.resolve("a.key"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(keys("check", file("a.key"))).isEqualTo(WRONG);

        assertThat(out)
                .contains("WARN format: PKCS#8, not encrypted; 'keys export --format pkcs8' writes it encrypted\n")
                .contains("FAIL mode: rw-r--r--, others may use the file; chmod 600 " + file("a.key"))
                .contains("FAIL public file: " + file("a.key.pub") + " is another key");
        Files.writeString(folder.resolve("c.key"), "no key at all");
        assertThat(keys("check", file("c.key"))).isEqualTo(WRONG);
        assertThat(out).contains("FAIL file: no private key in");
        assertThat(keys("check", file("absent"))).isEqualTo(WRONG);
        assertThat(out).contains("FAIL file: there is no file");
    }

    /** As OpenSSL writes them without being told how. */
    @Test
    void shouldWarnOfAWeakEncryption() throws Exception {
        assumeTrue(isOpensslInstalled(), "needs openssl on PATH");
        keys("new", file("a.key"), "--plain", "--scheme", "secp256k1");
        String[] passphrase = {"--passphrase-file", pass.toString()};
        openssl("pkcs8", "-topk8", "-v1", "PBE-SHA1-3DES", "-in", "a.key", "-out", "old.key", "-passout", "file:pass");
        openssl("req", "-x509", "-key", "a.key", "-sha256", "-subj", "/CN=b", "-out", "a.pem");
        openssl("pkcs12", "-export", "-inkey", "a.key", "-in", "a.pem", "-out", "a.p12", "-passout", "file:pass");

        assertThat(keys("check", passphrase[0], passphrase[1], file("old.key"))).isZero();
        assertThat(out)
                .contains("WARN format: encrypted PKCS#8: not PBES2 but ")
                .contains(", recommended is PBES2 with AES-256-CBC; 'keys export --format pkcs8' writes it so");
        assertThat(keys("check", passphrase[0], passphrase[1], file("a.p12"))).isZero();
        assertThat(out)
                .contains("WARN format: PKCS#12: PBES2, PBKDF2-HMAC-SHA256 with 2048 iterations, AES-256-CBC; ")
                .contains(", recommended are 600000; ");
    }

    private static boolean isOpensslInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private void openssl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    void shouldTellWhoseAKeyIs() throws IOException {
        for (String name : new String[] {"node", "broker", "auditor", "stranger"}) {
            keys("new", file(name), "--plain");
        }
        List<VerificationKey> nodes = new ArrayList<>(List.of(key("node")));
        for (int i = 1; i < 4; i++) {
            nodes.add(SigningKey.generate(SignatureScheme.SM2_SM3).verificationKey());
        }
        GenesisOfTest.write(
                folder,
                GenesisOfTest.of(nodes, key("broker"))
                        .addAuditors(Auditor.newBuilder()
                                .setAuditorId(5)
                                .setName("Eye")
                                .setKey(GenesisOfTest.key(key("auditor")))));

        assertOwner("node", 0, "OK owner: node 0 (member 0)");
        assertOwner("broker", 0, "OK owner: key 2 of broker 3 (Third)");
        assertOwner("auditor.pub", 0, "OK owner: auditor 5 (Eye)");
        assertOwner("stranger", WRONG, "FAIL owner: the genesis file has no such key");
    }

    private void assertOwner(String name, int exitCode, String line) {
        assertThat(keys("check", "--genesis", file("genesis.json"), file(name))).isEqualTo(exitCode);
        assertThat(out).contains(line);
    }

    private VerificationKey key(String name) throws IOException {
        return KeyFile.read(folder.resolve(name)).verificationKey();
    }

    private PassphraseSource source() {
        return Passphrases.ofFile(pass);
    }

    private Path ownerOnly(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content + "\n");
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        return file;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private int keys(String... arguments) {
        KeysRun run = KeysRun.of(arguments);
        out = run.out();
        err = run.err();
        return run.exitCode();
    }
}
