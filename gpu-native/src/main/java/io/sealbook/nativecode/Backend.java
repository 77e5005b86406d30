package io.sealbook.nativecode;

import java.nio.ByteBuffer;

/**
 * Which native code verifies, from slow to fast: what every x86-64 has; MULX and ADX; eight lanes at a time on AVX-512
 * IFMA.
 */
enum Backend {
    PORTABLE(0, 16, "portable code"),
    ADX(1, 16, "MULX and ADX"),
    IFMA(2, 160, "AVX-512 IFMA");

    /** What C calls it. */
    final int code;
    /** Break-even: what making a table costs, in what each verification under it saves. */
    final int usesBeforeTable;

    private final String text;
    private ByteBuffer generatorTable;

    Backend(int code, int usesBeforeTable, String text) {
        this.code = code;
        this.usesBeforeTable = usesBeforeTable;
        this.text = text;
    }

    /** Returns the fastest backend that this processor can run; it can run all slower ones. */
    static Backend best() {
        return values()[NativeVerification.bestBackend()];
    }

    /** Returns the generator's table, 5 MiB, made at its first use in some 20 ms. */
    synchronized ByteBuffer generatorTable() {
        if (generatorTable == null) {
            ByteBuffer table = NativeVerification.allocate(NativeVerification.generatorTableSize());
            NativeVerification.buildGeneratorTable(table, code);
            generatorTable = table;
        }
        return generatorTable;
    }

    @Override
    public String toString() {
        return text;
    }
}
