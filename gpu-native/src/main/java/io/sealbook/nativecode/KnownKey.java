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

    final VerificationKey key;
    final NativeScheme scheme;
    final ByteBuffer memory;
    final long address;

    /**
     * Time of the newest use, in batches of the verifier. Neither this nor the next is ordered between threads: a stale
     * value costs a table's place in line at most.
     */
    long lastUse;
    /** Uses since the key was new, lost a table, or was spared; not counted beyond those that earn a table. */
    int useCount;

    /** Where the key is, under the lock of {@link NativeKeyTables}; null while its table is made and once forgotten. */
    KeyRing ring;
    /** Index in the ring. */
    int place;

    volatile Table table;

    KnownKey(VerificationKey key, NativeScheme scheme) {
        this.key = key;
        this.scheme = scheme;
        memory = NativeVerification.allocate(NativeVerification.KEY_SIZE);
        address = NativeVerification.address(memory);
        if (!scheme.makeKey(memory, key)) {
            throw new IllegalStateException("native code does not accept " + key);
        }
    }
}
