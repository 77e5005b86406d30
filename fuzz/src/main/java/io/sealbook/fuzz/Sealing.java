package io.sealbook.fuzz;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Checksums made right again, so that what is after their check meets mutated bytes, too: a checksum finds accidents,
 * and whoever writes a file or a message can compute it.
 */
final class Sealing {
    private Sealing() {}

    /**
     * Returns a copy whose CRC-32C is right.
     *
     * @param bytes any; shorter ones than the field needs are returned as they are
     * @param at where the checksum is
     * @param from first covered byte
     * @param to end of the covered bytes
     */
    static byte[] crc(byte[] bytes, int at, int from, int to) {
        if (at < 0 || at > bytes.length - Integer.BYTES || from < 0 || to > bytes.length || from > to) {
            return bytes;
        }
        byte[] sealed = bytes.clone();
        CRC32C crc = new CRC32C();
        crc.update(sealed, from, to - from);
        littleEndian(sealed).putInt(at, (int) crc.getValue());
        return sealed;
    }

    /** Returns a copy that ends with the CRC-32C of all before. */
    static byte[] crcAtEnd(byte[] bytes) {
        return crc(bytes, bytes.length - Integer.BYTES, 0, Math.max(0, bytes.length - Integer.BYTES));
    }

    /** Returns a copy that ends with the SHA-256 of all before. */
    static byte[] shaAtEnd(byte[] bytes) {
        if (bytes.length < Digest.LENGTH) {
            return bytes;
        }
        byte[] sealed = bytes.clone();
        int at = bytes.length - Digest.LENGTH;
        Digest.sha256(Arrays.copyOf(bytes, at)).write(sealed, at);
        return sealed;
    }

    static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] joined(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer joined = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            joined.put(part);
        }
        return joined.array();
    }
}
