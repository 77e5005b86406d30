package io.sealbook.consensus.config;

import io.sealbook.access.rate.Rates;

/**
 * Where the admin port listens, and how much a stranger who reaches it can hold.
 *
 * @param address address of the port
 * @param port 0 lets the system choose
 * @param connectionsMax connections open at once, 1..4096; for a further one, that which waits longest for its request
 *     is closed
 * @param requestTimeoutMs milliseconds, at least 10, within which a request must be complete and its answer be read; a
 *     connection that takes longer is closed
 * @param rates requests and bytes of one certificate per second, without TLS of one address; further requests get 429,
 *     further bytes end their connection
 */
public record AdminConfig(String address, int port, int connectionsMax, int requestTimeoutMs, Rates rates) {
    /** Enough for a few scrapers, probes and people. */
    public static final int CONNECTIONS_MAX_DEFAULT = 64;

    /** Below the ten seconds that scrapers and probes usually wait. */
    public static final int REQUEST_TIMEOUT_MS_DEFAULT = 5_000;

    /** Scrapers and probes come every few seconds. */
    public static final Rates RATES_DEFAULT = new Rates(200, 1 << 20);

    public AdminConfig {
        ConfigException.require(!address.isBlank(), "admin-address is blank");
        ConfigException.require(0 <= port && port <= 65_535, "admin-port=" + port + " is not a port");
        ConfigException.require(
                1 <= connectionsMax && connectionsMax <= 4_096,
                "admin-connections-max=" + connectionsMax + " is not 1..4096");
        ConfigException.require(
                requestTimeoutMs >= 10, "admin-request-timeout-ms=" + requestTimeoutMs + " is below 10");
    }

    /** Reads the settings. */
    static AdminConfig of(Settings settings) {
        return new AdminConfig(
                settings.text("admin-address", "127.0.0.1"),
                settings.integer("admin-port", "0"),
                settings.integer("admin-connections-max", Integer.toString(CONNECTIONS_MAX_DEFAULT)),
                settings.integer("admin-request-timeout-ms", Integer.toString(REQUEST_TIMEOUT_MS_DEFAULT)),
                RateSettings.of(settings, "admin-requests-per-second", "admin-bytes-per-second", RATES_DEFAULT));
    }
}
