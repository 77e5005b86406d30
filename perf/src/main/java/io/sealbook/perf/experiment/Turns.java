package io.sealbook.perf.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Clusters that run at the same time and are measured in turns, forth and back: what changes the speed of the machine
 * from minute to minute changes all of a turn. Only one of them has load at a time. One thread.
 */
final class Turns implements AutoCloseable {
    private final List<LoadedCluster> clusters = new ArrayList<>();
    /** Of each cluster, by turn. */
    private final List<List<ThroughputRow>> rows = new ArrayList<>();

    private int count;

    /**
     * A figure of a cluster, divided by that of the first cluster in the same turn.
     *
     * @param median of all turns
     * @param spread half of the range in which the middle half of the turns lies
     */
    record Ratio(double median, double spread) {
        /**
         * Summarizes the turns.
         *
         * @param values one of each turn, at least one, in any order
         */
        static Ratio of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            return new Ratio(quantile(sorted, 0.5), (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2);
        }

        /** Interpolates between neighbours. */
        private static double quantile(List<Double> sorted, double share) {
            double place = share * (sorted.size() - 1);
            int below = (int) place;
            int above = Math.min(below + 1, sorted.size() - 1);
            return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
        }
    }

    /** Adds a cluster, which is closed with the others. */
    void add(LoadedCluster cluster) {
        clusters.add(cluster);
        rows.add(new ArrayList<>());
    }

    /**
     * Warms up all clusters forth and back, half of the time each: a virtual machine goes on compiling while another
     * cluster has the load, so that the first of clusters that warm up once is ahead of the others.
     *
     * @param orders orders in a batch
     * @param seconds of load for each
     * @throws IOException as {@link LoadedCluster#warmUp}
     */
    void warmUp(int orders, int seconds) throws IOException, InterruptedException {
        for (LoadedCluster cluster : clusters) {
            cluster.warmUp(orders, seconds / 2);
        }
        for (LoadedCluster cluster : clusters.reversed()) {
            cluster.warmUp(orders, seconds - seconds / 2);
        }
    }

    /**
     * Measures each cluster once.
     *
     * @param orders orders in a batch
     * @param seconds length of each run
     * @throws IOException as {@link LoadedCluster#measure}
     */
    void measure(int orders, int seconds) throws IOException, InterruptedException {
        for (int i = 0; i < clusters.size(); i++) {
            int cluster = count % 2 == 0 ? i : clusters.size() - 1 - i;
            rows.get(cluster).add(clusters.get(cluster).measure(orders, seconds));
        }
        count++;
    }

    /** Returns the turn of a cluster that has the median throughput; the lower one of two. */
    ThroughputRow median(int cluster) {
        return rows.get(cluster).stream()
                .sorted(Comparator.comparingDouble(ThroughputRow::ordersPerSecond))
                .toList()
                .get((count - 1) / 2);
    }

    /**
     * Compares a cluster with the first one.
     *
     * @param cluster its place, from 0 on
     * @param figure that is compared
     */
    Ratio ratio(int cluster, ToDoubleFunction<ThroughputRow> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < count; turn++) {
            ratios.add(figure.applyAsDouble(rows.get(cluster).get(turn))
                    / figure.applyAsDouble(rows.getFirst().get(turn)));
        }
        return Ratio.of(ratios);
    }

    @Override
    public void close() {
        clusters.forEach(LoadedCluster::close);
    }
}
