package io.sealbook.crypto;

import java.math.BigInteger;
import java.util.Objects;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.util.BigIntegers;

/**
 * SM2 signature generation, GB/T 32918.2, 6.1: {@code r = e + x(kG)}, {@code s = (1+d)^-1 (k - r d)} mod n.
 *
 * <p>With the inverse kept, {@code s = (1+d)^-1 (k + r) - r}: the only inversion of a signature is the one that makes
 * kG affine.
 */
final class Sm2Signer implements Signer {
    private static final EllipticCurve CURVE = EllipticCurve.SM2P256V1;

    private final VerificationKey verificationKey;
    private final BigInteger d;
    private final BigInteger inverseOfOnePlusD;
    private final SecretTable table = CURVE.secretTable();

    Sm2Signer(SigningKey key) {
        verificationKey = key.verificationKey();
        d = key.d();
        inverseOfOnePlusD = BigIntegers.modOddInverse(CURVE.order, d.add(BigInteger.ONE));
    }

    @Override
    public SignatureScheme scheme() {
        return SignatureScheme.SM2_SM3;
    }

    @Override
    public VerificationKey verificationKey() {
        return verificationKey;
    }

    @Override
    public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
        Objects.checkFromIndexSize(offset, length, message.length);
        Objects.checkFromIndexSize(signatureOffset, SignatureScheme.SIGNATURE_LENGTH, signature.length);
        byte[] digest = Sm2Digest.of(new SM3Digest(), verificationKey, message, offset, length);
        BigInteger e = new BigInteger(1, digest);
        BigInteger n = CURVE.order;
        HMacDSAKCalculator nonces = new HMacDSAKCalculator(new SM3Digest());
        nonces.init(n, d, digest);
        while (true) {
            BigInteger k = nonces.nextK();
            BigInteger x = table.multiply(k).getAffineXCoord().toBigInteger();
            BigInteger r = e.add(x).mod(n);
            if (r.signum() == 0 || r.add(k).equals(n)) {
                continue;
            }
            BigInteger s = inverseOfOnePlusD.multiply(k.add(r)).subtract(r).mod(n);
            if (s.signum() == 0) {
                continue;
            }
            SignatureBytes.write(signature, signatureOffset, r, s, 0);
            return;
        }
    }
}
