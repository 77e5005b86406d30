package io.sealbook.protocol;

import io.sealbook.protocol.v1.Parameters;

/**
 * The version of a chain's rules: what the bytes of votes and blocks are, what a transaction may change, and how a
 * block is executed. The genesis file names the first one, administrative transactions raise it by one each. All
 * members follow the chain's version, not that of their builds, so that builds may be exchanged one after another.
 *
 * <pre>
 *   version  adds
 *   1        everything that is not listed below
 *   2        rates of brokers: orders and bytes per second
 * </pre>
 */
public final class ProtocolVersion {
    /** The oldest version that this build follows, and that of a genesis file which names none. */
    public static final int OLDEST = 1;

    /** The newest version that this build follows, and that of new chains. */
    public static final int NEWEST = 2;

    /** Brokers have rates. */
    public static final int RATES = 2;

    private ProtocolVersion() {}

    /** Returns the version of a chain with these parameters, {@link #OLDEST} or more. */
    public static int of(Parameters parameters) {
        int version = parameters.getProtocolVersion();
        return version == 0 ? OLDEST : version;
    }

    /** Returns whether this build follows a version. */
    public static boolean isKnown(int version) {
        return OLDEST <= version && version <= NEWEST;
    }

    /**
     * Checks that this build follows the version of a genesis file.
     *
     * @throws IllegalArgumentException if it does not; the message names the versions
     */
    static void check(Parameters parameters) {
        int version = of(parameters);
        if (!isKnown(version)) {
            throw new IllegalArgumentException("protocolVersion " + Integer.toUnsignedString(version)
                    + ", this build follows " + OLDEST + ".." + NEWEST);
        }
    }
}
