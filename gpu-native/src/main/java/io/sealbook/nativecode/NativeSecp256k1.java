package io.sealbook.nativecode;

import java.nio.ByteBuffer;

/**
 * Verification functions of libsealbook for secp256k1, src/main/c/jni_verify_secp256k1.c; buffers as in
 * {@link NativeVerification}, a backend is {@link Backend#code}. A record is laid out as there; the state before has
 * the recovery byte in its high half. Any thread.
 */
final class NativeSecp256k1 {
    /** The recovery byte's place in a state. */
    static final int V_SHIFT = 4;

    static final int V_MAX = 3;

    static {
        if (!NativeLibrary.isLoaded()) {
            throw new UnsatisfiedLinkError(NativeLibrary.status());
        }
    }

    private NativeSecp256k1() {}

    static native int scratchSize();

    static native int keyTableSize();

    static native int generatorTableSize();

    /**
     * Makes a key.
     *
     * @param point x ‖ y, 64 bytes
     * @return false if the point is not on the curve
     */
    static native boolean makeKey(ByteBuffer key, byte[] point);

    static native void buildKeyTable(ByteBuffer table, ByteBuffer key, int backend);

    static native void buildGeneratorTable(ByteBuffer table, int backend);

    /**
     * Verifies the first {@code count} records and writes their verdicts over their states.
     *
     * @return how many are valid
     */
    static native int verify(
            ByteBuffer records,
            ByteBuffer states,
            int count,
            ByteBuffer generatorTable,
            int backend,
            ByteBuffer scratch);
}
