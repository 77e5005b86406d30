package io.sealbook.perf.cluster;

/**
 * Processor time used so far, in seconds.
 *
 * @param nodes all node processes
 * @param engines all engine processes
 * @param brokers this process
 */
public record CpuTimes(double nodes, double engines, double brokers) {
    public CpuTimes minus(CpuTimes earlier) {
        return new CpuTimes(nodes - earlier.nodes, engines - earlier.engines, brokers - earlier.brokers);
    }

    public double total() {
        return nodes + engines + brokers;
    }
}
