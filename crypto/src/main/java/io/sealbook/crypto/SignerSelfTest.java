package io.sealbook.crypto;

import java.util.Arrays;
import java.util.Optional;

/** What a signer must get right before it is trusted with keys: the very signatures that the Java signers make. */
final class SignerSelfTest {
    /** Below, at and beyond the lengths at which the hashes need another block; the signed region has 48 bytes. */
    private static final int[] LENGTHS = {0, 23, 24, 48, 56, 300};

    private SignerSelfTest() {}

    /** Runs the test; returns what went wrong, or empty. Exceptions of the provider are passed on. */
    static Optional<String> failure(SignerProvider provider) {
        for (SignatureScheme scheme : SignatureScheme.values()) {
            byte[] scalar = new byte[SigningKey.SCALAR_LENGTH];
            for (int i = 0; i < scalar.length; i++) {
                scalar[i] = (byte) (i * 37 + scheme.code());
            }
            SigningKey key = SigningKey.of(scheme, scalar);
            Optional<Signer> opened = Signers.open(provider, key);
            if (opened.isEmpty()) {
                return Optional.of("absent: " + provider.status());
            }
            Optional<String> failure = failure(opened.get(), key.javaSigner());
            if (failure.isPresent()) {
                return failure;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> failure(Signer signer, Signer reference) {
        for (int length : LENGTHS) {
            byte[] message = new byte[length];
            Arrays.fill(message, (byte) length);
            if (!Arrays.equals(signer.sign(message), reference.sign(message))) {
                return Optional.of("self-test failed: signature of " + length + " bytes under " + signer.scheme());
            }
        }
        return Optional.empty();
    }
}
