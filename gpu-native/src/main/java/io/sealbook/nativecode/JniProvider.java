package io.sealbook.nativecode;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.ProviderSettings;
import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import java.util.Optional;

/**
 * The provider {@code jni}: verification in C, on AVX-512 IFMA where the processor has it. Absent where there is no
 * library for the machine, failed where the machine refuses it.
 */
public final class JniProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "jni";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void check(ProviderSettings settings) {
        JniSettings.of(settings);
    }

    @Override
    public Opening<SignatureVerifier> open(VerifierSettings settings) {
        JniSettings read = JniSettings.of(settings.of(NAME));
        return NativeLibrary.loading().open(description -> {
            Backend backend = read.backend(Backend.best());
            return open(backend, read.tablesBytes(), description + ", " + backend);
        });
    }

    private static Opening<SignatureVerifier> open(Backend backend, long tablesBytes, String description) {
        JniVerifier verifier = new JniVerifier(backend, tablesBytes);
        Optional<String> failure = JniSelfTest.failure(verifier);
        if (failure.isPresent()) {
            verifier.close();
            return new Opening.Failed<>(description + ", but its self-test failed: " + failure.get());
        }
        return new Opening.Opened<>(verifier, description);
    }
}
