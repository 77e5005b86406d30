package io.sealbook.nativecode;

import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;

/**
 * A key in native memory, how it is used, and its table while it has one. Fields are {@link NativeKeyTables}'s to
 * change.
 */
final class KnownKey {
    /** A finished table; a reader of its address keeps the object. */
    record Table(ByteBuffer memory, long address) {}

    final NativeScheme scheme;
    final ByteBuffer memory;
    final long address;

    /**
     * In batches of the verifier. Neither this nor the next is ordered between threads: a stale value costs a table's
     * place in line at most.
     */
    long lastUse;
    /** Verifications without a table. */
    int useCount;

    boolean isBuilding;
    /** The key made room for another; a table that comes too late is not kept. */
    boolean isForgotten;

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
