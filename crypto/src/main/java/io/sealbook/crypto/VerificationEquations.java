package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.math.ec.ECPoint;

/**
 * What is left of one scheme's signatures in a batch once ranges are checked and messages hashed: for each, the scalars
 * of a·G + b·P and what that point must be. One thread.
 */
abstract class VerificationEquations {
    final EllipticCurve curve;
    /** Position of the signature in the batch. */
    final int[] index;

    final BigInteger[] a;
    final BigInteger[] b;
    int count;

    VerificationEquations(EllipticCurve curve, int capacity) {
        this.curve = curve;
        index = new int[capacity];
        a = new BigInteger[capacity];
        b = new BigInteger[capacity];
    }

    /** Appends the entry's equation, or nothing if its numbers are out of range. */
    abstract void collect(SignatureBatch batch, int entry);

    /** Completes the scalars of all equations. */
    abstract void prepare();

    /** Returns whether the signature is valid, given a·G + b·P. */
    abstract boolean holdsAt(int equation, BigInteger x, boolean isYOdd);

    /** As above; infinity never is. */
    final boolean holdsAt(int equation, ECPoint point) {
        if (point.isInfinity()) {
            return false;
        }
        ECPoint affine = point.normalize();
        return holdsAt(
                equation,
                affine.getAffineXCoord().toBigInteger(),
                affine.getAffineYCoord().testBitZero());
    }
}
