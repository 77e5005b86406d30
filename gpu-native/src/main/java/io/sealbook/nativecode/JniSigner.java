package io.sealbook.nativecode;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Signs in C, in a time that does not depend on the key or the nonce.
 *
 * <p>The key is outside of the heap and is overwritten when the signer is no longer reachable. Thread-safe.
 */
final class JniSigner implements Signer {
    private static final Cleaner CLEANER = Cleaner.create();

    private final VerificationKey verificationKey;
    private final int scheme;
    private final ByteBuffer key;

    /** @throws IllegalArgumentException if the scalar is out of the scheme's range */
    JniSigner(VerificationKey verificationKey, byte[] scalar32) {
        this.verificationKey = verificationKey;
        this.scheme = verificationKey.scheme().code();
        ByteBuffer made = ByteBuffer.allocateDirect(NativeSigning.KEY_LENGTH);
        if (!NativeSigning.makeKey(made, scheme, scalar32, verificationKey.z())) {
            throw new IllegalArgumentException("private scalar is out of range for " + verificationKey.scheme());
        }
        this.key = made;
        CLEANER.register(this, () -> NativeSigning.wipeKey(made));
    }

    @Override
    public SignatureScheme scheme() {
        return verificationKey.scheme();
    }

    @Override
    public VerificationKey verificationKey() {
        return verificationKey;
    }

    @Override
    public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
        Objects.checkFromIndexSize(offset, length, message.length);
        Objects.checkFromIndexSize(signatureOffset, SignatureScheme.SIGNATURE_LENGTH, signature.length);
        NativeSigning.sign(key, scheme, message, offset, length, signature, signatureOffset);
        Reference.reachabilityFence(this);
    }

    @Override
    public void signAll(byte[] messages, int messageLength, int count, byte[] signatures) {
        Signer.checkSignAll(messages, messageLength, count, signatures);
        NativeSigning.signAll(key, scheme, messages, messageLength, count, signatures);
        Reference.reachabilityFence(this);
    }
}
