package io.sealbook.crypto;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Public keys as X.509 SubjectPublicKeyInfo in PEM ({@code -----BEGIN PUBLIC KEY-----}), named curve inside, as OpenSSL
 * reads and writes them. The curve determines the scheme; an SM2 key has the default identifier.
 *
 * <p>The <b>fingerprint</b> of a key is the SHA-256 of these bytes in DER: {@code openssl pkey -pubin -outform DER |
 * sha256sum} prints the same.
 */
public final class PublicKeyPem {
    private static final String PEM_TYPE = "PUBLIC KEY";
    private static final int UNCOMPRESSED = 4;

    private PublicKeyPem() {}

    /** Returns a key as PEM. */
    public static String text(VerificationKey key) {
        StringWriter text = new StringWriter();
        try (PemWriter pem = new PemWriter(text)) {
            pem.writeObject(new PemObject(PEM_TYPE, der(key)));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return text.toString();
    }

    /**
     * Writes a key to a new file, which others may read.
     *
     * @param file must not exist
     * @param key written as PEM
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     * @throws IOException if it cannot be written; there is no file then
     */
    public static void write(Path file, VerificationKey key) throws IOException {
        try (NewFile created = NewFile.ofAll(file)) {
            created.fill(text(key).getBytes(StandardCharsets.US_ASCII));
        }
    }

    /**
     * Reads the only key of a text.
     *
     * @param name of the text's file, for messages
     * @param text in PEM
     * @throws IOException if there is no key in it, or one that is not of a known curve, or a point that is not on it
     */
    public static VerificationKey parse(String name, String text) throws IOException {
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            Object object = parser.readObject();
            if (object instanceof SubjectPublicKeyInfo) {
                return key((SubjectPublicKeyInfo) object);
            }
            throw new IOException(
                    object == null
                            ? "it holds no PEM"
                            : "it holds a " + object.getClass().getSimpleName());
        } catch (IOException | RuntimeException e) {
            throw new IOException("no usable public key in " + name + ": " + e.getMessage(), e);
        }
    }

    /** Returns the SHA-256 of the key's SubjectPublicKeyInfo, 64 hexadecimal digits. */
    public static String fingerprint(VerificationKey key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der(key)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static VerificationKey key(SubjectPublicKeyInfo info) throws IOException {
        if (!X9ObjectIdentifiers.id_ecPublicKey.equals(info.getAlgorithm().getAlgorithm())) {
            throw new IOException("public key is of " + info.getAlgorithm().getAlgorithm() + ", expected EC");
        }
        if (!(info.getAlgorithm().getParameters() instanceof ASN1ObjectIdentifier)) {
            throw new IOException("public key does not name its curve");
        }
        ASN1ObjectIdentifier curve = (ASN1ObjectIdentifier) info.getAlgorithm().getParameters();
        return point(EllipticCurve.schemeOf(curve), info.getPublicKeyData().getBytes());
    }

    /** Returns the key of an encoded point, uncompressed or compressed; checks that it is on the curve. */
    static VerificationKey point(SignatureScheme scheme, byte[] encoded) {
        if (encoded.length == 1 + SignatureScheme.POINT_LENGTH && encoded[0] == UNCOMPRESSED) {
            return VerificationKey.of(scheme, java.util.Arrays.copyOfRange(encoded, 1, encoded.length));
        }
        return VerificationKey.of(scheme, EllipticCurve.of(scheme).curve.decodePoint(encoded));
    }

    private static byte[] der(VerificationKey key) {
        try {
            return SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(new ECPublicKeyParameters(
                            key.curvePoint(), EllipticCurve.of(key.scheme()).domain()))
                    .getEncoded();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
