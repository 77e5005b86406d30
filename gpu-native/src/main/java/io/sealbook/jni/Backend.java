package io.sealbook.jni;

import java.nio.ByteBuffer;

/** Which native code verifies: what every x86-64 has, or eight lanes at a time on AVX-512 IFMA. */
enum Backend {
    PORTABLE(0, 100_000, 12, "portable code"),
    IFMA(1, 500_000, 160, "AVX-512 IFMA");

    /** System property that asks for a backend: {@code portable}, {@code ifma} or {@code auto}. */
    static final String PROPERTY = "sealbook.native.dispatch";

    /** What C calls it. */
    final int code;
    /** Rounded down from the benchmark of {@code perf}: batches of 64 under known keys, one core of a busy machine. */
    final int verificationsPerSecond;
    /** Break-even: what making a table costs, in what each verification under it saves. */
    final int usesBeforeTable;

    private final String text;
    private ByteBuffer generatorTable;

    Backend(int code, int verificationsPerSecond, int usesBeforeTable, String text) {
        this.code = code;
        this.verificationsPerSecond = verificationsPerSecond;
        this.usesBeforeTable = usesBeforeTable;
        this.text = text;
    }

    /** Returns the fastest backend that this processor can run. */
    static Backend best() {
        return NativeVerification.bestBackend() >= IFMA.code ? IFMA : PORTABLE;
    }

    /**
     * Returns the backend that the property asks for, by default the best of this processor.
     *
     * @throws IllegalArgumentException if the processor lacks what is asked for, or there is no such backend
     */
    static Backend chosen() {
        Backend best = best();
        String asked = System.getProperty(PROPERTY, "auto");
        return switch (asked) {
            case "auto" -> best;
            case "portable" -> PORTABLE;
            case "ifma" -> {
                if (best != IFMA) {
                    throw new IllegalArgumentException(PROPERTY + "=ifma, but this processor has no AVX-512 IFMA");
                }
                yield IFMA;
            }
            default ->
                throw new IllegalArgumentException(PROPERTY + " is \"" + asked + "\", not portable, ifma or auto");
        };
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
