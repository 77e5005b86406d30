package io.sealbook.archive;

import java.util.zip.CRC32C;

/** CRC32C (Castagnoli, RFC 3720 appendix B.4), which processors compute in hardware. */
final class Crc32c {
    private Crc32c() {}

    static int of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    static int of(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
