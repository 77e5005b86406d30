package io.sealbook.nativecode;

import io.sealbook.crypto.ProviderSettings;

/**
 * How native code verifies: settings {@code verifier.jni.*} of a node's configuration file. Immutable; any thread.
 *
 * @param code {@code code}: which code runs
 * @param tablesMib {@code tables-mib}: memory of the tables of all keys of a verifier, in MiB; each takes 464 KiB, and
 *     0 means that no key gets one
 */
record JniSettings(Code code, long tablesMib) {
    private static final long TABLES_MIB_DEFAULT = 64;
    private static final long TABLES_MIB_MAX = 1 << 20;
    private static final long BYTES_PER_MIB = 1 << 20;

    /** Which code an operator can ask for. */
    enum Code {
        AUTO,
        PORTABLE,
        ADX,
        IFMA
    }

    JniSettings {
        if (tablesMib < 0 || tablesMib > TABLES_MIB_MAX) {
            throw new IllegalArgumentException(
                    "verifier." + JniProvider.NAME + ".tables-mib=" + tablesMib + " is not in 0.." + TABLES_MIB_MAX);
        }
    }

    /**
     * Reads settings; an absent one has its default.
     *
     * @throws IllegalArgumentException if a value is out of range or a key unknown; the message names it
     */
    static JniSettings of(ProviderSettings settings) {
        JniSettings read = new JniSettings(
                settings.choice("code", Code.AUTO), settings.longNumber("tables-mib", TABLES_MIB_DEFAULT));
        settings.refuseUnknown();
        return read;
    }

    long tablesBytes() {
        return tablesMib * BYTES_PER_MIB;
    }

    /**
     * Returns the backend that the settings name.
     *
     * @param best fastest backend of this processor; it can run all slower ones
     * @throws IllegalArgumentException if the processor lacks it
     */
    Backend backend(Backend best) {
        Backend backend = switch (code) {
            case AUTO -> best;
            case PORTABLE -> Backend.PORTABLE;
            case ADX -> Backend.ADX;
            case IFMA -> Backend.IFMA;
        };
        if (backend.code > best.code) {
            throw new IllegalArgumentException("the processor lacks " + backend + ", for which verifier."
                    + JniProvider.NAME + ".code asks; its best is " + best);
        }
        return backend;
    }
}
