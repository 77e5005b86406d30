package io.sealbook.archive;

import java.util.HexFormat;

/** Hashes as people read them. */
final class Hex {
    private Hex() {}

    static String of(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
