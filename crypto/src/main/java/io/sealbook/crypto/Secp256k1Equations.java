package io.sealbook.crypto;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import org.bouncycastle.util.BigIntegers;

/** SEC 1, 4.1.4: {@code R = (e/s)·G + (r/s)·P}, and R is the point that r and v name. */
final class Secp256k1Equations extends VerificationEquations {
    private final Sha256 sha256 = new Sha256();
    private final byte[] digest = new byte[Sha256.LENGTH];
    private final BigInteger[] s;
    private final BigInteger[] x;
    private final boolean[] isYOdd;

    Secp256k1Equations(int capacity) {
        super(EllipticCurve.SECP256K1, capacity);
        s = new BigInteger[capacity];
        x = new BigInteger[capacity];
        isYOdd = new boolean[capacity];
    }

    @Override
    void collect(SignatureBatch batch, int entry) {
        int offset = batch.signatureOffset(entry);
        BigInteger r = SignatureBytes.r(batch.signatures(), offset);
        s[count] = SignatureBytes.s(batch.signatures(), offset);
        int v = SignatureBytes.v(batch.signatures(), offset);
        boolean isInRange = curve.isScalar(r) && s[count].signum() > 0 && s[count].compareTo(curve.halfOrder) <= 0;
        if (!isInRange || (v & ~3) != 0) {
            return;
        }
        index[count] = entry;
        a[count] = hash(batch, entry);
        b[count] = r;
        x[count] = (v & 2) == 0 ? r : r.add(curve.order);
        isYOdd[count] = (v & 1) == 1;
        count++;
    }

    /** Divides by s. Montgomery's trick: all inverses for one inversion and three multiplications each. */
    @Override
    void prepare() {
        BigInteger n = curve.order;
        BigInteger[] products = new BigInteger[count];
        BigInteger product = BigInteger.ONE;
        for (int i = 0; i < count; i++) {
            products[i] = product;
            product = product.multiply(s[i]).mod(n);
        }
        BigInteger inverse = BigIntegers.modOddInverseVar(n, product);
        for (int i = count - 1; i >= 0; i--) {
            BigInteger inverseOfS = products[i].multiply(inverse).mod(n);
            inverse = inverse.multiply(s[i]).mod(n);
            a[i] = a[i].multiply(inverseOfS).mod(n);
            b[i] = b[i].multiply(inverseOfS).mod(n);
        }
    }

    @Override
    boolean holdsAt(int equation, BigInteger pointX, boolean isPointYOdd) {
        return pointX.equals(x[equation]) && isPointYOdd == isYOdd[equation];
    }

    private BigInteger hash(SignatureBatch batch, int entry) {
        sha256.update(batch.message(entry), batch.messageOffset(entry), batch.messageLength(entry))
                .digest(digest, 0);
        return new BigInteger(1, digest);
    }
}
