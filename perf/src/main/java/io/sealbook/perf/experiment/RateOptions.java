package io.sealbook.perf.experiment;

import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Whether brokers have kept the rate of an open loop: the figures of a run count only if they have. */
final class RateOptions {
    @Option(
            names = "--rate-min",
            paramLabel = "PERCENT",
            defaultValue = "99",
            description =
                    "Part of the intended rate of an open loop that brokers must have submitted; with less the run"
                            + " fails. 0: measure what they submit.")
    double minPercent;

    /**
     * Checks the rate of a run.
     *
     * @param submitted per second, by all brokers together
     * @param intended per second, 0 without load and in a closed loop
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
