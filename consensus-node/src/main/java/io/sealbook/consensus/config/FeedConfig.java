package io.sealbook.consensus.config;

/**
 * How much followers on other machines may take.
 *
 * @param streamsMax streams open at once, 1..10000; further ones get RESOURCE_EXHAUSTED
 * @param streamsPerAddress streams of one address, 1..streamsMax; likewise
 * @param archiveBytesPerSecond bytes read from the archive per second for all of them that are far behind, and as much
 *     for streams of receipts and blocks, at least 65536; recent blocks come from memory and do not count
 */
public record FeedConfig(int streamsMax, int streamsPerAddress, long archiveBytesPerSecond) {
    /** Values where the operator sets none. */
    public static final FeedConfig DEFAULTS = new FeedConfig(64, 16, 32L << 20);

    private static final int MANY = 10_000;
    private static final long RATE_MIN = 65_536;

    public FeedConfig {
        ConfigException.require(
                1 <= streamsMax && streamsMax <= MANY, "feed-streams-max=" + streamsMax + " is not 1.." + MANY);
        ConfigException.require(
                1 <= streamsPerAddress && streamsPerAddress <= streamsMax,
                "feed-streams-per-address=" + streamsPerAddress + " is not 1..feed-streams-max (" + streamsMax + ")");
        ConfigException.require(
                archiveBytesPerSecond >= RATE_MIN,
                "feed-archive-bytes-per-second=" + archiveBytesPerSecond + " is below " + RATE_MIN);
    }

    /** Reads the settings. */
    static FeedConfig of(Settings settings) {
        return new FeedConfig(
                settings.integer("feed-streams-max", Integer.toString(DEFAULTS.streamsMax)),
                settings.integer("feed-streams-per-address", Integer.toString(DEFAULTS.streamsPerAddress)),
                settings.longInteger("feed-archive-bytes-per-second", Long.toString(DEFAULTS.archiveBytesPerSecond)));
    }
}
