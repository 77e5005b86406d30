package io.sealbook.crypto;

import java.util.Arrays;
import java.util.Optional;

/** Whether a signer can be trusted with keys: it must make the very signatures that the Java signers make. */
final class SignerSelfTest {
    /** Below, at and beyond the lengths at which the hashes need another block; the signed region has 48 bytes. */
    private static final int[] LENGTHS = {0, 23, 24, 48, 56, 300};

    private static final int SIGNED_LENGTH = 48;
    /** Signed together: one, fewer than the lanes of native code, its lanes and one, a full block and one. */
    private static final int[] COUNTS = {1, 2, 17, 65};

    private SignerSelfTest() {}

    /** Opens signers of all schemes and tests them. Exceptions of the provider are passed on. */
    static Opening<Optional<SignerProvider>> test(SignerProvider provider) {
        String description = "";
        for (SignatureScheme scheme : SignatureScheme.values()) {
            byte[] scalar = new byte[SigningKey.SCALAR_LENGTH];
            for (int i = 0; i < scalar.length; i++) {
                scalar[i] = (byte) (i * 37 + scheme.code());
            }
            SigningKey key = SigningKey.of(scheme, scalar);
            Opening<Signer> opening = Signers.open(provider, key);
            if (opening instanceof Opening.Absent<Signer> absent) {
                return new Opening.Absent<>(absent.reason());
            }
            if (opening instanceof Opening.Failed<Signer> failed) {
                return new Opening.Failed<>(failed.reason());
            }
            Opening.Opened<Signer> opened = (Opening.Opened<Signer>) opening;
            Optional<String> failure = failure(opened.value(), key.javaSigner());
            if (failure.isPresent()) {
                return new Opening.Failed<>("self-test failed: " + failure.get());
            }
            description = opened.description();
        }
        return new Opening.Opened<>(
                Optional.of(provider),
                "self-test passed, declared " + provider.signaturesPerSecond() + " signatures/s, " + description);
    }

    private static Optional<String> failure(Signer signer, Signer reference) {
        for (int length : LENGTHS) {
            byte[] message = new byte[length];
            Arrays.fill(message, (byte) length);
            if (!Arrays.equals(signer.sign(message), reference.sign(message))) {
                return Optional.of(
                        "signature of " + length + " bytes under " + signer.scheme() + " differs from Java's");
            }
        }
        return failureOfMany(signer, reference);
    }

    /** Messages differ, so that a signature of another one in its place is noticed. */
    private static Optional<String> failureOfMany(Signer signer, Signer reference) {
        int most = COUNTS[COUNTS.length - 1];
        byte[] messages = new byte[most * SIGNED_LENGTH];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = (byte) (i / SIGNED_LENGTH + i);
        }
        byte[] expected = new byte[most * SignatureScheme.SIGNATURE_LENGTH];
        reference.signAll(messages, SIGNED_LENGTH, most, expected);
        for (int count : COUNTS) {
            byte[] signatures = new byte[count * SignatureScheme.SIGNATURE_LENGTH];
            signer.signAll(messages, SIGNED_LENGTH, count, signatures);
            if (!Arrays.equals(signatures, 0, signatures.length, expected, 0, signatures.length)) {
                return Optional.of(count + " signatures at once under " + signer.scheme() + " differ from Java's");
            }
        }
        return Optional.empty();
    }
}
