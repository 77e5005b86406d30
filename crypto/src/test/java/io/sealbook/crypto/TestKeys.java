package io.sealbook.crypto;

import java.math.BigInteger;
import java.util.Random;
import org.bouncycastle.util.BigIntegers;

/** Keys and messages from a seed. */
final class TestKeys {
    private TestKeys() {}

    static SigningKey key(SignatureScheme scheme, Random random) {
        BigInteger d = new BigInteger(320, random)
                .mod(EllipticCurve.of(scheme).order.subtract(BigInteger.TWO))
                .add(BigInteger.ONE);
        if (scheme == SignatureScheme.SM2_SM3
                && d.equals(EllipticCurve.of(scheme).order.subtract(BigInteger.ONE))) {
            return key(scheme, random);
        }
        return SigningKey.of(scheme, BigIntegers.asUnsignedByteArray(32, d));
    }

    static byte[] message(Random random, int lengthMax) {
        byte[] message = new byte[random.nextInt(lengthMax + 1)];
        random.nextBytes(message);
        return message;
    }
}
