package io.sealbook.pbft.message;

import java.util.Arrays;
import java.util.HexFormat;

/** A replica's signature as a value: opaque bytes, immutable, compared by content. The shell makes and checks them. */
public final class Signature {
    /** No scheme in use has longer ones. */
    public static final int LENGTH_MAX = 256;

    private final byte[] bytes;

    private Signature(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the signature with these bytes, which are copied.
     *
     * @throws IllegalArgumentException if there are more than {@link #LENGTH_MAX}
     */
    public static Signature of(byte[] bytes) {
        if (bytes.length > LENGTH_MAX) {
            throw new IllegalArgumentException("signature of " + bytes.length + " bytes");
        }
        return new Signature(bytes.clone());
    }

    /** Returns the bytes; the array is the caller's. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the number of its bytes. */
    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Signature signature && Arrays.equals(bytes, signature.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "sig:" + HexFormat.of().formatHex(bytes, 0, Math.min(4, bytes.length));
    }
}
