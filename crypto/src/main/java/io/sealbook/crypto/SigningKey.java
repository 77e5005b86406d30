package io.sealbook.crypto;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/**
 * A private key: a scheme and a scalar d with its public key.
 *
 * <p>Immutable; any thread. The scalar stays in the heap for the life of the object: the JVM gives no means to wipe a
 * BigInteger, so a process that holds a signing key must be trusted with its memory. {@link #toString} never shows it.
 */
public final class SigningKey {
    /** Bytes of a private scalar. */
    static final int SCALAR_LENGTH = 32;

    private final SignatureScheme scheme;
    private final BigInteger d;
    private final VerificationKey verificationKey;

    private SigningKey(SignatureScheme scheme, BigInteger d, byte[] sm2UserId) {
        EllipticCurve curve = EllipticCurve.of(scheme);
        if (!curve.isScalar(d)
                || scheme == SignatureScheme.SM2_SM3 && d.equals(sm2ScalarMax().add(BigInteger.ONE))) {
            throw new IllegalArgumentException("private scalar is out of range for " + scheme);
        }
        this.scheme = scheme;
        this.d = d;
        ECPoint point = curve.secretTable().multiply(d);
        this.verificationKey = scheme == SignatureScheme.SM2_SM3
                ? VerificationKey.ofSm2(VerificationKey.encode(point), sm2UserId)
                : VerificationKey.of(scheme, point);
    }

    /** Returns a new key from the platform's SecureRandom. */
    public static SigningKey generate(SignatureScheme scheme) {
        BigInteger max = scheme == SignatureScheme.SM2_SM3
                ? sm2ScalarMax()
                : EllipticCurve.of(scheme).order.subtract(BigInteger.ONE);
        return ofScalar(scheme, BigIntegers.createRandomInRange(BigInteger.ONE, max, new SecureRandom()));
    }

    /**
     * Returns the key of a scalar.
     *
     * @param scheme of the key
     * @param scalar32 d, 32 bytes big-endian, 1..n-1 (SM2: 1..n-2, GB/T 32918.1)
     * @throws IllegalArgumentException if the length or range is wrong
     */
    public static SigningKey of(SignatureScheme scheme, byte[] scalar32) {
        return ofScalar(scheme, checkedScalar(scalar32));
    }

    /**
     * Returns the SM2 key of a scalar whose owner has another identifier than the default.
     *
     * @param scalar32 d, 32 bytes big-endian, 1..n-2
     * @param userId 0..8191 bytes, copied
     */
    public static SigningKey ofSm2(byte[] scalar32, byte[] userId) {
        return new SigningKey(SignatureScheme.SM2_SM3, checkedScalar(scalar32), userId);
    }

    static SigningKey ofScalar(SignatureScheme scheme, BigInteger d) {
        return new SigningKey(scheme, d, VerificationKey.SM2_USER_ID_DEFAULT.getBytes(StandardCharsets.US_ASCII));
    }

    public SignatureScheme scheme() {
        return scheme;
    }

    public VerificationKey verificationKey() {
        return verificationKey;
    }

    /** Returns a signer for this key, the fastest there is: see {@link Signers}. */
    public Signer signer() {
        return Signers.of(this);
    }

    /** Returns the signer that is always there. */
    Signer javaSigner() {
        return scheme == SignatureScheme.SM2_SM3 ? new Sm2Signer(this) : new Secp256k1Signer(this);
    }

    BigInteger d() {
        return d;
    }

    /** Returns n - 2: with d = n - 1, 1 + d has no inverse. */
    private static BigInteger sm2ScalarMax() {
        return EllipticCurve.SM2P256V1.order.subtract(BigInteger.TWO);
    }

    private static BigInteger checkedScalar(byte[] scalar32) {
        if (scalar32.length != SCALAR_LENGTH) {
            throw new IllegalArgumentException(
                    "private scalar has " + scalar32.length + " bytes, expected " + SCALAR_LENGTH);
        }
        return new BigInteger(1, scalar32);
    }

    @Override
    public String toString() {
        return "SigningKey[" + verificationKey + "]";
    }
}
