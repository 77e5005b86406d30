package io.sealbook.consensus.config;

import io.sealbook.access.rate.Rates;

/**
 * How much those who reach the gateway can hold and do. Where TLS is required, shares are those of callers and
 * certificates. Without it they are those of addresses, and several brokers of one address share one.
 *
 * @param connectionsMax connections open at once, 1..1000000; fewer where the process may open too few files. Further
 *     ones are closed
 * @param connectionsPerAddress connections of one address, 1..connectionsMax; likewise
 * @param idleMs milliseconds, at least 100, without a call after which a connection is closed
 * @param readsMax streams of receipts and blocks open at once, 1..1000000; further ones get RESOURCE_EXHAUSTED
 * @param readsPerAddress streams of one address, 1..readsMax; likewise
 * @param rates calls and bytes of one caller per second; further ones get RESOURCE_EXHAUSTED
 */
public record GatewayConfig(
        int connectionsMax, int connectionsPerAddress, int idleMs, int readsMax, int readsPerAddress, Rates rates) {
    /** A broker opens one stream for all its orders; 128 MiB are some hundred thousand signed orders. */
    private static final Rates RATES = new Rates(2_000, 128 << 20);

    /** Values of a node whose operator set none. */
    public static final GatewayConfig DEFAULTS = new GatewayConfig(4_096, 256, 300_000, 1_024, 128, RATES);

    private static final int MANY = 1_000_000;

    public GatewayConfig {
        ConfigException.require(
                1 <= connectionsMax && connectionsMax <= MANY,
                "gateway-connections-max=" + connectionsMax + " is not 1.." + MANY);
        ConfigException.require(
                1 <= connectionsPerAddress && connectionsPerAddress <= connectionsMax,
                "gateway-connections-per-address=" + connectionsPerAddress + " is not 1..gateway-connections-max ("
                        + connectionsMax + ")");
        ConfigException.require(idleMs >= 100, "gateway-idle-ms=" + idleMs + " is below 100");
        ConfigException.require(
                1 <= readsMax && readsMax <= MANY, "gateway-reads-max=" + readsMax + " is not 1.." + MANY);
        ConfigException.require(
                1 <= readsPerAddress && readsPerAddress <= readsMax,
                "gateway-reads-per-address=" + readsPerAddress + " is not 1..gateway-reads-max (" + readsMax + ")");
    }

    /** Reads the settings. */
    static GatewayConfig of(Settings settings) {
        return new GatewayConfig(
                settings.integer("gateway-connections-max", Integer.toString(DEFAULTS.connectionsMax)),
                settings.integer("gateway-connections-per-address", Integer.toString(DEFAULTS.connectionsPerAddress)),
                settings.integer("gateway-idle-ms", Integer.toString(DEFAULTS.idleMs)),
                settings.integer("gateway-reads-max", Integer.toString(DEFAULTS.readsMax)),
                settings.integer("gateway-reads-per-address", Integer.toString(DEFAULTS.readsPerAddress)),
                RateSettings.of(settings, "gateway-calls-per-second", "gateway-bytes-per-second", DEFAULTS.rates));
    }
}
