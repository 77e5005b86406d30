package io.sealbook.crypto;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import java.util.Objects;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/**
 * ECDSA on secp256k1, SEC 1, 4.1.3: {@code R = kG}, {@code r = x(R)}, {@code s = k^-1 (e + r d)} mod n, then the lower
 * of s and n - s.
 *
 * <p>The recovery byte is read off R where R is computed: bit 0 is the parity of y(R), bit 1 says {@code x(R) >= n}.
 * Replacing s by n - s replaces R by -R, so that it flips bit 0.
 */
final class Secp256k1Signer implements Signer {
    private static final EllipticCurve CURVE = EllipticCurve.SECP256K1;

    private final VerificationKey verificationKey;
    private final BigInteger d;
    private final SecretTable table = CURVE.secretTable();

    Secp256k1Signer(SigningKey key) {
        verificationKey = key.verificationKey();
        d = key.d();
    }

    @Override
    public SignatureScheme scheme() {
        return SignatureScheme.ECDSA_SECP256K1_SHA256;
    }

    @Override
    public VerificationKey verificationKey() {
        return verificationKey;
    }

    @Override
    public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
        Objects.checkFromIndexSize(offset, length, message.length);
        Objects.checkFromIndexSize(signatureOffset, SignatureScheme.SIGNATURE_LENGTH, signature.length);
        byte[] digest = Sha256.of(message, offset, length);
        BigInteger e = new BigInteger(1, digest);
        BigInteger n = CURVE.order;
        HMacDSAKCalculator nonces = new HMacDSAKCalculator(new SHA256Digest());
        nonces.init(n, d, digest);
        while (true) {
            BigInteger k = nonces.nextK();
            ECPoint point = table.multiply(k);
            BigInteger x = point.getAffineXCoord().toBigInteger();
            BigInteger r = x.mod(n);
            if (r.signum() == 0) {
                continue;
            }
            BigInteger s = BigIntegers.modOddInverse(n, k)
                    .multiply(e.add(r.multiply(d)).mod(n))
                    .mod(n);
            if (s.signum() == 0) {
                continue;
            }
            int v = point.getAffineYCoord().testBitZero() ? 1 : 0;
            if (x.compareTo(n) >= 0) {
                v |= 2;
            }
            if (s.compareTo(CURVE.halfOrder) > 0) {
                s = n.subtract(s);
                v ^= 1;
            }
            SignatureBytes.write(signature, signatureOffset, r, s, v);
            return;
        }
    }
}
