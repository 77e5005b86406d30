package io.sealbook.crypto;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.misc.MiscObjectIdentifiers;
import org.bouncycastle.asn1.misc.ScryptParams;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.KeyDerivationFunc;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PKCS12PBEParams;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEInputDecryptorProviderBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/**
 * Encryption of PKCS#8 by PBES2 (RFC 8018). Written with PBKDF2-HMAC-SHA256 and AES-256-CBC; read with whatever Bouncy
 * Castle knows, scrypt included.
 *
 * @param text names algorithms and numbers, for people
 * @param iterationCount of the derivation from the passphrase; 0 for scrypt, and for one that is not known
 * @param weakness what is recommended in its place; empty if it is as strong as what is written here
 */
record KeyEncryption(String text, long iterationCount, String weakness) {
    /** OWASP's number for PBKDF2-HMAC-SHA256 (2023); a third of a second on a core of 2020. */
    static final int ITERATION_COUNT = 600_000;

    static final AlgorithmIdentifier PRF = PKCS8Generator.PRF_HMACSHA256;

    /** A file with more would keep a process for minutes before it could say that the passphrase is wrong. */
    private static final long ITERATION_COUNT_MAX = 50_000_000;

    /** Of scrypt (RFC 7914, 2): 128 N r. OpenSSL writes 16 MiB; more would end a process by its heap. */
    private static final long SCRYPT_BYTES_MAX = 256 << 20;

    /** What OpenSSL writes, and scrypt's paper recommends for a passphrase that is typed. */
    private static final long SCRYPT_BYTES_MIN = 16 << 20;

    /** Of scrypt, 128 N r p: how much memory is written, some seconds at most. */
    private static final long SCRYPT_WORK_MAX = 4L << 30;

    private static final Map<ASN1ObjectIdentifier, String> FUNCTIONS = Map.of(
            PKCSObjectIdentifiers.id_hmacWithSHA1, "HMAC-SHA1",
            PKCSObjectIdentifiers.id_hmacWithSHA224, "HMAC-SHA224",
            PKCSObjectIdentifiers.id_hmacWithSHA256, "HMAC-SHA256",
            PKCSObjectIdentifiers.id_hmacWithSHA384, "HMAC-SHA384",
            PKCSObjectIdentifiers.id_hmacWithSHA512, "HMAC-SHA512");

    private static final Map<ASN1ObjectIdentifier, String> CIPHERS = Map.of(
            NISTObjectIdentifiers.id_aes128_CBC, "AES-128-CBC",
            NISTObjectIdentifiers.id_aes192_CBC, "AES-192-CBC",
            NISTObjectIdentifiers.id_aes256_CBC, "AES-256-CBC");

    static PemObject encrypt(PrivateKeyInfo info, char[] passphrase, int iterationCount) throws IOException {
        if (passphrase.length == 0) {
            throw new IllegalArgumentException("the passphrase is empty");
        }
        try {
            return new PKCS8Generator(
                            info,
                            new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                                    .setProvider(new org.bouncycastle.jce.provider.BouncyCastleProvider())
                                    .setPRF(PRF)
                                    .setIterationCount(iterationCount)
                                    .setPassword(passphrase)
                                    .build())
                    .generate();
        } catch (OperatorCreationException e) {
            throw new IOException("cannot encrypt: " + e.getMessage(), e);
        }
    }

    static PrivateKeyInfo decrypt(Path file, PKCS8EncryptedPrivateKeyInfo encrypted, char[] passphrase)
            throws IOException {
        try {
            return encrypted.decryptPrivateKeyInfo(new JcePKCSPBEInputDecryptorProviderBuilder()
                    .setProvider(new org.bouncycastle.jce.provider.BouncyCastleProvider())
                    .build(passphrase));
        } catch (PKCSException e) {
            if (e.getCause() instanceof OperatorCreationException) {
                throw new IOException("it cannot be decrypted: " + e.getMessage(), e);
            }
            // Bytes that decrypt to nothing sensible: a damaged file cannot be told from a wrong passphrase.
            throw KeyPassphraseException.wrong(file);
        }
    }

    /**
     * Returns what an algorithm identifier names.
     *
     * @throws IOException if it takes more iterations than anybody would wait for
     */
    static KeyEncryption of(AlgorithmIdentifier algorithm) throws IOException {
        if (!PKCSObjectIdentifiers.id_PBES2.equals(algorithm.getAlgorithm())) {
            return ofPkcs12(algorithm);
        }
        PBES2Parameters pbes2 = PBES2Parameters.getInstance(algorithm.getParameters());
        KeyEncryption derivation = ofDerivation(pbes2.getKeyDerivationFunc());
        ASN1ObjectIdentifier cipher = pbes2.getEncryptionScheme().getAlgorithm();
        String weakness = derivation.weakness();
        if (weakness.isEmpty() && !CIPHERS.containsKey(cipher)) {
            weakness = "recommended is AES-256-CBC";
        }
        return new KeyEncryption(
                "PBES2, " + derivation.text() + ", " + name(cipher, CIPHERS), derivation.iterationCount(), weakness);
    }

    /**
     * Returns what derives a key from the passphrase.
     *
     * @param function PBKDF2, scrypt, or one that is not known
     * @throws IOException if it costs more than anybody would wait for
     */
    static KeyEncryption ofDerivation(KeyDerivationFunc function) throws IOException {
        if (MiscObjectIdentifiers.id_scrypt.equals(function.getAlgorithm())) {
            return ofScrypt(ScryptParams.getInstance(function.getParameters()));
        }
        if (!PKCSObjectIdentifiers.id_PBKDF2.equals(function.getAlgorithm())) {
            return new KeyEncryption(function.getAlgorithm().getId(), 0, "recommended is PBKDF2-HMAC-SHA256");
        }
        PBKDF2Params parameters = PBKDF2Params.getInstance(function.getParameters());
        ASN1ObjectIdentifier hmac = parameters.getPrf().getAlgorithm();
        KeyEncryption counted = ofIterations("PBKDF2-" + name(hmac, FUNCTIONS), parameters.getIterationCount());
        return FUNCTIONS.containsKey(hmac)
                ? counted
                : new KeyEncryption(counted.text(), counted.iterationCount(), "recommended is PBKDF2-HMAC-SHA256");
    }

    /**
     * Returns a derivation whose cost is its iterations.
     *
     * @param name of it, for people
     * @param iterationCount of any size
     * @throws IOException if there are more iterations than anybody would wait for
     */
    static KeyEncryption ofIterations(String name, BigInteger iterationCount) throws IOException {
        long count = checked(iterationCount);
        return new KeyEncryption(
                name + " with " + count + " iterations",
                count,
                count < ITERATION_COUNT ? "recommended are " + ITERATION_COUNT : "");
    }

    private static KeyEncryption ofScrypt(ScryptParams scrypt) throws IOException {
        checkCost(scrypt);
        long bytes = bytes(scrypt).longValue();
        return new KeyEncryption(
                "scrypt with " + (bytes >> 10) + " KiB",
                0,
                bytes < SCRYPT_BYTES_MIN ? "recommended are " + (SCRYPT_BYTES_MIN >> 10) : "");
    }

    /** Encryption as in PKCS#12 (RFC 7292, B), which old tools write, or one that is not known. */
    private static KeyEncryption ofPkcs12(AlgorithmIdentifier algorithm) throws IOException {
        if (algorithm.getAlgorithm().on(PKCSObjectIdentifiers.pkcs_12PbeIds)) {
            checked(PKCS12PBEParams.getInstance(algorithm.getParameters()).getIterations());
        }
        return new KeyEncryption(
                "not PBES2 but " + algorithm.getAlgorithm(), 0, "recommended is PBES2 with AES-256-CBC");
    }

    private static long checked(BigInteger iterationCount) throws IOException {
        if (iterationCount.compareTo(BigInteger.valueOf(ITERATION_COUNT_MAX)) > 0) {
            throw new IOException("it has " + iterationCount + " iterations, limit " + ITERATION_COUNT_MAX);
        }
        return iterationCount.longValue();
    }

    private static BigInteger bytes(ScryptParams scrypt) {
        return BigInteger.valueOf(128).multiply(scrypt.getCostParameter()).multiply(scrypt.getBlockSize());
    }

    private static void checkCost(ScryptParams scrypt) throws IOException {
        BigInteger bytes = bytes(scrypt);
        BigInteger work = bytes.multiply(scrypt.getParallelizationParameter());
        if (bytes.compareTo(BigInteger.valueOf(SCRYPT_BYTES_MAX)) > 0
                || work.compareTo(BigInteger.valueOf(SCRYPT_WORK_MAX)) > 0) {
            throw new IOException("scrypt takes " + bytes + " bytes, " + scrypt.getParallelizationParameter()
                    + " times; limit " + SCRYPT_BYTES_MAX + " bytes, " + SCRYPT_WORK_MAX + " in all");
        }
    }

    private static String name(ASN1ObjectIdentifier oid, Map<ASN1ObjectIdentifier, String> known) {
        return known.getOrDefault(oid, oid.getId());
    }
}
