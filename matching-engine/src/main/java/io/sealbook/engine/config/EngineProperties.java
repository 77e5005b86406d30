package io.sealbook.engine.config;

import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of one engine, prefix {@code sealbook.engine}; checked here, so that a wrong one ends the start with its
 * name.
 *
 * @param directory the node's directory, see {@link EngineDirectory}; {@code start DIR} sets it
 * @param grpcAddress address the gRPC server listens on
 * @param grpcPort its port; 0 takes a free one
 * @param exitOnFailure whether a broken invariant ends the process (exit code {@code 70}) or leaves it up, not ready
 * @param ringFrames slots of the ring between the matching loop and its consumers, a power of two
 * @param recentReports number of a broker's last reports that are searched for a requested order
 * @param frameBytes size of one slot's arena; a block uses as many slots as it needs
 * @param durability the failures that the engine's files survive
 */
@ConfigurationProperties("sealbook.engine")
public record EngineProperties(
        Path directory,
        @DefaultValue("127.0.0.1") String grpcAddress,
        @DefaultValue("0") int grpcPort,
        @DefaultValue("true") boolean exitOnFailure,
        @DefaultValue("256") int ringFrames,
        @DefaultValue("65536") int frameBytes,
        @DefaultValue("32768") int recentReports,
        @DefaultValue("process") Durability durability,
        @DefaultValue Grpc grpc,
        @DefaultValue Http http,
        @DefaultValue Snapshots snapshots,
        @DefaultValue Queue queue,
        @DefaultValue Reports reports,
        @DefaultValue Journal journal,
        @DefaultValue MarketData marketData,
        @DefaultValue Database database,
        @DefaultValue History history) {

    /** Smallest arena that holds any single message. */
    private static final int FRAME_BYTES_MIN = 1024;

    public EngineProperties {
        require(directory != null, "directory is not set");
        require(grpcPort >= 0 && grpcPort <= 65_535, "grpc-port is " + grpcPort);
        require(ringFrames >= 2 && Integer.bitCount(ringFrames) == 1, "ring-frames is no power of two: " + ringFrames);
        require(recentReports > 0, "recent-reports is " + recentReports);
        require(frameBytes >= FRAME_BYTES_MIN, "frame-bytes is " + frameBytes + ", at least " + FRAME_BYTES_MIN);
    }

    /**
     * Limits of the gRPC port.
     *
     * @param connectionsMax connections open at once; further ones are closed
     * @param connectionsPerAddress connections of one address, 1..connectionsMax; likewise
     * @param idleMs milliseconds without a call after which a connection is closed
     * @param keepAliveMs milliseconds without a byte after which the client is asked for a sign of life; a connection
     *     that does not answer for as long again is closed
     */
    public record Grpc(
            @DefaultValue("512") int connectionsMax,
            @DefaultValue("128") int connectionsPerAddress,
            @DefaultValue("300000") int idleMs,
            @DefaultValue("30000") int keepAliveMs) {
        public Grpc {
            require(connectionsMax > 0, "grpc.connections-max is " + connectionsMax);
            requireShare("grpc.connections-per-address", connectionsPerAddress, "grpc.connections-max", connectionsMax);
            require(idleMs >= 100, "grpc.idle-ms is " + idleMs + ", at least 100");
            require(keepAliveMs >= 100, "grpc.keep-alive-ms is " + keepAliveMs + ", at least 100");
        }
    }

    /**
     * Limits of the HTTP port, beside Tomcat's own.
     *
     * @param connectionsPerAddress connections of one address, WebSockets included; further ones are closed
     * @param requestsPerAddress requests of one address that are answered at once; further ones get 429
     * @param pingMs milliseconds between two pings of a WebSocket; one that is silent for three times as long is closed
     */
    public record Http(
            @DefaultValue("64") int connectionsPerAddress,
            @DefaultValue("8") int requestsPerAddress,
            @DefaultValue("30000") int pingMs) {
        public Http {
            require(connectionsPerAddress > 0, "http.connections-per-address is " + connectionsPerAddress);
            require(requestsPerAddress > 0, "http.requests-per-address is " + requestsPerAddress);
            require(pingMs >= 100, "http.ping-ms is " + pingMs + ", at least 100");
        }
    }

    /**
     * @param everyBlocks number of blocks between two snapshots
     * @param everySeconds or after so long, if any block was executed since
     * @param spread the first one after a start comes earlier by a random part of this share of the interval, 0 to 1:
     *     the engines of a cluster should not all stop for it at the same block
     */
    public record Snapshots(
            @DefaultValue("2000") long everyBlocks,
            @DefaultValue("60") long everySeconds,
            @DefaultValue("1") double spread) {
        public Snapshots {
            require(everyBlocks > 0, "snapshots.every-blocks is " + everyBlocks);
            require(everySeconds > 0, "snapshots.every-seconds is " + everySeconds);
            require(spread >= 0 && spread <= 1, "snapshots.spread is " + spread);
        }
    }

    /** @param keepBlocks number of blocks whose files both queues keep, more if a snapshot needs them */
    public record Queue(@DefaultValue("10000") long keepBlocks) {
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
            @DefaultValue("10000000") long keepBlocks,
            @DefaultValue("262144") int perSegment,
            @DefaultValue("256") int followersMax,
            @DefaultValue("64") int followersPerAddress,
            @DefaultValue("256") int frameReportsMax,
            @DefaultValue("65536") long lagMax,
            @DefaultValue("30000") long stallMs) {
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
    public record Journal(@DefaultValue("67108864") long segmentBytes) {
        public Journal {
            require(segmentBytes > 0, "journal.segment-bytes is " + segmentBytes);
        }
    }

    /**
     * @param levelsMax price levels a side that are published at most
     * @param conflationMs under load depth and best prices go out at most this often; an engine with nothing to do
     *     publishes at once
     * @param subscribersMax gRPC streams open at once, and the same number of WebSocket sessions
     * @param subscribersPerAddress gRPC streams of one address, 1..subscribersMax
     * @param tapeTrades newest trades kept in memory; a stream that falls back further is cut
     * @param stallMs milliseconds for which a gRPC stream's reader may take nothing of what waits for it, before the
     *     next news cuts it
     */
    public record MarketData(
            @DefaultValue("20") int levelsMax,
            @DefaultValue("50") long conflationMs,
            @DefaultValue("256") int subscribersMax,
            @DefaultValue("64") int subscribersPerAddress,
            @DefaultValue("16384") int tapeTrades,
            @DefaultValue("30000") long stallMs) {
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

    /**
     * @param enabled whether the database follows the journal
     * @param messagesMax reports and trades gathered for one transaction; a block is never divided
     * @param idleMs pause when the journal has nothing new, so that small blocks share a transaction
     */
    public record Database(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20000") int messagesMax,
            @DefaultValue("200") long idleMs) {
        public Database {
            require(messagesMax > 0, "database.messages-max is " + messagesMax);
            require(idleMs > 0, "database.idle-ms is " + idleMs);
        }
    }

    /** @param bytesMax a search of blocks or reports ends after this number of bytes; 1 GiB takes one to two seconds */
    public record History(@DefaultValue("1073741824") long bytesMax) {
        public History {
            require(bytesMax > 0, "history.bytes-max is " + bytesMax);
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
