package io.sealbook.perf.experiment;

import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Options of experiments whose figures count only if brokers have kept the rate of an open loop. */
final class RateOptions {
    @Option(
            names = "--rate-min",
            paramLabel = "PERCENT",
            defaultValue = "99",
            description = "Part of the intended rate that brokers must have submitted; with less the run fails.")
    double minPercent;

    /**
     * Checks the rate of a run.
     *
     * @param submitted per second, by all brokers together
     * @param intended per second, 0 without load
     * @param unit of both, in the plural
     * @throws IOException if it is too small
     */
    void check(double submitted, double intended, String unit) throws IOException {
        if (submitted < intended * minPercent / 100) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "brokers submitted %,.1f %s/s, %,.1f were intended: less than --rate-min %.0f %%",
                    submitted,
                    unit,
                    intended,
                    minPercent));
        }
    }
}
