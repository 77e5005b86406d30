package io.sealbook.perf.cluster;

/**
 * Processor time so far, in seconds.
 *
 * @param nodes used by all node processes
 * @param engines used by all engine processes
 * @param brokers used by this process
 * @param stolen taken from this machine by the host that it is a guest of; 0 if the system does not report it
 */
public record CpuTimes(double nodes, double engines, double brokers, double stolen) {
    public CpuTimes minus(CpuTimes earlier) {
        return new CpuTimes(
                nodes - earlier.nodes, engines - earlier.engines, brokers - earlier.brokers, stolen - earlier.stolen);
    }
}
