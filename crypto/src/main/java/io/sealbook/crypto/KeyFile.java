package io.sealbook.crypto;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Private keys in files, named curve inside, as OpenSSL reads and writes them.
 *
 * <pre>
 *   first bytes                              format             protected by
 *   -----BEGIN ENCRYPTED PRIVATE KEY-----    PKCS#8 in PEM      a passphrase, by PBES2
 *   -----BEGIN PRIVATE KEY-----              PKCS#8 in PEM      its mode 0600
 *   -----BEGIN EC PRIVATE KEY-----           SEC 1 in PEM       its mode; read, not written
 *   30                                       PKCS#12            a passphrase, see {@link Pkcs12File}
 * </pre>
 *
 * SM2 keys read from a file have the default identifier. A file whose public half is not that of its private key is
 * refused.
 */
public final class KeyFile {
    /** No key file is larger; a longer one is refused unread. */
    private static final long LENGTH_MAX = 64 * 1024;

    private static final String PEM_TYPE = "PRIVATE KEY";
    private static final int DER_SEQUENCE = 0x30;

    private KeyFile() {}

    /**
     * Writes a key to a new file that only its owner may read, without encryption.
     *
     * @param file must not exist
     * @param key written as PKCS#8 in PEM
     * @throws java.nio.file.FileAlreadyExistsException if the file exists: a key is never overwritten
     */
    public static void write(Path file, SigningKey key) throws IOException {
        write(file, new PemObject(PEM_TYPE, privateKeyInfo(key).getEncoded()));
    }

    /**
     * Writes a key to a new file that only its owner may read, encrypted by PBES2: AES-256-CBC under a key that
     * PBKDF2-HMAC-SHA256 derives with {@value KeyEncryption#ITERATION_COUNT} iterations.
     *
     * @param file must not exist
     * @param key written as encrypted PKCS#8 in PEM
     * @param passphrase not empty; stays the caller's to wipe
     * @throws java.nio.file.FileAlreadyExistsException if the file exists: a key is never overwritten
     */
    public static void writeEncrypted(Path file, SigningKey key, char[] passphrase) throws IOException {
        writeEncrypted(file, key, passphrase, KeyEncryption.ITERATION_COUNT);
    }

    /** As above with another number of iterations, as other tools write. */
    static void writeEncrypted(Path file, SigningKey key, char[] passphrase, int iterationCount) throws IOException {
        write(file, KeyEncryption.encrypt(privateKeyInfo(key), passphrase, iterationCount));
    }

    /**
     * Returns a private key of any algorithm as {@link #writeEncrypted} writes those of ours.
     *
     * @param key to encrypt
     * @param passphrase not empty; stays the caller's to wipe
     */
    public static String encryptedPem(PrivateKeyInfo key, char[] passphrase) throws IOException {
        return text(KeyEncryption.encrypt(key, passphrase, KeyEncryption.ITERATION_COUNT));
    }

    private static void write(Path file, PemObject object) throws IOException {
        NewFile.write(file, text(object).getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(PemObject object) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter pem = new PemWriter(text)) {
            pem.writeObject(object);
        }
        return text.toString();
    }

    /**
     * Reads a file that is not encrypted.
     *
     * @throws IOException as {@link #read(Path, PassphraseSource)}
     */
    public static SigningKey read(Path file) throws IOException {
        return read(file, PassphraseSource.NONE);
    }

    /**
     * Reads a key.
     *
     * @param file of any format; other PEM objects before the key, such as parameters, are skipped
     * @param passphrase asked if the file is encrypted
     * @throws KeyPassphraseException if the file is encrypted, and the passphrase is wrong or there is none
     * @throws IOException if the file cannot be read, or holds no private key of a known scheme
     */
    public static SigningKey read(Path file, PassphraseSource passphrase) throws IOException {
        return open(file, passphrase).key();
    }

    /** As {@link #readSigner(Path, PassphraseSource)} of a file that is not encrypted. */
    public static Signer readSigner(Path file) throws IOException {
        return readSigner(file, PassphraseSource.NONE);
    }

    /**
     * As {@link #read(Path, PassphraseSource)}, when only signing matters: the key may be in a hardware module.
     *
     * @param file of any format, or a {@link Pkcs11KeyFile}
     * @param passphrase asked if the file is encrypted; the PIN of a module
     */
    public static Signer readSigner(Path file, PassphraseSource passphrase) throws IOException {
        byte[] content = content(file);
        return Pkcs11KeyFile.isOne(content)
                ? Pkcs11KeyFile.parse(file, content).signer(file, passphrase)
                : read(file, passphrase).signer();
    }

    /**
     * Reads a key, and how its file keeps it.
     *
     * @param file of any format
     * @param passphrase asked if the file is encrypted
     * @throws IOException as {@link #read(Path, PassphraseSource)}
     */
    public static StoredKey open(Path file, PassphraseSource passphrase) throws IOException {
        byte[] content = content(file);
        if (Pkcs11KeyFile.isOne(content)) {
            throw new IOException(file + " names a key in a hardware module, and the key does not leave it");
        }
        try {
            return isPkcs12(content) ? openPkcs12(file, content, passphrase) : openPem(file, content, passphrase);
        } finally {
            Arrays.fill(content, (byte) 0);
        }
    }

    /**
     * Returns the bytes of a key file.
     *
     * @throws IOException if it cannot be read, or is longer than any key file
     */
    public static byte[] content(Path file) throws IOException {
        long length = Files.size(file);
        if (length > LENGTH_MAX) {
            throw new IOException(file + " has " + length + " bytes, a key file has at most " + LENGTH_MAX);
        }
        return Files.readAllBytes(file);
    }

    /** Returns whether the bytes of a key file are PKCS#12. */
    public static boolean isPkcs12(byte[] content) {
        return content.length > 0 && content[0] == DER_SEQUENCE;
    }

    private static StoredKey openPkcs12(Path file, byte[] content, PassphraseSource source) throws IOException {
        KeyEncryption protection = Pkcs12File.protection(file, content);
        char[] passphrase = source.passphrase(file);
        try {
            return Pkcs12File.parse(file, content, protection, passphrase);
        } finally {
            Arrays.fill(passphrase, '\0');
        }
    }

    private static StoredKey openPem(Path file, byte[] content, PassphraseSource source) throws IOException {
        Pkcs8Pem pem = Pkcs8Pem.parse(file, content, source);
        try {
            return StoredKey.of(signingKey(pem.info()), pem.format(), pem.protection());
        } catch (IOException | RuntimeException e) {
            throw Pkcs8Pem.unusable(file, e);
        }
    }

    /**
     * Returns a private key of any algorithm, as programs other than ours need them.
     *
     * @param file to name in failures and to the source of the passphrase
     * @param content its bytes, PKCS#8 in PEM, encrypted or not
     * @param passphrase asked if the key is encrypted
     * @throws KeyPassphraseException if it is encrypted, and the passphrase is wrong or there is none
     * @throws IOException if there is no private key in it
     */
    public static PrivateKeyInfo pkcs8(Path file, byte[] content, PassphraseSource passphrase) throws IOException {
        return Pkcs8Pem.parse(file, content, passphrase).info();
    }

    static PrivateKeyInfo privateKeyInfo(SigningKey key) throws IOException {
        EllipticCurve curve = EllipticCurve.of(key.scheme());
        return PrivateKeyInfoFactory.createPrivateKeyInfo(new ECPrivateKeyParameters(key.d(), curve.domain()));
    }

    /** Returns the key, after comparing the public half that may be beside it. */
    static SigningKey signingKey(PrivateKeyInfo info) throws IOException {
        if (!X9ObjectIdentifiers.id_ecPublicKey.equals(
                info.getPrivateKeyAlgorithm().getAlgorithm())) {
            throw new IOException(
                    "private key is of " + info.getPrivateKeyAlgorithm().getAlgorithm() + ", expected EC");
        }
        if (!(info.getPrivateKeyAlgorithm().getParameters() instanceof ASN1ObjectIdentifier curve)) {
            throw new IOException("private key does not name its curve");
        }
        ECPrivateKey parsed = ECPrivateKey.getInstance(info.parsePrivateKey());
        SigningKey key = SigningKey.ofScalar(EllipticCurve.schemeOf(curve), parsed.getKey());
        if (parsed.getPublicKey() != null) {
            requireSame(
                    key, PublicKeyPem.point(key.scheme(), parsed.getPublicKey().getBytes()), "the public key in it");
        }
        return key;
    }

    static void requireSame(SigningKey key, VerificationKey given, String what) throws IOException {
        if (!key.verificationKey().equals(given)) {
            throw new IOException(what + " is not that of its private key: " + PublicKeyPem.fingerprint(given)
                    + ", expected " + PublicKeyPem.fingerprint(key.verificationKey()));
        }
    }
}
