package io.sealbook.nativecode;

import java.nio.ByteBuffer;

/**
 * Verification functions of libsealbook, src/main/c/jni_verify.c. C checks the sizes and the alignment of buffers; the
 * addresses inside records it must believe, so the writer of a record keeps the memory that it names alive during the
 * call.
 *
 * <p>All buffers are direct; keys, tables and scratch memory are aligned to {@link #ALIGNMENT}. Any thread.
 */
final class NativeVerification {
    /** What the alignment of keys, tables and scratch memory is, in bytes. */
    static final int ALIGNMENT = 64;

    static final int KEY_SIZE = 128;

    /*
     * A record:
     *
     *   offset  length  meaning
     *   0       64      r ‖ s
     *   64      48      the message; or e in its first 32 bytes
     *   112     8       address of the key, native byte order
     *   120     8       address of the key's table; 0 when it has none
     */
    static final int RECORD_SIZE = 128;
    static final int MESSAGE_OFFSET = 64;
    static final int MESSAGE_LENGTH = 48;
    static final int KEY_OFFSET = 112;
    static final int TABLE_OFFSET = 120;

    /** States before: what a record's message is. */
    static final byte GIVEN_E = 0;

    static final byte GIVEN_MESSAGE = 1;
    /** A state after. */
    static final byte VALID = 1;

    static {
        if (!NativeLibrary.isLoaded()) {
            throw new UnsatisfiedLinkError(NativeLibrary.status());
        }
    }

    private NativeVerification() {}

    /** Returns memory of this size, aligned for C, zeroed, in native byte order. */
    static ByteBuffer allocate(int size) {
        return ByteBuffer.allocateDirect(size + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .slice(0, size)
                .order(java.nio.ByteOrder.nativeOrder());
    }

    /** Returns the highest backend, as {@link Backend#code}, that this processor can run. */
    static native int bestBackend();

    static native int scratchSize();

    static native int keyTableSize();

    static native int generatorTableSize();

    /** Returns where an aligned buffer lies. */
    static native long address(ByteBuffer buffer);

    /**
     * Makes a key.
     *
     * @param point x ‖ y, 64 bytes
     * @param z Z of its owner, 32 bytes
     * @return false if the point is not on the curve
     */
    static native boolean makeKey(ByteBuffer key, byte[] point, byte[] z);

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
