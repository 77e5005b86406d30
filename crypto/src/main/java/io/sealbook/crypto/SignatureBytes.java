package io.sealbook.crypto;

import java.math.BigInteger;
import org.bouncycastle.util.BigIntegers;

/**
 * The bytes of a signature.
 *
 * <pre>
 *   offset  length  meaning
 *   0       32      r, big-endian
 *   32      32      s, big-endian
 *   64      1       recovery byte v: 0..3 for secp256k1, 0 for SM2
 * </pre>
 */
final class SignatureBytes {
    private static final int SCALAR_LENGTH = 32;
    private static final int V_OFFSET = 64;

    private SignatureBytes() {}

    static void write(byte[] signature, int offset, BigInteger r, BigInteger s, int v) {
        BigIntegers.asUnsignedByteArray(r, signature, offset, SCALAR_LENGTH);
        BigIntegers.asUnsignedByteArray(s, signature, offset + SCALAR_LENGTH, SCALAR_LENGTH);
        signature[offset + V_OFFSET] = (byte) v;
    }

    static BigInteger r(byte[] signature, int offset) {
        return new BigInteger(1, signature, offset, SCALAR_LENGTH);
    }

    static BigInteger s(byte[] signature, int offset) {
        return new BigInteger(1, signature, offset + SCALAR_LENGTH, SCALAR_LENGTH);
    }

    static int v(byte[] signature, int offset) {
        return signature[offset + V_OFFSET];
    }
}
