package io.sealbook.consensus.gateway;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** What readers that lag cost the disk, and whether they wait for it. Read on the thread that scrapes. */
public final class ArchiveReadMeters {
    private ArchiveReadMeters() {}

    /**
     * Adds the meters of streams that share what may be read of the archive in a second.
     *
     * @param registry gets them
     * @param prefix of their names, with a dot at its end
     * @param streams what they carry: the value of the tag
     * @param followers serves them; kept by the caller for as long as they are to be counted
     */
    public static void register(MeterRegistry registry, String prefix, String streams, Followers followers) {
        Gauge.builder(prefix + "archive.readers", followers, Followers::laggingCount)
                .description("How many streams read old blocks, or wait for their turn to?")
                .tag("streams", streams)
                .register(registry);
        FunctionCounter.builder(prefix + "archive.read.bytes", followers, Followers::archiveBytes)
                .description("How many bytes of the archive were read for them?")
                .tag("streams", streams)
                .register(registry);
        FunctionCounter.builder(prefix + "archive.throttled.seconds", followers, Followers::throttledSeconds)
                .description("In how many seconds did they wait, because as much was read as may be?")
                .tag("streams", streams)
                .register(registry);
    }
}
