package io.sealbook.engine.config;

import io.sealbook.access.rate.Rates;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of database, queries and console, prefix {@code sealbook.engine}, besides the engine's
 * {@link io.sealbook.engine.setup.EngineSettings}; checked here, so that a wrong one ends the start with its name.
 *
 * @param recentReports number of a broker's last reports that are searched for a requested order
 */
@ConfigurationProperties("sealbook.engine")
public record EngineProperties(
        @DefaultValue("32768") int recentReports,
        @DefaultValue Http http,
        @DefaultValue Database database,
        @DefaultValue History history) {

    public EngineProperties {
        require(recentReports > 0, "recent-reports is " + recentReports);
    }

    /**
     * Limits of the HTTP port, beside Tomcat's own.
     *
     * @param connectionsPerAddress connections of one address, WebSockets included; further ones are closed
     * @param requestsPerAddress requests of one address that are answered at once; further ones get 429
     * @param requestsPerSecond requests and frames of WebSockets of one caller; further ones get 429, and a WebSocket
     *     ends
     * @param bytesPerSecond bytes of them; likewise
     * @param pingMs milliseconds between two pings of a WebSocket; one that is silent for three times as long is closed
     */
    public record Http(
            @DefaultValue("64") int connectionsPerAddress,
            @DefaultValue("8") int requestsPerAddress,
            @DefaultValue("500") int requestsPerSecond,
            @DefaultValue("8388608") long bytesPerSecond,
            @DefaultValue("30000") int pingMs) {
        public Http {
            require(
                    requestsPerSecond >= 1 && requestsPerSecond <= Rates.CALLS_MAX,
                    "http.requests-per-second is " + requestsPerSecond);
            require(
                    bytesPerSecond >= 1 && bytesPerSecond <= Rates.BYTES_MAX,
                    "http.bytes-per-second is " + bytesPerSecond);
            require(connectionsPerAddress > 0, "http.connections-per-address is " + connectionsPerAddress);
            require(requestsPerAddress > 0, "http.requests-per-address is " + requestsPerAddress);
            require(pingMs >= 100, "http.ping-ms is " + pingMs + ", at least 100");
        }

        /** Returns what one caller may send per second. */
        public Rates rates() {
            return new Rates(requestsPerSecond, bytesPerSecond);
        }
    }

    /**
     * @param enabled whether the database follows the journal
     * @param messagesMax reports and trades that are written together; a transaction has whole blocks, until they have
     *     this number
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

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException("sealbook.engine: " + fact);
        }
    }
}
