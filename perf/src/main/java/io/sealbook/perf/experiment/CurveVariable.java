package io.sealbook.perf.experiment;

import io.sealbook.perf.results.Figure;
import java.util.List;
import java.util.Locale;

/** What a curve draws the platform's rate and latency against: figures 8 to 13 of the source paper. */
enum CurveVariable {
    NODES(Figure.NODES, 4, 7, 10, 13),
    ORDERS(Figure.ORDERS_PER_BATCH, 1, 5, 10, 20, 30, 50),
    IN_FLIGHT(Figure.BATCHES_IN_FLIGHT, 1, 4, 16, 64, 128, 256),
    BLOCK_BATCHES(Figure.BATCHES_PER_BLOCK, 50, 100, 200, 300, 500),
    BLOCK_WAIT(Figure.BLOCK_WAIT_MS, 50, 100, 200, 500, 1_000);

    /** The values' meaning and unit. */
    final Figure figure;

    /** Where the curve is measured if nobody says otherwise. */
    final List<Integer> points;

    CurveVariable(Figure figure, Integer... points) {
        this.figure = figure;
        this.points = List.of(points);
    }

    /**
     * Sets the load of one point.
     *
     * @param load receives the value
     * @param value in the unit of {@link #figure}
     */
    void set(LoadOptions load, int value) {
        switch (this) {
            case NODES -> load.nodeCount = value;
            case IN_FLIGHT -> load.inFlight = value;
            case BLOCK_BATCHES -> load.blockMaxBatches = value;
            case BLOCK_WAIT -> load.blockMaxWaitMs = value;
            case ORDERS -> {
                // Each run has its own number; the cluster does not know it.
            }
        }
    }

    /** Returns the name as a user writes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
