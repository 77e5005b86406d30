package io.sealbook.jni;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureVerifier;

/**
 * The provider {@code jni}: verification in C, on AVX-512 IFMA where the processor has it. Absent where there is no
 * library for the machine, failed where the machine refuses it.
 */
public final class JniProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "jni";

    private static final long BYTES_PER_MIB = 1 << 20;

    @Override
    public String name() {
        return NAME;
    }

    /** Returns the rate of this processor's best backend; that of the slowest without the library. */
    @Override
    public int verificationsPerSecond() {
        return (NativeLibrary.isLoaded() ? Backend.best() : Backend.PORTABLE).verificationsPerSecond;
    }

    @Override
    public Opening<SignatureVerifier> open() {
        return NativeLibrary.loading().open(description -> {
            Backend backend = Backend.chosen();
            long tablesMib = Long.getLong(KeyTables.MEMORY_PROPERTY, KeyTables.MEMORY_DEFAULT_MIB);
            return new Opening.Opened<>(
                    new JniVerifier(backend, tablesMib * BYTES_PER_MIB), description + ", " + backend);
        });
    }
}
