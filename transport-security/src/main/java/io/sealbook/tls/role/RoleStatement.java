package io.sealbook.tls.role;

import io.sealbook.crypto.SignatureScheme;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/**
 * The holder of a signing key says that a certificate of TLS is its own. It proves nothing for a caller that lacks the
 * key of that certificate, and ends with the certificate; so it needs no challenge and may be seen by others.
 *
 * <pre>
 *   0  1   role                      signed: "SBROLE01" (8), chain id (8), the bytes 0..8 here,
 *   1  4   id                                SHA-256 of the certificate in DER (32)
 *   5  4   key id                    all integers little-endian
 *   9  65  signature r || s || v
 * </pre>
 *
 * @param role of the holder
 * @param id of the broker, auditor or node
 * @param keyId which of its keys has signed; 0 for auditors and nodes
 * @param signature 65 bytes
 */
public record RoleStatement(Role role, int id, int keyId, byte[] signature) {
    /** Name of the header in HTTP; its value is the statement in base64url. gRPC has {@code -bin} after it. */
    public static final String HEADER = "sealbook-role";

    private static final byte[] TAG = "SBROLE01".getBytes(StandardCharsets.US_ASCII);
    private static final int FACTS_LENGTH = 1 + 2 * Integer.BYTES;
    private static final int DIGEST_LENGTH = 32;
    private static final int LENGTH = FACTS_LENGTH + SignatureScheme.SIGNATURE_LENGTH;

    /**
     * Makes a statement.
     *
     * @param holder says who it is
     * @param certificate that the holder shows in handshakes
     */
    public static RoleStatement make(RoleHolder holder, X509Certificate certificate) {
        byte[] signed = signedBytes(holder.chainId(), holder.role(), holder.id(), holder.keyId(), certificate);
        return new RoleStatement(
                holder.role(), holder.id(), holder.keyId(), holder.signer().sign(signed));
    }

    /**
     * Returns what the signature covers.
     *
     * @param chainId of the genesis file
     * @param certificate that the holder shows in handshakes
     * @return new bytes
     */
    public byte[] signedBytes(long chainId, X509Certificate certificate) {
        return signedBytes(chainId, role, id, keyId, certificate);
    }

    private static byte[] signedBytes(long chainId, Role role, int id, int keyId, X509Certificate certificate) {
        return ByteBuffer.allocate(TAG.length + Long.BYTES + FACTS_LENGTH + DIGEST_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(TAG)
                .putLong(chainId)
                .put((byte) role.code())
                .putInt(id)
                .putInt(keyId)
                .put(digest(certificate))
                .array();
    }

    /** Returns the statement as bytes. */
    public byte[] encode() {
        return ByteBuffer.allocate(LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) role.code())
                .putInt(id)
                .putInt(keyId)
                .put(signature)
                .array();
    }

    /** Returns the statement as the value of an HTTP header. */
    public String toText() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(encode());
    }

    /**
     * Reads a statement.
     *
     * @throws IllegalArgumentException if these bytes are none
     */
    public static RoleStatement decode(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("statement of " + bytes.length + " bytes, expected " + LENGTH);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Role role = Role.of(buffer.get());
        int id = buffer.getInt();
        int keyId = buffer.getInt();
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        buffer.get(signature);
        return new RoleStatement(role, id, keyId, signature);
    }

    /**
     * Reads a statement from an HTTP header.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static RoleStatement ofText(String text) {
        return decode(Base64.getUrlDecoder().decode(text.strip()));
    }

    private static byte[] digest(X509Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate has no encoding", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
