package io.sealbook.consensus.config;

/**
 * How the archive is kept whole.
 *
 * @param scrubBytesPerSecond bytes of the archive that are read per second to find what the disk has changed, 0 or at
 *     least 4096; 0 switches the reading off
 * @param startWaitMs milliseconds that a start waits for the blocks that it needs and the disk has changed, 0 or more
 */
public record RepairConfig(long scrubBytesPerSecond, int startWaitMs) {
    /** Values where the operator sets none. */
    public static final RepairConfig DEFAULTS = new RepairConfig(4L << 20, 300_000);

    private static final long RATE_MIN = 4_096;

    public RepairConfig {
        ConfigException.require(
                scrubBytesPerSecond == 0 || scrubBytesPerSecond >= RATE_MIN,
                "scrub-bytes-per-second=" + scrubBytesPerSecond + " is neither 0 nor at least " + RATE_MIN);
        ConfigException.require(startWaitMs >= 0, "start-repair-wait-ms=" + startWaitMs + " is negative");
    }

    /** Reads the settings. */
    static RepairConfig of(Settings settings) {
        return new RepairConfig(
                settings.longInteger("scrub-bytes-per-second", Long.toString(DEFAULTS.scrubBytesPerSecond)),
                settings.integer("start-repair-wait-ms", Integer.toString(DEFAULTS.startWaitMs)));
    }
}
