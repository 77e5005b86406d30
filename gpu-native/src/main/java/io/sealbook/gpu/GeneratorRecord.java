package io.sealbook.gpu;

import java.util.Arrays;
import java.util.HexFormat;

/** The generator of the SM2 curve (GB/T 32918.5) in the form of a key, for the kernel that makes tables. */
final class GeneratorRecord {
    static final byte[] BYTES = Arrays.copyOf(
            HexFormat.of()
                    .parseHex("32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
                            + "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"),
            SignatureRows.KEY_LENGTH);

    private GeneratorRecord() {}
}
