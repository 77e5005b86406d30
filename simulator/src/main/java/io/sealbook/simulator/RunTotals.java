package io.sealbook.simulator;

/** What many runs amounted to. */
final class RunTotals {
    private long seeds;
    private long events;
    private long blocks;
    private long views;
    private long crashes;
    private long transfers;
    private long evidence;
    private long virtualNs;

    void add(Simulation.Result result) {
        seeds++;
        events += result.events();
        blocks += result.blocks();
        views += result.views();
        crashes += result.crashes();
        transfers += result.transfers();
        evidence += result.evidence();
        virtualNs += result.virtualNs();
    }

    long seeds() {
        return seeds;
    }

    /**
     * Returns a line of all sums.
     *
     * @param which the seeds, after their number
     * @param coreSeconds that the runs took
     */
    String text(String which, double coreSeconds) {
        return String.format(
                "%d seeds %s: %d events, %d blocks, %d view changes, %d crashes, %d transfers, %d times "
                        + "evidence of a member, %.1f simulated hours; %.1f s, %.0f seeds per core-hour",
                seeds,
                which,
                events,
                blocks,
                views,
                crashes,
                transfers,
                evidence,
                virtualNs / 3.6e12,
                coreSeconds,
                seeds * 3_600 / coreSeconds);
    }
}
