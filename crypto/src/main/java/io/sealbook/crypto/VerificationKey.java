package io.sealbook.crypto;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.math.ec.ECPoint;

/**
 * A public key: a scheme and a point that has been checked to lie on the scheme's curve.
 *
 * <p>An SM2 key also carries its owner's distinguishing identifier (GB/T 32918.2, 5.5), because a signature covers
 * {@code Z = SM3(length ‖ id ‖ a ‖ b ‖ G ‖ point)}; unless said otherwise it is the standard's default.
 *
 * <p>Immutable, equal by content; any thread.
 */
public final class VerificationKey {
    /** The identifier that GM/T 0009 prescribes where none is agreed. */
    public static final String SM2_USER_ID_DEFAULT = "1234567812345678";
    /** GB/T 32918.2 gives the identifier's length in bits as 16 bits. */
    private static final int SM2_USER_ID_LENGTH_MAX = 8191;

    private static final int COORDINATE_LENGTH = 32;
    private static final byte[] NO_BYTES = {};

    private final SignatureScheme scheme;
    private final byte[] point;
    private final byte[] userId;
    private final int hash;
    private final ECPoint curvePoint;
    private final byte[] z;

    private VerificationKey(SignatureScheme scheme, byte[] point, byte[] userId) {
        this.scheme = scheme;
        this.point = point;
        this.userId = userId;
        this.hash = 31 * (31 * scheme.hashCode() + Arrays.hashCode(point)) + Arrays.hashCode(userId);
        this.curvePoint = checkedPoint(EllipticCurve.of(scheme), point);
        this.z = scheme == SignatureScheme.SM2_SM3 ? identityDigest() : NO_BYTES;
    }

    /**
     * Returns the key of a point; an SM2 key gets the default identifier.
     *
     * @param scheme of the key
     * @param point64 x ‖ y, copied
     * @throws IllegalArgumentException if the length is wrong or the point is not on the curve
     */
    public static VerificationKey of(SignatureScheme scheme, byte[] point64) {
        byte[] userId =
                scheme == SignatureScheme.SM2_SM3 ? SM2_USER_ID_DEFAULT.getBytes(StandardCharsets.US_ASCII) : NO_BYTES;
        return new VerificationKey(scheme, checkedLength(point64), userId);
    }

    /**
     * Returns the SM2 key of a point whose owner has another identifier than the default.
     *
     * @param point64 x ‖ y, copied
     * @param userId 0..8191 bytes, copied
     * @throws IllegalArgumentException if a length is wrong or the point is not on the curve
     */
    public static VerificationKey ofSm2(byte[] point64, byte[] userId) {
        if (userId.length > SM2_USER_ID_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "SM2 user id has " + userId.length + " bytes, limit " + SM2_USER_ID_LENGTH_MAX);
        }
        return new VerificationKey(SignatureScheme.SM2_SM3, checkedLength(point64), userId.clone());
    }

    static VerificationKey of(SignatureScheme scheme, ECPoint curvePoint) {
        return of(scheme, encode(curvePoint));
    }

    static byte[] encode(ECPoint curvePoint) {
        byte[] encoded = curvePoint.normalize().getEncoded(false);
        return Arrays.copyOfRange(encoded, 1, encoded.length);
    }

    public SignatureScheme scheme() {
        return scheme;
    }

    /** Returns x ‖ y as a new array of 64 bytes. */
    public byte[] point() {
        return point.clone();
    }

    /** Returns the SM2 owner's identifier as a new array; empty for other schemes. */
    public byte[] userId() {
        return userId.clone();
    }

    ECPoint curvePoint() {
        return curvePoint;
    }

    /** Returns Z of an SM2 key as a new array of 32 bytes; empty for other schemes. */
    public byte[] z() {
        return z.clone();
    }

    /** Returns what {@link #z} copies, not to be changed. */
    byte[] sharedZ() {
        return z;
    }

    private byte[] identityDigest() {
        EllipticCurve sm2 = EllipticCurve.SM2P256V1;
        SM3Digest digest = new SM3Digest();
        int bits = userId.length * 8;
        digest.update((byte) (bits >>> 8));
        digest.update((byte) bits);
        digest.update(userId, 0, userId.length);
        update(digest, sm2.curve.getA().getEncoded());
        update(digest, sm2.curve.getB().getEncoded());
        update(digest, encode(sm2.generator));
        update(digest, point);
        byte[] result = new byte[digest.getDigestSize()];
        digest.doFinal(result, 0);
        return result;
    }

    private static void update(SM3Digest digest, byte[] bytes) {
        digest.update(bytes, 0, bytes.length);
    }

    private static byte[] checkedLength(byte[] point64) {
        if (point64.length != SignatureScheme.POINT_LENGTH) {
            throw new IllegalArgumentException(
                    "public point has " + point64.length + " bytes, expected " + SignatureScheme.POINT_LENGTH);
        }
        return point64.clone();
    }

    private static ECPoint checkedPoint(EllipticCurve curve, byte[] point) {
        BigInteger x = new BigInteger(1, point, 0, COORDINATE_LENGTH);
        BigInteger y = new BigInteger(1, point, COORDINATE_LENGTH, COORDINATE_LENGTH);
        if (x.compareTo(curve.fieldPrime) < 0 && y.compareTo(curve.fieldPrime) < 0) {
            ECPoint candidate = curve.curve.createPoint(x, y);
            if (candidate.isValid()) {
                return candidate;
            }
        }
        throw new IllegalArgumentException(
                "point is not on " + curve + ": " + HexFormat.of().formatHex(point));
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof VerificationKey key
                        && scheme == key.scheme
                        && Arrays.equals(point, key.point)
                        && Arrays.equals(userId, key.userId);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return scheme + ":" + HexFormat.of().formatHex(point);
    }
}
