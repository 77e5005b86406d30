package io.sealbook.crypto;

import java.math.BigInteger;
import java.security.DigestException;
import java.security.MessageDigest;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECFieldElement;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/**
 * Verification in Java. A point a·G + b·P is a sum of table entries when the key has a table, and Shamir's trick otherwise.
 *
 * <p>Verification handles public data only, so its time may depend on them. Holds no thread; {@link #close} has nothing to do.
 */
final class BouncyCastleVerifier implements SignatureVerifier {
    private static final EllipticCurve SM2 = EllipticCurve.SM2P256V1;
    private static final EllipticCurve SECP256K1 = EllipticCurve.SECP256K1;

    private final KeyTables tables = new KeyTables();

    @Override
    public String provider() {
        return BouncyCastleProvider.NAME;
    }

    @Override
    public int verify(SignatureBatch batch) {
        Scratch scratch = new Scratch(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            if (batch.key(i).scheme() == SignatureScheme.SM2_SM3) {
                batch.setValid(i, isSm2Valid(batch, i, scratch));
            } else {
                batch.setValid(i, false);
                collectSecp256k1(batch, i, scratch);
            }
        }
        settleSecp256k1(batch, scratch);
        int validCount = 0;
        for (int i = 0; i < batch.size(); i++) {
            validCount += batch.isValid(i) ? 1 : 0;
        }
        return validCount;
    }

    @Override
    public void close() {}

    /** GB/T 32918.2, 7.1: with {@code t = r + s}, {@code r = e + x(s·G + t·P)} mod n. */
    private boolean isSm2Valid(SignatureBatch batch, int index, Scratch scratch) {
        byte[] signatures = batch.signatures();
        int offset = batch.signatureOffset(index);
        BigInteger r = SignatureBytes.r(signatures, offset);
        BigInteger s = SignatureBytes.s(signatures, offset);
        if (!SM2.isScalar(r) || !SM2.isScalar(s) || SignatureBytes.v(signatures, offset) != 0) {
            return false;
        }
        BigInteger t = r.add(s).mod(SM2.order);
        if (t.signum() == 0) {
            return false;
        }
        VerificationKey key = batch.key(index);
        BigInteger e = new BigInteger(
                1,
                Sm2Digest.of(
                        scratch.sm3,
                        key,
                        batch.message(index),
                        batch.messageOffset(index),
                        batch.messageLength(index)));
        ECPoint sum = sumOfTwoMultiples(SM2, s, key, t);
        BigInteger x = r.subtract(e).mod(SM2.order);
        return hasX(SM2, sum, x) || hasX(SM2, sum, x.add(SM2.order));
    }

    /** Checks the ranges and remembers s, whose inverses the whole batch computes together. */
    private static void collectSecp256k1(SignatureBatch batch, int index, Scratch scratch) {
        byte[] signatures = batch.signatures();
        int offset = batch.signatureOffset(index);
        BigInteger r = SignatureBytes.r(signatures, offset);
        BigInteger s = SignatureBytes.s(signatures, offset);
        int v = SignatureBytes.v(signatures, offset);
        if (SECP256K1.isScalar(r) && s.signum() > 0 && s.compareTo(SECP256K1.halfOrder) <= 0 && (v & ~3) == 0) {
            scratch.indexes[scratch.count] = index;
            scratch.r[scratch.count] = r;
            scratch.s[scratch.count] = s;
            scratch.count++;
        }
    }

    /** SEC 1, 4.1.4: {@code R = (e/s)·G + (r/s)·P}; R is what r and v say. */
    private void settleSecp256k1(SignatureBatch batch, Scratch scratch) {
        int count = scratch.count;
        if (count == 0) {
            return;
        }
        BigInteger n = SECP256K1.order;
        BigInteger[] inverses = inverses(scratch.s, count, n);
        ECPoint[] points = new ECPoint[count];
        for (int i = 0; i < count; i++) {
            int index = scratch.indexes[i];
            BigInteger e = scratch.sha256(batch.message(index), batch.messageOffset(index), batch.messageLength(index));
            BigInteger u = e.multiply(inverses[i]).mod(n);
            BigInteger w = scratch.r[i].multiply(inverses[i]).mod(n);
            points[i] = sumOfTwoMultiples(SECP256K1, u, batch.key(index), w);
        }
        SECP256K1.curve.normalizeAll(points);
        for (int i = 0; i < count; i++) {
            int index = scratch.indexes[i];
            int v = SignatureBytes.v(batch.signatures(), batch.signatureOffset(index));
            batch.setValid(index, isNoncePoint(points[i], scratch.r[i], v));
        }
    }

    private static boolean isNoncePoint(ECPoint point, BigInteger r, int v) {
        if (point.isInfinity()) {
            return false;
        }
        BigInteger x = (v & 2) == 0 ? r : r.add(SECP256K1.order);
        return point.getAffineXCoord().toBigInteger().equals(x)
                && point.getAffineYCoord().testBitZero() == ((v & 1) == 1);
    }

    private ECPoint sumOfTwoMultiples(EllipticCurve curve, BigInteger a, VerificationKey key, BigInteger b) {
        WindowTable table = tables.use(key);
        if (table == null) {
            return ECAlgorithms.sumOfTwoMultiplies(curve.generator, a, key.curvePoint(), b);
        }
        return curve.publicTable().addMultipleVar(table.addMultipleVar(curve.curve.getInfinity(), b), a);
    }

    /** Compares x with X/Z² of a Jacobian point as x·Z² = X, which needs no inversion. */
    private static boolean hasX(EllipticCurve curve, ECPoint point, BigInteger x) {
        if (point.isInfinity() || x.compareTo(curve.fieldPrime) >= 0) {
            return false;
        }
        ECFieldElement expected = curve.curve.fromBigInteger(x);
        ECFieldElement z = point.getZCoord(0);
        return expected.multiply(z.square()).equals(point.getRawXCoord());
    }

    /** Montgomery's trick: all inverses for one inversion and three multiplications each. */
    private static BigInteger[] inverses(BigInteger[] values, int count, BigInteger n) {
        BigInteger[] result = new BigInteger[count];
        BigInteger product = BigInteger.ONE;
        for (int i = 0; i < count; i++) {
            result[i] = product;
            product = product.multiply(values[i]).mod(n);
        }
        BigInteger inverse = BigIntegers.modOddInverseVar(n, product);
        for (int i = count - 1; i >= 0; i--) {
            result[i] = result[i].multiply(inverse).mod(n);
            inverse = inverse.multiply(values[i]).mod(n);
        }
        return result;
    }

    /** What one call of verify works with. */
    private static final class Scratch {
        final SM3Digest sm3 = new SM3Digest();
        final MessageDigest sha256 = Sha256.newDigest();
        final byte[] digest = new byte[32];
        final int[] indexes;
        final BigInteger[] r;
        final BigInteger[] s;
        int count;

        Scratch(int size) {
            indexes = new int[size];
            r = new BigInteger[size];
            s = new BigInteger[size];
        }

        BigInteger sha256(byte[] message, int offset, int length) {
            sha256.update(message, offset, length);
            try {
                sha256.digest(digest, 0, digest.length);
            } catch (DigestException e) {
                throw new IllegalStateException("SHA-256 writes 32 bytes", e);
            }
            return new BigInteger(1, digest);
        }
    }
}
