package io.sealbook.jni;

import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;

/** A key in native memory, how it is used, and its table while it has one. Fields are {@link KeyTables}'s to change. */
final class KnownKey {
    /** A finished table; whoever reads its address keeps the object. */
    record Table(ByteBuffer memory, long address) {}

    final NativeScheme scheme;
    final ByteBuffer memory;
    final long address;

    /** Counts batches of the verifier. */
    volatile long lastUse;
    /** Verifications without a table; lost counts do not matter. */
    int useCount;

    boolean isBuilding;
    volatile Table table;

    KnownKey(VerificationKey key, NativeScheme scheme) {
        this.scheme = scheme;
        memory = NativeVerification.allocate(NativeVerification.KEY_SIZE);
        address = NativeVerification.address(memory);
        if (!scheme.makeKey(memory, key)) {
            throw new IllegalStateException("native code does not accept " + key);
        }
    }
}
