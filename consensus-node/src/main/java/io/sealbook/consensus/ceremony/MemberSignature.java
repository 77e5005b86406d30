package io.sealbook.consensus.ceremony;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.PublicKey;

/** Keys and signatures of members as the files of a ceremony have them. */
final class MemberSignature {
    /** Opened once: an opening verifies and measures, which costs far more than a signature. */
    private static final SignatureVerifier SIGNATURES = SignatureProviders.named(BouncyCastleProvider.NAME);

    private MemberSignature() {}

    /**
     * Returns the key that a message names.
     *
     * @throws IllegalArgumentException if it is none of a known scheme, or its point is not on the curve
     */
    static VerificationKey key(PublicKey key) {
        return VerificationKey.of(
                SignatureScheme.of(key.getSchemeValue()), key.getPoint().toByteArray());
    }

    static PublicKey message(VerificationKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.point()))
                .build();
    }

    static boolean isValid(VerificationKey key, byte[] signed, ByteString signature) {
        if (signature.size() != SignatureScheme.SIGNATURE_LENGTH) {
            return false;
        }
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key, signed, signature.toByteArray());
        return SIGNATURES.verify(batch) == 1;
    }
}
