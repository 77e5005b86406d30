package io.sealbook.gpu;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.math.BigInteger;
import java.util.Random;
import org.bouncycastle.asn1.gm.GMObjectIdentifiers;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/** SM2 by the book on Bouncy Castle's points: keys from a seed, signatures, and the truth about a signature. */
final class Sm2Reference {
    private static final X9ECParameters CURVE = CustomNamedCurves.getByOID(GMObjectIdentifiers.sm2p256v1);

    static final BigInteger P = CURVE.getCurve().getField().getCharacteristic();
    static final BigInteger N = CURVE.getN();
    static final ECPoint G = CURVE.getG().normalize();

    private Sm2Reference() {}

    /** A private key d and its public one. */
    record KeyPair(BigInteger d, VerificationKey key) {
        static KeyPair of(BigInteger d) {
            byte[] encoded = G.multiply(d).normalize().getEncoded(false);
            byte[] point = java.util.Arrays.copyOfRange(encoded, 1, encoded.length);
            return new KeyPair(d, VerificationKey.of(SignatureScheme.SM2_SM3, point));
        }

        static KeyPair of(Random random) {
            return of(scalar(random));
        }
    }

    /** Returns a number of 1..n-2. */
    static BigInteger scalar(Random random) {
        return new BigInteger(320, random).mod(N.subtract(BigInteger.TWO)).add(BigInteger.ONE);
    }

    static ECPoint point(VerificationKey key) {
        byte[] point = key.point();
        return CURVE.getCurve().createPoint(new BigInteger(1, point, 0, 32), new BigInteger(1, point, 32, 32));
    }

    /** e = SM3(Z ‖ message). */
    static BigInteger digest(VerificationKey key, byte[] message) {
        SM3Digest digest = new SM3Digest();
        byte[] z = key.z();
        digest.update(z, 0, z.length);
        digest.update(message, 0, message.length);
        byte[] e = new byte[32];
        digest.doFinal(e, 0);
        return new BigInteger(1, e);
    }

    /** GB/T 32918.2, 6.1; returns r ‖ s ‖ 0. */
    static byte[] sign(KeyPair pair, byte[] message, Random random) {
        BigInteger k = scalar(random);
        BigInteger x = G.multiply(k).normalize().getAffineXCoord().toBigInteger();
        BigInteger r = digest(pair.key(), message).add(x).mod(N);
        BigInteger s = pair.d()
                .add(BigInteger.ONE)
                .modInverse(N)
                .multiply(k.subtract(r.multiply(pair.d())))
                .mod(N);
        return signature(r, s);
    }

    static byte[] signature(BigInteger r, BigInteger s) {
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        BigIntegers.asUnsignedByteArray(r, signature, 0, 32);
        BigIntegers.asUnsignedByteArray(s, signature, 32, 32);
        return signature;
    }

    /** GB/T 32918.2, 7.1, for r and s of any size. */
    static boolean isValid(VerificationKey key, byte[] message, byte[] signature) {
        BigInteger r = new BigInteger(1, signature, 0, 32);
        BigInteger s = new BigInteger(1, signature, 32, 32);
        BigInteger t = r.add(s).mod(N);
        if (!isScalar(r) || !isScalar(s) || t.signum() == 0) {
            return false;
        }
        ECPoint sum = ECAlgorithms.sumOfTwoMultiplies(G, s, point(key), t).normalize();
        return !sum.isInfinity()
                && digest(key, message)
                        .add(sum.getAffineXCoord().toBigInteger())
                        .mod(N)
                        .equals(r);
    }

    private static boolean isScalar(BigInteger a) {
        return a.signum() > 0 && a.compareTo(N) < 0;
    }
}
