package io.sealbook.engine.setup;

import io.sealbook.access.rate.Rates;
import io.sealbook.tls.TlsSettings;
import io.sealbook.vocabulary.Durability;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Settings of the engine's files, threads, streams and gRPC port, by keys with the prefix {@link #PREFIX}; checked
 * here, so that a wrong one ends the start with its name.
 *
 * @param grpcAddress address the gRPC server listens on
 * @param grpcPort its port; 0 takes a free one
 * @param ringFrames slots of the ring between the matching loop and its consumers, a power of two
 * @param frameBytes size of one slot's arena; a block uses as many slots as it needs
 * @param durability the failures that the engine's files survive
 * @param tls of the gRPC port, of the HTTP port where there is one, and of connections to nodes
 * @param isDatabaseFed whether a database follows the journal, which is kept until the database has read it
 */
public record EngineSettings(
        String grpcAddress,
        int grpcPort,
        int ringFrames,
        int frameBytes,
        Durability durability,
        TlsSettings tls,
        boolean isDatabaseFed,
        Grpc grpc,
        Snapshots snapshots,
        Queue queue,
        Reports reports,
        Journal journal,
        MarketData marketData) {
    /** Begins each key in engine.properties. */
    public static final String PREFIX = "sealbook.engine.";

    /** Smallest arena that holds any single message. */
    private static final int FRAME_BYTES_MIN = 1024;

    public EngineSettings {
        require(grpcPort >= 0 && grpcPort <= 65_535, "grpc-port is " + grpcPort);
        require(ringFrames >= 2 && Integer.bitCount(ringFrames) == 1, "ring-frames is no power of two: " + ringFrames);
        require(frameBytes >= FRAME_BYTES_MIN, "frame-bytes is " + frameBytes + ", at least " + FRAME_BYTES_MIN);
    }

    /**
     * Reads the settings.
     *
     * @param source returns the value of a key with its prefix, or null where the default holds
     * @throws IllegalArgumentException if a value is wrong; the message names its key
     */
    public static EngineSettings of(UnaryOperator<String> source) {
        SettingValues values = new SettingValues(source);
        String grpcAddress = values.text("grpc-address", "127.0.0.1");
        return new EngineSettings(
                grpcAddress,
                values.number("grpc-port", 0),
                values.number("ring-frames", 256),
                values.number("frame-bytes", 65_536),
                values.choice("durability", Durability.PROCESS),
                tls(source, List.of(grpcAddress)),
                values.flag("database.enabled", true),
                new Grpc(
                        values.number("grpc.connections-max", 512),
                        values.number("grpc.connections-per-address", 128),
                        values.number("grpc.idle-ms", 300_000),
                        values.number("grpc.keep-alive-ms", 30_000),
                        rates(values)),
                new Snapshots(
                        values.longNumber("snapshots.every-blocks", 2_000),
                        values.longNumber("snapshots.every-seconds", 60),
                        values.fraction("snapshots.spread", 1)),
                new Queue(values.longNumber("queue.keep-blocks", 10_000)),
                reports(values),
                new Journal(values.longNumber("journal.segment-bytes", 67_108_864)),
                marketData(values));
    }

    /**
     * Reads the settings of TLS.
     *
     * @param source returns the value of a key with its prefix, or null where the default holds
     * @param addresses on which the engine listens
     * @throws IllegalArgumentException if a value is wrong, or TLS is off for an address that other machines reach
     */
    public static TlsSettings tls(UnaryOperator<String> source, List<String> addresses) {
        try {
            return TlsSettings.of(key -> source.apply(PREFIX + key), addresses);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("sealbook.engine: " + e.getMessage(), e);
        }
    }

    private static Rates rates(SettingValues values) {
        int calls = values.number("grpc.calls-per-second", 1_000);
        long bytes = values.longNumber("grpc.bytes-per-second", 16_777_216);
        require(calls >= 1 && calls <= Rates.CALLS_MAX, "grpc.calls-per-second is " + calls);
        require(bytes >= 1 && bytes <= Rates.BYTES_MAX, "grpc.bytes-per-second is " + bytes);
        return new Rates(calls, bytes);
    }

    private static Reports reports(SettingValues values) {
        return new Reports(
                values.longNumber("reports.keep-blocks", 10_000_000),
                values.number("reports.per-segment", 262_144),
                values.number("reports.followers-max", 256),
                values.number("reports.followers-per-address", 64),
                values.number("reports.frame-reports-max", 256),
                values.longNumber("reports.lag-max", 65_536),
                values.longNumber("reports.stall-ms", 30_000));
    }

    private static MarketData marketData(SettingValues values) {
        return new MarketData(
                values.number("market-data.levels-max", 20),
                values.longNumber("market-data.conflation-ms", 50),
                values.number("market-data.subscribers-max", 256),
                values.number("market-data.subscribers-per-address", 64),
                values.number("market-data.tape-trades", 16_384),
                values.longNumber("market-data.stall-ms", 30_000));
    }

    /**
     * Limits of the gRPC port.
     *
     * @param connectionsMax connections open at once; further ones are closed
     * @param connectionsPerAddress connections of one address, 1..connectionsMax; likewise
     * @param idleMs milliseconds without a call after which a connection is closed
     * @param keepAliveMs milliseconds without a byte after which the client is asked for a sign of life; a connection
     *     that does not answer for as long again is closed
     * @param rates calls and bytes of one caller per second; further ones get RESOURCE_EXHAUSTED
     */
    public record Grpc(int connectionsMax, int connectionsPerAddress, int idleMs, int keepAliveMs, Rates rates) {
        public Grpc {
            require(connectionsMax > 0, "grpc.connections-max is " + connectionsMax);
            requireShare("grpc.connections-per-address", connectionsPerAddress, "grpc.connections-max", connectionsMax);
            require(idleMs >= 100, "grpc.idle-ms is " + idleMs + ", at least 100");
            require(keepAliveMs >= 100, "grpc.keep-alive-ms is " + keepAliveMs + ", at least 100");
        }
    }

    /**
     * @param everyBlocks number of blocks between two snapshots
     * @param everySeconds or after so long, if any block was executed since
     * @param spread the first one after a start comes earlier by a random part of this share of the interval, 0 to 1:
     *     the engines of a cluster should not all stop for it at the same block
     */
    public record Snapshots(long everyBlocks, long everySeconds, double spread) {
        public Snapshots {
            require(everyBlocks > 0, "snapshots.every-blocks is " + everyBlocks);
            require(everySeconds > 0, "snapshots.every-seconds is " + everySeconds);
            require(spread >= 0 && spread <= 1, "snapshots.spread is " + spread);
        }
    }

    /** @param keepBlocks number of blocks whose files both queues keep, more if a snapshot needs them */
    public record Queue(long keepBlocks) {
        public Queue {
            require(keepBlocks >= 0, "queue.keep-blocks is " + keepBlocks);
        }
    }

    /**
     * @param keepBlocks number of blocks whose reports a broker can resume from; older files are deleted
     * @param perSegment reports in one file of the store
     * @param followersMax report streams open at once; further ones get RESOURCE_EXHAUSTED
     * @param followersPerAddress report streams of one address, 1..followersMax; likewise
     * @param frameReportsMax reports in one frame of a stream
     * @param lagMax a follower that had caught up is cut when it falls back by more reports than this
     * @param stallMs milliseconds for which a follower may read nothing of what waits for it, before the next report
     *     cuts it
     */
    public record Reports(
            long keepBlocks,
            int perSegment,
            int followersMax,
            int followersPerAddress,
            int frameReportsMax,
            long lagMax,
            long stallMs) {
        public Reports {
            require(keepBlocks >= 0, "reports.keep-blocks is " + keepBlocks);
            require(perSegment > 0, "reports.per-segment is " + perSegment);
            require(followersMax > 0, "reports.followers-max is " + followersMax);
            requireShare("reports.followers-per-address", followersPerAddress, "reports.followers-max", followersMax);
            require(frameReportsMax > 0, "reports.frame-reports-max is " + frameReportsMax);
            require(lagMax > 0, "reports.lag-max is " + lagMax);
            require(stallMs > 0, "reports.stall-ms is " + stallMs);
        }
    }

    /** @param segmentBytes size from which the journal starts its next file, at a block's end */
    public record Journal(long segmentBytes) {
        public Journal {
            require(segmentBytes > 0, "journal.segment-bytes is " + segmentBytes);
        }
    }

    /**
     * @param levelsMax price levels a side that are published at most
     * @param conflationMs depth and best prices go out at most this often; as long as nobody reads them once per
     *     second, and after so long a pause of the market
     * @param subscribersMax gRPC streams open at once, and the same number of WebSocket sessions
     * @param subscribersPerAddress gRPC streams of one address, and the same number of WebSocket sessions,
     *     1..subscribersMax
     * @param tapeTrades newest trades kept in memory; a stream that falls back further is cut
     * @param stallMs milliseconds for which a gRPC stream's reader may take nothing of what waits for it, before the
     *     next news cuts it
     */
    public record MarketData(
            int levelsMax,
            long conflationMs,
            int subscribersMax,
            int subscribersPerAddress,
            int tapeTrades,
            long stallMs) {
        public MarketData {
            require(levelsMax > 0, "market-data.levels-max is " + levelsMax);
            require(conflationMs >= 0, "market-data.conflation-ms is " + conflationMs);
            require(subscribersMax > 0, "market-data.subscribers-max is " + subscribersMax);
            requireShare(
                    "market-data.subscribers-per-address",
                    subscribersPerAddress,
                    "market-data.subscribers-max",
                    subscribersMax);
            require(tapeTrades > 0, "market-data.tape-trades is " + tapeTrades);
            require(stallMs > 0, "market-data.stall-ms is " + stallMs);
        }
    }

    private static void requireShare(String name, int share, String ofName, int of) {
        require(1 <= share && share <= of, name + " is " + share + ", expected 1.." + ofName + " (" + of + ")");
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException("sealbook.engine: " + fact);
        }
    }
}
