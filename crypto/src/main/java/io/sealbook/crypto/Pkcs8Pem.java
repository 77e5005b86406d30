package io.sealbook.crypto;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * A private key of any algorithm in PEM: PKCS#8, encrypted or not, or the older forms of one algorithm.
 *
 * @param info the key
 * @param format of the file
 * @param protection how it is encrypted
 */
record Pkcs8Pem(PrivateKeyInfo info, KeyFormat format, KeyEncryption protection) {
    private static final KeyEncryption NOT_ENCRYPTED = new KeyEncryption("", 0, "");

    /**
     * Reads a key.
     *
     * @param file to name in failures and to the source of the passphrase
     * @param content its bytes; other PEM objects before the key, such as parameters, are skipped
     * @param source asked if the key is encrypted
     * @throws KeyPassphraseException if it is encrypted, and the passphrase is wrong or there is none
     * @throws IOException if there is no private key in it
     */
    static Pkcs8Pem parse(Path file, byte[] content, PassphraseSource source) throws IOException {
        String text = new String(content, StandardCharsets.US_ASCII);
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
                if (object instanceof PrivateKeyInfo info) {
                    return new Pkcs8Pem(info, KeyFormat.PKCS8, NOT_ENCRYPTED);
                }
                if (object instanceof PEMKeyPair pair) {
                    return new Pkcs8Pem(pair.getPrivateKeyInfo(), KeyFormat.SEC1, NOT_ENCRYPTED);
                }
                if (object instanceof PKCS8EncryptedPrivateKeyInfo encrypted) {
                    return decrypted(file, encrypted, source);
                }
                if (object instanceof PEMEncryptedKeyPair) {
                    throw new IOException("it is encrypted in an old way of OpenSSL; 'openssl pkcs8 -topk8 -v2prf"
                            + " hmacWithSHA256 -iter " + KeyEncryption.ITERATION_COUNT + "' converts it");
                }
                if (!(object instanceof ASN1ObjectIdentifier)) {
                    throw new IOException("it holds a " + object.getClass().getSimpleName());
                }
            }
        } catch (IOException | RuntimeException e) {
            throw unusable(file, e);
        }
        throw new IOException("no private key in " + file);
    }

    /** Returns the failure with the file's name; one of a passphrase as it is. */
    static IOException unusable(Path file, Exception cause) {
        return cause instanceof KeyPassphraseException passphrase
                ? passphrase
                : new IOException("no usable private key in " + file + ": " + cause.getMessage(), cause);
    }

    private static Pkcs8Pem decrypted(Path file, PKCS8EncryptedPrivateKeyInfo encrypted, PassphraseSource source)
            throws IOException {
        KeyEncryption protection = KeyEncryption.of(encrypted.toASN1Structure().getEncryptionAlgorithm());
        char[] passphrase = source.passphrase(file);
        try {
            return new Pkcs8Pem(
                    KeyEncryption.decrypt(file, encrypted, passphrase), KeyFormat.ENCRYPTED_PKCS8, protection);
        } finally {
            Arrays.fill(passphrase, '\0');
        }
    }
}
