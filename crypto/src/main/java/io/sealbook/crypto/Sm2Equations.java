package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.crypto.digests.SM3Digest;

/** GB/T 32918.2, 7.1: with {@code t = r + s}, {@code r = e + x(s·G + t·P)} mod n. */
final class Sm2Equations extends VerificationEquations {
    private final SM3Digest digest = new SM3Digest();
    private final BigInteger[] expectedX;

    Sm2Equations(int capacity) {
        super(EllipticCurve.SM2P256V1, capacity);
        expectedX = new BigInteger[capacity];
    }

    @Override
    void collect(SignatureBatch batch, int entry) {
        int offset = batch.signatureOffset(entry);
        BigInteger r = SignatureBytes.r(batch.signatures(), offset);
        BigInteger s = SignatureBytes.s(batch.signatures(), offset);
        BigInteger n = curve.order;
        if (!curve.isScalar(r) || !curve.isScalar(s) || SignatureBytes.v(batch.signatures(), offset) != 0) {
            return;
        }
        BigInteger t = r.add(s).mod(n);
        if (t.signum() == 0) {
            return;
        }
        byte[] e = Sm2Digest.of(
                digest, batch.key(entry), batch.message(entry), batch.messageOffset(entry), batch.messageLength(entry));
        index[count] = entry;
        a[count] = s;
        b[count] = t;
        expectedX[count] = r.subtract(new BigInteger(1, e)).mod(n);
        count++;
    }

    @Override
    void prepare() {}

    @Override
    boolean holdsAt(int equation, BigInteger x, boolean isYOdd) {
        return x.mod(curve.order).equals(expectedX[equation]);
    }
}
