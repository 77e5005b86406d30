package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Key files go to OpenSSL and come from it: an implementation that shares nothing with ours. */
class OpensslKeyTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    /** Not ASCII: both sides must agree on UTF-8. */
    private static final String PASSPHRASE = "Öl für 3 Pferde";

    @TempDir
    private Path folder;

    private Path passphraseFile;
    private SigningKey key;

    @BeforeEach
    void requireOpenssl() throws Exception {
        assumeTrue(isInstalled(), "needs openssl on PATH");
        passphraseFile = Files.writeString(folder.resolve("pass"), PASSPHRASE + "\n");
        KeyFileTest.makeOwnerOnly(passphraseFile);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldWriteEncryptedKeysThatOpensslReads(SignatureScheme scheme) throws Exception {
        Path file = written(scheme, 81, "ours.key");

        String plain = openssl("pkcs8", "-in", file.toString(), "-passin", pass());
        String info = openssl("asn1parse", "-in", file.toString());

        assertThat(read("plain.key", plain).d()).isEqualTo(key.d());
        assertThat(info).contains("PBES2", "PBKDF2", "hmacWithSHA256", "aes-256-cbc", "0927C0");
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldReadEncryptedKeysThatOpensslWrites(SignatureScheme scheme) throws Exception {
        Path plain = opensslKey(scheme);
        String expected = PublicKeyPem.fingerprint(KeyFile.read(plain).verificationKey());

        for (List<String> form : List.of(
                List.of("-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA256", "-iter", "10000"),
                List.of("-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"),
                List.of("-scrypt"))) {
            Path file = folder.resolve("theirs" + form.hashCode() + ".key");
            List<String> arguments =
                    new ArrayList<>(List.of("pkcs8", "-topk8", "-in", plain.toString(), "-out", file.toString()));
            arguments.addAll(form);
            arguments.addAll(List.of("-passout", pass()));
            openssl(arguments.toArray(String[]::new));

            StoredKey read = KeyFile.open(file, Passphrases.ofFile(passphraseFile));

            assertThat(PublicKeyPem.fingerprint(read.key().verificationKey()))
                    .as(form.toString())
                    .isEqualTo(expected);
            assertThat(read.format()).isEqualTo(KeyFormat.ENCRYPTED_PKCS8);
            assertThatThrownBy(() -> KeyFile.read(file, keyFile -> "another one".toCharArray()))
                    .isInstanceOf(KeyPassphraseException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldWritePkcs12ThatOpensslReads(SignatureScheme scheme) throws Exception {
        key = TestKeys.key(scheme, new Random(82));
        Path file = folder.resolve("ours.p12");
        Pkcs12File.write(file, key, "CN=broker 1", PASSPHRASE.toCharArray(), NOW);

        String text = openssl("pkcs12", "-in", file.toString(), "-nodes", "-passin", pass());
        String info = openssl("asn1parse", "-inform", "DER", "-in", file.toString());

        assertThat(text).contains("BEGIN CERTIFICATE", "CN = broker 1");
        assertThat(info).as("iterations of the code").contains("0927C0");
        assertThat(read("plain.key", text.substring(text.indexOf("-----BEGIN PRIVATE KEY")))
                        .d())
                .isEqualTo(key.d());
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldReadPkcs12ThatOpensslWrites(SignatureScheme scheme) throws Exception {
        Path plain = opensslKey(scheme);
        Path certificate = folder.resolve("certificate.pem");
        String digest = scheme == SignatureScheme.SM2_SM3 ? "-sm3" : "-sha256";
        openssl(
                "req",
                "-x509",
                "-key",
                plain.toString(),
                digest,
                "-subj",
                "/CN=broker",
                "-out",
                certificate.toString());
        Path file = folder.resolve("theirs.p12");
        openssl(
                "pkcs12",
                "-export",
                "-inkey",
                plain.toString(),
                "-in",
                certificate.toString(),
                "-out",
                file.toString(),
                "-passout",
                pass());

        StoredKey read = KeyFile.open(file, Passphrases.ofFile(passphraseFile));

        assertThat(read.key().d()).isEqualTo(KeyFile.read(plain).d());
        assertThat(read.format()).isEqualTo(KeyFormat.PKCS12);
        assertThatThrownBy(() -> KeyFile.read(file, keyFile -> "another one".toCharArray()))
                .isInstanceOf(KeyPassphraseException.class);
    }

    /** Whoever guesses the passphrase tries it where that costs least. */
    @Test
    void shouldNameWhatIsWeakInPkcs8() throws Exception {
        Path plain = opensslKey(SignatureScheme.ECDSA_SECP256K1_SHA256);

        assertThat(weaknessOfPkcs8(plain, "-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512", "-iter", "600000"))
                .isEmpty();
        assertThat(weaknessOfPkcs8(plain, "-scrypt")).isEmpty();
        assertThat(weaknessOfPkcs8(plain, "-v2", "aes-256-cbc", "-iter", "599999"))
                .isEqualTo("recommended are 600000");
        assertThat(weaknessOfPkcs8(plain, "-v2", "des3", "-iter", "600000")).isEqualTo("recommended is AES-256-CBC");
        assertThat(weaknessOfPkcs8(plain, "-scrypt", "-scrypt_N", "8192")).isEqualTo("recommended are 16384");
        assertThat(weaknessOfPkcs8(plain, "-v1", "PBE-SHA1-3DES", "-iter", "600000"))
                .isEqualTo("recommended is PBES2 with AES-256-CBC");
    }

    private String weaknessOfPkcs8(Path plain, String... form) throws Exception {
        Path file = folder.resolve("weak.key");
        List<String> arguments = new ArrayList<>(
                List.of("pkcs8", "-topk8", "-in", plain.toString(), "-out", file.toString(), "-passout", pass()));
        arguments.addAll(List.of(form));
        openssl(arguments.toArray(String[]::new));
        return KeyFile.open(file, Passphrases.ofFile(passphraseFile)).weakness();
    }

    /** Key, certificate and authentication code of a file each derive from the passphrase. */
    @Test
    void shouldNameWhatIsWeakInPkcs12() throws Exception {
        Path file = folder.resolve("ours.p12");
        SigningKey ours = TestKeys.key(SignatureScheme.ECDSA_SECP256K1_SHA256, new Random(83));
        Pkcs12File.write(file, ours, "CN=broker 1", PASSPHRASE.toCharArray(), NOW);
        StoredKey strong = KeyFile.open(file, Passphrases.ofFile(passphraseFile));
        assertThat(strong.weakness()).isEmpty();
        assertThat(strong.protection())
                .isEqualTo("PBES2, PBKDF2-HMAC-SHA256 with 600000 iterations, AES-256-CBC; code by PKCS#12 with 600000"
                        + " iterations");

        assertThat(opensslPkcs12().weakness()).isEqualTo("recommended are 600000");
        assertThat(opensslPkcs12("-iter", "600000").weakness()).isEmpty();
        StoredKey code = opensslPkcs12("-iter", "600000", "-nomaciter");
        assertThat(code.protection()).endsWith("; code by PKCS#12 with 1 iterations");
        assertThat(code.iterationCount()).isEqualTo(1);
        assertThat(code.weakness()).isEqualTo("recommended are 600000");
        assertThat(opensslPkcs12("-iter", "600000", "-keypbe", "PBE-SHA1-3DES").weakness())
                .isEqualTo("recommended is PBES2 with AES-256-CBC");
        assertThat(opensslPkcs12("-iter", "600000", "-certpbe", "PBE-SHA1-3DES").weakness())
                .isEqualTo("recommended is PBES2 with AES-256-CBC");
        assertThat(opensslPkcs12("-iter", "600000", "-keypbe", "NONE").weakness())
                .isNotEmpty();
    }

    private StoredKey opensslPkcs12(String... form) throws Exception {
        Path plain = opensslKey(SignatureScheme.ECDSA_SECP256K1_SHA256);
        Path certificate = folder.resolve("certificate.pem");
        openssl("req", "-x509", "-key", plain.toString(), "-sha256", "-subj", "/CN=b", "-out", certificate.toString());
        Path file = folder.resolve("weak.p12");
        List<String> arguments = new ArrayList<>(List.of(
                "pkcs12",
                "-export",
                "-inkey",
                plain.toString(),
                "-in",
                certificate.toString(),
                "-out",
                file.toString(),
                "-passout",
                pass()));
        arguments.addAll(List.of(form));
        openssl(arguments.toArray(String[]::new));
        return KeyFile.open(file, Passphrases.ofFile(passphraseFile));
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldAgreeOnPublicKeysAndTheirFingerprints(SignatureScheme scheme) throws Exception {
        Path plain = opensslKey(scheme);
        String theirs = openssl("pkey", "-in", plain.toString(), "-pubout");
        VerificationKey publicKey = KeyFile.read(plain).verificationKey();

        assertThat(PublicKeyPem.text(publicKey)).isEqualTo(theirs);
        assertThat(PublicKeyPem.parse("theirs", theirs)).isEqualTo(publicKey);

        Path ours = Files.writeString(folder.resolve("ours.pub"), PublicKeyPem.text(publicKey));
        Path der = folder.resolve("ours.der");
        openssl("pkey", "-pubin", "-in", ours.toString(), "-outform", "DER", "-out", der.toString());
        assertThat(openssl("dgst", "-sha256", der.toString())).contains(PublicKeyPem.fingerprint(publicKey));
    }

    @Test
    void shouldReadCompressedPoints() throws Exception {
        Path plain = opensslKey(SignatureScheme.SM2_SM3);
        String compressed = openssl("ec", "-in", plain.toString(), "-pubout", "-conv_form", "compressed");

        assertThat(PublicKeyPem.parse("compressed", compressed))
                .isEqualTo(KeyFile.read(plain).verificationKey());
    }

    @Test
    void shouldNameTheWayOutOfOldEncryption() throws Exception {
        Path plain = opensslKey(SignatureScheme.ECDSA_SECP256K1_SHA256);
        Path file = folder.resolve("old.key");
        openssl("ec", "-in", plain.toString(), "-aes256", "-out", file.toString(), "-passout", pass());

        assertThatThrownBy(() -> KeyFile.read(file, Passphrases.ofFile(passphraseFile)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("openssl pkcs8 -topk8");
    }

    private Path written(SignatureScheme scheme, int seed, String name) throws IOException {
        key = TestKeys.key(scheme, new Random(seed));
        Path file = folder.resolve(name);
        KeyFile.writeEncrypted(file, key, PASSPHRASE.toCharArray());
        return file;
    }

    private SigningKey read(String name, String pem) throws IOException {
        return KeyFile.read(Files.writeString(folder.resolve(name), pem));
    }

    private Path opensslKey(SignatureScheme scheme) throws Exception {
        Path file = folder.resolve("openssl.key");
        String curve = scheme == SignatureScheme.SM2_SM3 ? "SM2" : "secp256k1";
        openssl(
                "genpkey",
                "-algorithm",
                "EC",
                "-pkeyopt",
                "ec_paramgen_curve:" + curve,
                "-pkeyopt",
                "ec_param_enc:named_curve",
                "-out",
                file.toString());
        return file;
    }

    private String pass() {
        return "file:" + passphraseFile;
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String openssl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(command + "\n" + err).isZero();
        return out;
    }
}
