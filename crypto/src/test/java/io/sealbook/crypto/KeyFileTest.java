package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.misc.MiscObjectIdentifiers;
import org.bouncycastle.asn1.misc.ScryptParams;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.EncryptionScheme;
import org.bouncycastle.asn1.pkcs.KeyDerivationFunc;
import org.bouncycastle.asn1.pkcs.MacData;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PBMAC1Params;
import org.bouncycastle.asn1.pkcs.PKCS12PBEParams;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.Pfx;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.DigestInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyFileTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    /** The derivation of a key is slow on purpose. */
    static final int FEW_ITERATIONS = 2_048;

    private static final char[] PASSWORD = "correct horse".toCharArray();

    private static final String OPENSSL_SM2 = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqBHM9VAYItBG0wawIBAQQgvptnLmkl/cuCcYmQ
            eitPMpEzEqBONN3qsSPK343fkMqhRANCAASUTfoICEgIvvNp9rlrIylkrHfz70Hi
            QQ9eRW9VeHcHE2edF+nmxa4Ih8D2X0uP6w9kBSmTz8KDkztbKbpxva6d
            -----END PRIVATE KEY-----
            """;
    private static final String OPENSSL_SM2_POINT = "944dfa08084808bef369f6b96b232964ac77f3ef41e2410f5e456f5578770713"
            + "679d17e9e6c5ae0887c0f65f4b8feb0f64052993cfc283933b5b29ba71bdae9d";

    private static final String OPENSSL_SECP256K1 = """
            -----BEGIN EC PARAMETERS-----
            BgUrgQQACg==
            -----END EC PARAMETERS-----
            -----BEGIN EC PRIVATE KEY-----
            MHQCAQEEIBXIEtHO0NeMZwUV6h9fmdLvfWTUMx1eQLUiiXyW0PzYoAcGBSuBBAAK
            oUQDQgAEU4xouP9vaOf4WzF9v7C3fz93M71BoZeurYnR6nLOMpS1eBMKEi7c4PxY
            fn+qPYvq/YG19/aIe9NfEJiDUd/UUA==
            -----END EC PRIVATE KEY-----
            """;
    private static final String OPENSSL_SECP256K1_POINT =
            "538c68b8ff6f68e7f85b317dbfb0b77f3f7733bd41a197aead89d1ea72ce3294"
                    + "b578130a122edce0fc587e7faa3d8beafd81b5f7f6887bd35f10988351dfd450";

    private static final String OPENSSL_P256 = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgx6jfhHl6NReYR8Jq
            XYGG593UIzznYWmB7gQJbQQwFoShRANCAATskf2Iby1tNS1mVw86fgXFGgHq/og/
            jdDqnS+xxxvUbyq+s1sUEyI+2PpBaBYuLUzD8kL8EpQwsei+qjCXmSQg
            -----END PRIVATE KEY-----
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldReadWhatItWrote(SignatureScheme scheme) throws IOException {
        SigningKey key = TestKeys.key(scheme, new Random(71));
        Path file = folder.resolve("node.key");

        KeyFile.write(file, key);

        assertThat(file).content().startsWith("-----BEGIN PRIVATE KEY-----");
        SigningKey read = KeyFile.read(file);
        assertThat(read.scheme()).isEqualTo(scheme);
        assertThat(read.d()).isEqualTo(key.d());
        assertThat(KeyFile.readSigner(file).sign(new byte[5]))
                .isEqualTo(key.signer().sign(new byte[5]));
    }

    /** A write that fails; that of an interrupted thread does. What it left would be taken for a key. */
    @Test
    void shouldLeaveNoFileThatIsNotWhole() throws IOException {
        Path file = folder.resolve("node.key");
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, new Random(78));

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> KeyFile.write(file, key)).isInstanceOf(ClosedByInterruptException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).doesNotExist();
        KeyFile.write(file, key);

        Path half = folder.resolve("node.key.pub");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> PublicKeyPem.write(half, key.verificationKey()))
                .isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(half).doesNotExist();
    }

    @Test
    void shouldKeepFileToItsOwnerAndNeverOverwrite() throws IOException {
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, new Random(72));
        Path file = folder.resolve("node.key");

        KeyFile.write(file, key);

        assertOwnerOnly(file);
        assertThatThrownBy(() -> KeyFile.write(file, key)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Pkcs12File.write(file, key, "CN=node 0", PASSWORD, NOW))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    private static void assertOwnerOnly(Path file) throws IOException {
        assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"), "needs POSIX file modes");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldReadPkcs12ThatItWrote(SignatureScheme scheme) throws IOException {
        SigningKey key = TestKeys.key(scheme, new Random(73));
        Path file = folder.resolve("broker.p12");

        Pkcs12File.write(file, key, "CN=broker 1,O=Sealbook", PASSWORD, NOW, FEW_ITERATIONS);

        SigningKey read = Pkcs12File.read(file, PASSWORD);
        assertThat(read.d()).isEqualTo(key.d());
        assertThat(read.scheme()).isEqualTo(scheme);
        assertThatThrownBy(() -> Pkcs12File.read(file, "wrong horse".toCharArray()))
                .isInstanceOf(KeyPassphraseException.class);
        assertOwnerOnly(file);
    }

    /** Written by {@code openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:SM2}. */
    @Test
    void shouldReadSm2KeyOfOpenssl() throws IOException {
        Path file = folder.resolve("openssl.key");
        Files.writeString(file, OPENSSL_SM2);

        SigningKey key = KeyFile.read(file);

        assertThat(key.scheme()).isEqualTo(SignatureScheme.SM2_SM3);
        assertThat(java.util.HexFormat.of().formatHex(key.verificationKey().point()))
                .isEqualTo(OPENSSL_SM2_POINT);
    }

    /** Written by {@code openssl ecparam -name secp256k1 -genkey}: parameters first, then SEC 1. */
    @Test
    void shouldReadSec1KeyOfOpenssl() throws IOException {
        Path file = folder.resolve("openssl.key");
        Files.writeString(file, OPENSSL_SECP256K1);

        SigningKey key = KeyFile.read(file);

        assertThat(key.scheme()).isEqualTo(SignatureScheme.ECDSA_SECP256K1_SHA256);
        assertThat(java.util.HexFormat.of().formatHex(key.verificationKey().point()))
                .isEqualTo(OPENSSL_SECP256K1_POINT);
    }

    @Test
    void shouldSayWhyFileIsOfNoUse() throws IOException {
        assertRefused("", "no private key in");
        assertRefused("hello\n", "no private key in");
        assertRefused("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no usable private key in");
        assertRefused(OPENSSL_P256, "unknown curve");
        assertRefused(OPENSSL_P256.substring(0, 80), "private key in");
        assertThatThrownBy(() -> KeyFile.read(folder.resolve("absent"))).isInstanceOf(IOException.class);
        assertRefused("x".repeat(70_000), "at most");
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldReadEncryptedKeyThatItWrote(SignatureScheme scheme) throws IOException {
        SigningKey key = TestKeys.key(scheme, new Random(75));
        Path file = folder.resolve("node.key");

        KeyFile.writeEncrypted(file, key, PASSWORD);

        assertThat(file).content().startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
        assertOwnerOnly(file);
        StoredKey stored = KeyFile.open(file, keyFile -> PASSWORD.clone());
        assertThat(stored.key().d()).isEqualTo(key.d());
        assertThat(stored.key().scheme()).isEqualTo(scheme);
        assertThat(stored.format()).isEqualTo(KeyFormat.ENCRYPTED_PKCS8);
        assertThat(stored.protection()).isEqualTo("PBES2, PBKDF2-HMAC-SHA256 with 600000 iterations, AES-256-CBC");
        assertThat(stored.iterationCount()).isEqualTo(600_000);
        assertThat(stored.weakness()).isEmpty();
    }

    @Test
    void shouldKeepAnEncryptedKeyFromWhoLacksThePassphrase() throws IOException {
        Path file = folder.resolve("node.key");
        KeyFile.writeEncrypted(file, TestKeys.key(SignatureScheme.SM2_SM3, new Random(76)), PASSWORD, FEW_ITERATIONS);

        assertThatThrownBy(() -> KeyFile.read(file, keyFile -> "wrong horse".toCharArray()))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessage("wrong passphrase for " + file + ", or the file is damaged");
        assertThatThrownBy(() -> KeyFile.read(file))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessage(file + " is encrypted, and no passphrase is named");
    }

    /** Whoever writes a file chooses what its passphrase costs the reader. */
    @Test
    void shouldRefuseAFileWhosePassphraseCostsTooMuch() throws IOException {
        EncryptionScheme cipher =
                new EncryptionScheme(NISTObjectIdentifiers.id_aes256_CBC, new DEROctetString(new byte[16]));
        byte[] salt = new byte[16];
        for (ScryptParams scrypt :
                List.of(new ScryptParams(salt, 1 << 20, 8, 1), new ScryptParams(salt, 1 << 12, 8, 1 << 14))) {
            PBES2Parameters parameters =
                    new PBES2Parameters(new KeyDerivationFunc(MiscObjectIdentifiers.id_scrypt, scrypt), cipher);

            assertRefused(new AlgorithmIdentifier(PKCSObjectIdentifiers.id_PBES2, parameters), "scrypt takes");
        }
        assertRefused(
                new AlgorithmIdentifier(
                        PKCSObjectIdentifiers.pbeWithSHAAnd3_KeyTripleDES_CBC, new PKCS12PBEParams(salt, 60_000_000)),
                "60000000 iterations");
        assertRefused(
                new AlgorithmIdentifier(
                        PKCSObjectIdentifiers.id_PBES2,
                        new PBES2Parameters(
                                new KeyDerivationFunc(
                                        PKCSObjectIdentifiers.id_PBKDF2, new PBKDF2Params(salt, 60_000_000)),
                                cipher)),
                "60000000 iterations");
    }

    private void assertRefused(AlgorithmIdentifier encryption, String fact) throws IOException {
        Path file = folder.resolve("costly.key");
        byte[] der = new EncryptedPrivateKeyInfo(encryption, new byte[64]).getEncoded();
        Files.writeString(
                file,
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder().encodeToString(der) + "\n-----END ENCRYPTED PRIVATE KEY-----\n");

        assertThatThrownBy(() -> KeyFile.read(file, keyFile -> PASSWORD.clone()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(fact);
    }

    /** RFC 9579, which newer tools write. */
    @Test
    void shouldReadTheDerivationOfACodeByPbmac1() throws IOException {
        Path file = folder.resolve("ours.p12");
        Pkcs12File.write(file, TestKeys.key(SignatureScheme.SM2_SM3, new Random(80)), "CN=a", PASSWORD, NOW);
        Pfx ours = Pfx.getInstance(Files.readAllBytes(file));
        PBMAC1Params parameters = new PBMAC1Params(
                new AlgorithmIdentifier(
                        PKCSObjectIdentifiers.id_PBKDF2, new PBKDF2Params(new byte[16], 2_000, 32, KeyEncryption.PRF)),
                KeyEncryption.PRF);
        MacData code = new MacData(
                new DigestInfo(new AlgorithmIdentifier(PKCSObjectIdentifiers.id_PBMAC1, parameters), new byte[32]),
                new byte[16],
                1);

        KeyEncryption read = Pkcs12Protection.of(new Pfx(ours.getAuthSafe(), code).getEncoded());

        assertThat(read.text()).endsWith("; code by PBKDF2-HMAC-SHA256 with 2000 iterations");
        assertThat(read.weakness()).isEqualTo("recommended are 600000");
    }

    @Test
    void shouldRefusePkcs12WhosePassphraseCostsTooMuch() throws IOException {
        Path file = folder.resolve("ours.p12");
        Pkcs12File.write(
                file, TestKeys.key(SignatureScheme.SM2_SM3, new Random(80)), "CN=a", PASSWORD, NOW, FEW_ITERATIONS);
        Pfx ours = Pfx.getInstance(Files.readAllBytes(file));
        MacData mac = ours.getMacData();
        Files.write(
                file, new Pfx(ours.getAuthSafe(), new MacData(mac.getMac(), mac.getSalt(), 60_000_000)).getEncoded());

        assertThatThrownBy(() -> KeyFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("60000000 iterations");
    }

    @Test
    void shouldWipeThePassphrase() throws IOException {
        Path file = folder.resolve("node.key");
        KeyFile.writeEncrypted(file, TestKeys.key(SignatureScheme.SM2_SM3, new Random(77)), PASSWORD, FEW_ITERATIONS);
        char[] given = PASSWORD.clone();

        KeyFile.read(file, keyFile -> given);

        assertThat(given).containsOnly('\0');
    }

    /** The private key of one file with the public key of another, as a careless edit leaves it. */
    @Test
    void shouldRefuseAForeignPublicHalf() throws Exception {
        EllipticCurve curve = EllipticCurve.of(SignatureScheme.SM2_SM3);
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, new Random(78));
        byte[] foreign = TestKeys.key(SignatureScheme.SM2_SM3, new Random(79))
                .verificationKey()
                .point();
        assertRefused(pem(curve, key, foreign), "the public key in it is not that of its private key");

        foreign[63] ^= 1;
        assertRefused(pem(curve, key, foreign), "point is not on SM2P256V1");
    }

    private static String pem(EllipticCurve curve, SigningKey key, byte[] point) throws IOException {
        byte[] encoded = new byte[65];
        encoded[0] = 4;
        System.arraycopy(point, 0, encoded, 1, 64);
        byte[] der = new PrivateKeyInfo(
                        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve.oid),
                        new ECPrivateKey(256, key.d(), new DERBitString(encoded), null))
                .getEncoded();
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PRIVATE KEY-----\n";
    }

    static void makeOwnerOnly(Path file) throws IOException {
        if (NewFile.hasModes(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private void assertRefused(String content, String reason) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.key"), content);
        assertThatThrownBy(() -> KeyFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("bad.key");
    }

    @Test
    void shouldNeverShowTheScalar() {
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, new Random(74));

        assertThat(key.toString())
                .doesNotContain(key.d().toString(16))
                .doesNotContain(key.d().toString());
    }
}
