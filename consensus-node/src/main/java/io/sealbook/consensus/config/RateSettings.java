package io.sealbook.consensus.config;

import io.sealbook.access.rate.Rates;

/** Reads the rates of a port. */
final class RateSettings {
    private RateSettings() {}

    /**
     * Returns the rates of one holder.
     *
     * @param settings of the process
     * @param callsKey names the number of calls per second
     * @param bytesKey names the number of bytes per second
     * @param defaults what holds without a setting
     */
    static Rates of(Settings settings, String callsKey, String bytesKey, Rates defaults) {
        int calls = settings.integer(callsKey, Integer.toString(defaults.callsPerSecond()));
        long bytes = settings.longInteger(bytesKey, Long.toString(defaults.bytesPerSecond()));
        ConfigException.require(
                1 <= calls && calls <= Rates.CALLS_MAX, callsKey + "=" + calls + " is not 1.." + Rates.CALLS_MAX);
        ConfigException.require(
                1 <= bytes && bytes <= Rates.BYTES_MAX, bytesKey + "=" + bytes + " is not 1.." + Rates.BYTES_MAX);
        return new Rates(calls, bytes);
    }
}
