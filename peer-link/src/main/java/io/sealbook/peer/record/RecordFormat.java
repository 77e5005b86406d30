package io.sealbook.peer.record;

/**
 * A record.
 *
 * <pre>
 *   0  4   length n of the content, little-endian, 1..65536; covered by the tag
 *   4  n   content, encrypted
 *      16  tag
 * </pre>
 */
final class RecordFormat {
    static final int HEADER_LENGTH = 4;

    /** Longer content takes several records: what is unproven stays small. */
    static final int CONTENT_LENGTH_MAX = 1 << 16;

    /** Bytes of the longest ciphertext with its tag. */
    static final int CLOSED_LENGTH_MAX = CONTENT_LENGTH_MAX + RecordCipher.TAG_LENGTH;

    static final int OVERHEAD = HEADER_LENGTH + RecordCipher.TAG_LENGTH;

    private RecordFormat() {}

    /**
     * Writes a header.
     *
     * @param header {@link #HEADER_LENGTH} bytes
     * @param length of the content
     */
    static void putLength(byte[] header, int length) {
        for (int i = 0; i < HEADER_LENGTH; i++) {
            header[i] = (byte) (length >>> Byte.SIZE * i);
        }
    }
}
