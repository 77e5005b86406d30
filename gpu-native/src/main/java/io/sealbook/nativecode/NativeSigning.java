package io.sealbook.nativecode;

import java.nio.ByteBuffer;

/**
 * Signing functions of libsealbook, src/main/c/jni_sign.c. Callers have checked every length and range: C checks none
 * of them again.
 *
 * <p>A scheme is its wire code. A key is a direct buffer of {@link #KEY_LENGTH} bytes in C's own layout, only read once
 * made; any thread.
 */
final class NativeSigning {
    static final int KEY_LENGTH = 96;

    static {
        if (!NativeLibrary.isLoaded()) {
            throw new UnsatisfiedLinkError(NativeLibrary.status());
        }
        prepare();
    }

    private NativeSigning() {}

    /** Makes the tables; class initialisation calls it once, before everything else. */
    private static native void prepare();

    /**
     * Makes a key of a private scalar.
     *
     * @param z Z of an SM2 key, 32 bytes; ignored for other schemes
     * @return false if the scalar is out of the scheme's range
     */
    static native boolean makeKey(ByteBuffer key, int scheme, byte[] scalar32, byte[] z);

    static native void wipeKey(ByteBuffer key);

    static native void sign(
            ByteBuffer key, int scheme, byte[] message, int offset, int length, byte[] signature, int signatureOffset);

    /** Signs {@code count} messages of {@code length} bytes, one after another, as are the signatures. */
    static native void signAll(ByteBuffer key, int scheme, byte[] messages, int length, int count, byte[] signatures);
}
