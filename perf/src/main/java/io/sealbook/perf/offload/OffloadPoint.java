package io.sealbook.perf.offload;

import io.sealbook.perf.broker.AnswerSeries;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;

/**
 * One measured point: rates in requests per second, latencies in ms from a request to its f + 1 equal receipts, which
 * leave after execution.
 *
 * @param configuration of the nodes
 * @param place on the axes
 * @param perSecond mean rate of the middle third
 * @param slowestSecond the spread of the rate
 * @param fastestSecond the spread of the rate
 * @param meanMs latency
 * @param p50Ms latency
 * @param p99Ms latency
 */
record OffloadPoint(
        Configuration configuration,
        Place place,
        double perSecond,
        double slowestSecond,
        double fastestSecond,
        double meanMs,
        double p50Ms,
        double p99Ms) {
    /**
     * A place on the axes of the experiment.
     *
     * @param clients with one request in flight each
     * @param passes of the counter loop for each request
     * @param nodes of the cluster
     */
    record Place(int clients, int passes, int nodes) {}

    static OffloadPoint of(Configuration configuration, Place place, AnswerSeries.Window window) {
        return new OffloadPoint(
                configuration,
                place,
                window.ordersPerSecond(),
                window.slowestSecond(),
                window.fastestSecond(),
                window.latencies().getMean() / 1e6,
                window.latencies().getValueAtPercentile(50) / 1e6,
                window.latencies().getValueAtPercentile(99) / 1e6);
    }

    /** Returns how much more throughput this point has than another, in percent. */
    double throughputGain(OffloadPoint other) {
        return 100 * (perSecond / other.perSecond - 1);
    }

    /** Returns how much longer the mean latency is than another's, in percent. */
    double latencyGain(OffloadPoint other) {
        return 100 * (meanMs / other.meanMs - 1);
    }

    /** Returns this point as data, beside the point of the same place with both switches off. */
    ResultRow toResult(OffloadPoint neither) {
        return ResultRow.of(configuration.label)
                .with(Figure.CLIENTS, place.clients)
                .with(Figure.LOOP_PASSES, place.passes)
                .with(Figure.NODES, place.nodes)
                .with(Figure.REQUESTS_PER_SECOND, perSecond)
                .with(Figure.SLOWEST_SECOND_REQUESTS, slowestSecond)
                .with(Figure.FASTEST_SECOND_REQUESTS, fastestSecond)
                .with(Figure.MEAN_MS, meanMs)
                .with(Figure.P50_MS, p50Ms)
                .with(Figure.P99_MS, p99Ms)
                .with(Figure.THROUGHPUT_GAIN_PERCENT, throughputGain(neither))
                .with(Figure.LATENCY_GAIN_PERCENT, latencyGain(neither));
    }
}
