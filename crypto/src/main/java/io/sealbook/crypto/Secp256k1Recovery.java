package io.sealbook.crypto;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import java.util.Optional;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/**
 * Finds the key that made a secp256k1 signature, SEC 1, 4.1.6: {@code P = r^-1 (s·R - e·G)}, where r and v name R.
 * Stateless; any thread.
 */
public final class Secp256k1Recovery {
    private static final EllipticCurve CURVE = EllipticCurve.SECP256K1;

    private Secp256k1Recovery() {}

    /**
     * Returns the only key under which a verifier accepts this signature of the message.
     *
     * @param message the whole of it
     * @param signature65 r ‖ s ‖ v
     * @return empty if no key accepts it: r or s out of range, s above (n-1)/2, v not in 0..3, or no such point
     */
    public static Optional<VerificationKey> recover(byte[] message, byte[] signature65) {
        if (signature65.length != SignatureScheme.SIGNATURE_LENGTH) {
            throw new IllegalArgumentException(
                    "signature has " + signature65.length + " bytes, expected " + SignatureScheme.SIGNATURE_LENGTH);
        }
        BigInteger r = SignatureBytes.r(signature65, 0);
        BigInteger s = SignatureBytes.s(signature65, 0);
        int v = SignatureBytes.v(signature65, 0);
        if (!CURVE.isScalar(r) || s.signum() == 0 || s.compareTo(CURVE.halfOrder) > 0 || (v & ~3) != 0) {
            return Optional.empty();
        }
        Optional<ECPoint> noncePoint = noncePoint(r, v);
        if (noncePoint.isEmpty()) {
            return Optional.empty();
        }
        BigInteger n = CURVE.order;
        BigInteger e = new BigInteger(1, Sha256.of(message, 0, message.length));
        BigInteger inverse = BigIntegers.modOddInverseVar(n, r);
        BigInteger u = n.subtract(e.multiply(inverse).mod(n)).mod(n);
        BigInteger w = s.multiply(inverse).mod(n);
        ECPoint key = ECAlgorithms.sumOfTwoMultiplies(CURVE.generator, u, noncePoint.get(), w);
        return key.isInfinity()
                ? Optional.empty()
                : Optional.of(VerificationKey.of(SignatureScheme.ECDSA_SECP256K1_SHA256, key));
    }

    private static Optional<ECPoint> noncePoint(BigInteger r, int v) {
        BigInteger x = (v & 2) == 0 ? r : r.add(CURVE.order);
        if (x.compareTo(CURVE.fieldPrime) >= 0) {
            return Optional.empty();
        }
        byte[] compressed = new byte[33];
        compressed[0] = (byte) (2 + (v & 1));
        BigIntegers.asUnsignedByteArray(x, compressed, 1, 32);
        try {
            return Optional.of(CURVE.curve.decodePoint(compressed));
        } catch (IllegalArgumentException e) {
            // Half of all x have no y: that is the answer, not a failure.
            return Optional.empty();
        }
    }
}
