package io.sealbook.jni;

import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureVerifier;
import java.util.Optional;

/** The provider {@code jni}: verification in C, on AVX-512 IFMA where the processor has it. Absent where libsealbook cannot be loaded. */
public final class JniProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "jni";

    private static final long BYTES_PER_MIB = 1 << 20;

    @Override
    public String name() {
        return NAME;
    }

    /** Returns the rate of this processor's best backend; 0 without the library. */
    @Override
    public int verificationsPerSecond() {
        return NativeLibrary.isLoaded() ? Backend.best().verificationsPerSecond : 0;
    }

    @Override
    public Optional<SignatureVerifier> openVerifier() {
        if (!NativeLibrary.isLoaded()) {
            return Optional.empty();
        }
        long tablesMib = Long.getLong(KeyTables.MEMORY_PROPERTY, KeyTables.MEMORY_DEFAULT_MIB);
        return Optional.of(new JniVerifier(Backend.chosen(), tablesMib * BYTES_PER_MIB));
    }

    @Override
    public String status() {
        return NativeLibrary.isLoaded() ? NativeLibrary.status() + ", " + Backend.chosen() : NativeLibrary.status();
    }
}
