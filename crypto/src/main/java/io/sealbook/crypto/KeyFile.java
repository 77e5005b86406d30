package io.sealbook.crypto;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Private keys as PKCS#8 in PEM ({@code -----BEGIN PRIVATE KEY-----}), named curve inside, as OpenSSL reads and writes
 * them.
 *
 * <p>The file is not encrypted: its mode 0600 is its protection. {@link Pkcs12File} keeps keys under a password. SM2
 * keys read from a file have the default identifier.
 */
public final class KeyFile {
    /** No key file is larger; a longer one is refused unread. */
    private static final long LENGTH_MAX = 64 * 1024;

    private static final String PEM_TYPE = "PRIVATE KEY";

    private KeyFile() {}

    /**
     * Writes a key to a new file that only its owner may read.
     *
     * @param file must not exist
     * @param key written as PEM, without a password
     * @throws java.nio.file.FileAlreadyExistsException if the file exists: a key is never overwritten
     */
    public static void write(Path file, SigningKey key) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter pem = new PemWriter(text)) {
            pem.writeObject(new PemObject(PEM_TYPE, privateKeyInfo(key).getEncoded()));
        }
        OwnerOnlyFile.create(file, text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Reads a key from PKCS#8 or SEC 1 ({@code EC PRIVATE KEY}) PEM; other objects before it, such as parameters, are
     * skipped.
     *
     * @throws IOException if the file cannot be read, is encrypted, or holds no private key of a known scheme
     */
    public static SigningKey read(Path file) throws IOException {
        long length = Files.size(file);
        if (length > LENGTH_MAX) {
            throw new IOException(file + " has " + length + " bytes, a key file has at most " + LENGTH_MAX);
        }
        try (PEMParser parser = new PEMParser(new StringReader(Files.readString(file, StandardCharsets.US_ASCII)))) {
            for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
                if (object instanceof PrivateKeyInfo info) {
                    return signingKey(info);
                }
                if (object instanceof PEMKeyPair pair) {
                    return signingKey(pair.getPrivateKeyInfo());
                }
                if (!(object instanceof org.bouncycastle.asn1.ASN1ObjectIdentifier)) {
                    throw new IOException("it holds a " + object.getClass().getSimpleName());
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new IOException("no usable private key in " + file + ": " + e.getMessage(), e);
        }
        throw new IOException("no private key in " + file);
    }

    /** As {@link #read}, when only signing matters. */
    public static Signer readSigner(Path file) throws IOException {
        return read(file).signer();
    }

    static PrivateKeyInfo privateKeyInfo(SigningKey key) throws IOException {
        EllipticCurve curve = EllipticCurve.of(key.scheme());
        return PrivateKeyInfoFactory.createPrivateKeyInfo(new ECPrivateKeyParameters(key.d(), curve.domain()));
    }

    static SigningKey signingKey(PrivateKeyInfo info) throws IOException {
        if (PrivateKeyFactory.createKey(info) instanceof ECPrivateKeyParameters parameters) {
            return signingKey(parameters);
        }
        throw new IOException(
                "private key is of " + info.getPrivateKeyAlgorithm().getAlgorithm() + ", expected EC");
    }

    private static SigningKey signingKey(ECPrivateKeyParameters parameters) throws IOException {
        BigInteger order = parameters.getParameters().getN();
        for (SignatureScheme scheme : SignatureScheme.values()) {
            EllipticCurve curve = EllipticCurve.of(scheme);
            if (curve.domain().equals(parameters.getParameters())) {
                return SigningKey.ofScalar(scheme, parameters.getD());
            }
        }
        throw new IOException("private key is on an unknown curve of order " + order.toString(16));
    }
}
