package io.sealbook.keytool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.ModuleFailureException;
import io.sealbook.crypto.Passphrases;
import io.sealbook.crypto.Pkcs11KeyFile;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.Signer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A key in SoftHSM. The pom sets the variable SOFTHSM2_CONF, which the library reads once per process. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class Pkcs11KeyTest {
    private static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");

    @TempDir
    static Path folder;

    private static Path key;
    private static Path pin;
    private String out;
    private String err;

    @BeforeAll
    static void makeToken() throws Exception {
        assumeTrue(Files.exists(LIBRARY), "needs SoftHSM: there is no " + LIBRARY);
        Path settings = Path.of(System.getenv("SOFTHSM2_CONF"));
        Path tokens = Files.createDirectories(folder.resolve("tokens"));
        Files.writeString(settings, "directories.tokendir = " + tokens + "\nlog.level = ERROR\n");
        Process process = new ProcessBuilder(
                        "softhsm2-util",
                        "--init-token",
                        "--free",
                        "--label",
                        "sealbook",
                        "--so-pin",
                        "12345678",
                        "--pin",
                        "87654321")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        key = folder.resolve("node.key");
        pin = ownerOnly("pin", "87654321");
    }

    /** The first one: PKCS#11 logs a process in once. */
    @Test
    @Order(0)
    void shouldRefuseAWrongPin() throws IOException {
        Path wrongPin = ownerOnly("wrong", "00000000");
        Path file = folder.resolve("early.key");
        new Pkcs11KeyFile(LIBRARY, OptionalLong.empty(), "early", "0").write(file);

        assertThatThrownBy(() -> KeyFile.readSigner(file, Passphrases.ofFile(wrongPin)))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining("wrong PIN");
        assertThatThrownBy(() -> KeyFile.readSigner(file, Passphrases.ofFile(pin)))
                .hasMessageContaining("has no private key whose certificate has label early");
    }

    @Test
    @Order(1)
    void shouldMakeAKeyThatStaysInTheModule() throws IOException {
        assertThat(make(key, "node0")).as(err).isZero();

        assertThat(out).contains("in the hardware module");
        assertThat(key).content().contains("pkcs11-label=node0").doesNotContain("PRIVATE");
        assertThat(keys("show", key.toString(), "--passphrase-file", pin.toString()))
                .isZero();
        assertThat(out).contains("key in a hardware module (PKCS#11): label node0 of " + LIBRARY);
        assertThat(keys("check", key.toString(), "--passphrase-file", pin.toString()))
                .isZero();
        assertThat(out).contains("OK pair: the module signs").contains("OK public file:");
        assertThat(keys(
                        "export",
                        key.toString(),
                        "--format",
                        "plain",
                        "--out",
                        folder.resolve("stolen").toString(),
                        "--passphrase-file",
                        pin.toString()))
                .isEqualTo(1);
        assertThat(err).contains("the key does not leave it");
    }

    @Test
    @Order(2)
    void shouldSignFromManyThreadsAsVerifiersWantIt() throws Exception {
        Signer signer = KeyFile.readSigner(key, Passphrases.ofFile(pin));
        List<byte[]> messages = IntStream.range(0, 64)
                .mapToObj(i -> ("message " + i).getBytes(StandardCharsets.US_ASCII))
                .toList();
        SignatureBatch batch = new SignatureBatch(messages.size());

        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<byte[]>> calls = messages.stream()
                    .<Callable<byte[]>>map(message -> () -> signer.sign(message))
                    .toList();
            List<Future<byte[]>> signatures = threads.invokeAll(calls);
            for (int i = 0; i < messages.size(); i++) {
                batch.add(
                        signer.verificationKey(),
                        messages.get(i),
                        signatures.get(i).get());
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(SignatureProviders.named("bc").verify(batch)).isEqualTo(messages.size());
    }

    @Test
    @Order(3)
    void shouldRefuseAnotherKeyAndASecondOne() throws IOException {
        assertThat(make(folder.resolve("same.key"), "node0")).isEqualTo(1);
        assertThat(err).contains("has a key with label node0");
        assertThat(make(folder.resolve("node1.key"), "node1")).as(err).isZero();
        assertThat(make(folder.resolve("missing/late.key"), "late")).isEqualTo(1);
        assertThat(make(folder.resolve("late.key"), "late")).as(err).isZero();
        Path swapped = folder.resolve("swapped.key");
        Files.writeString(swapped, Files.readString(key).replace("=node0", "=node1"));
        assertThatThrownBy(() -> KeyFile.readSigner(swapped, Passphrases.ofFile(pin)))
                .hasMessageContaining("the module has another key under label node1");
        assertThat(keys("new", folder.resolve("sm2.key").toString(), "--pkcs11-library", LIBRARY.toString()))
                .isEqualTo(2);
        assertThat(err).contains("a hardware module takes --scheme secp256k1");
    }

    /** The last one: the token is gone afterwards. */
    @Test
    @Order(4)
    void shouldSayThatTheModuleDoesNotSign() throws IOException {
        Signer signer = KeyFile.readSigner(key, Passphrases.ofFile(pin));
        try (Stream<Path> files = Files.walk(folder.resolve("tokens"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }

        assertThatThrownBy(() -> signer.sign(new byte[1]))
                .isInstanceOf(ModuleFailureException.class)
                .hasMessageContaining("label node0: the module does not sign");
    }

    private int make(Path file, String label) {
        return keys(
                "new",
                file.toString(),
                "--scheme",
                "secp256k1",
                "--pkcs11-library",
                LIBRARY.toString(),
                "--pkcs11-label",
                label,
                "--passphrase-file",
                pin.toString());
    }

    private int keys(String... args) {
        KeysRun run = KeysRun.of(args);
        out = run.out();
        err = run.err();
        return run.exitCode();
    }

    private static Path ownerOnly(String name, String line) throws IOException {
        Path file = Files.writeString(folder.resolve(name), line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }
}
