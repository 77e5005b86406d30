package io.sealbook.crypto;

import org.bouncycastle.crypto.digests.SM3Digest;

/** What SM2 signs: e = SM3(Z ‖ message), GB/T 32918.2, 6.1 A1 and A2. */
final class Sm2Digest {
    private Sm2Digest() {}

    /**
     * Returns e as 32 bytes.
     *
     * @param digest in its initial state, and left in it
     */
    static byte[] of(SM3Digest digest, VerificationKey key, byte[] message, int offset, int length) {
        digest.update(key.sharedZ(), 0, key.sharedZ().length);
        digest.update(message, offset, length);
        byte[] e = new byte[digest.getDigestSize()];
        digest.doFinal(e, 0);
        return e;
    }
}
