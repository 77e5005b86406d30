package io.sealbook.node.follow;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;

/** Verifies signed heads by members' keys. One thread at a time. */
final class HeadVerifier {
    private final long chainId;
    private final SignatureVerifier verifier;

    /**
     * @param chainId of the genesis file
     * @param verifier stays the caller's
     */
    HeadVerifier(long chainId, SignatureVerifier verifier) {
        this.chainId = chainId;
        this.verifier = verifier;
    }

    /** Returns whether a head bears the valid signature of a key. */
    boolean isValid(MemberHead head, VerificationKey key) {
        if (head.sequence() < 1 || head.signature().length != SignatureScheme.SIGNATURE_LENGTH) {
            return false;
        }
        byte[] signed = MemberHead.signedBytes(chainId, head.sequence(), head.blockHash());
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key, signed, 0, signed.length, head.signature(), 0);
        return verifier.verify(batch) == 1;
    }
}
