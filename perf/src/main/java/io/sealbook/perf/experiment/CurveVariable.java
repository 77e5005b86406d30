package io.sealbook.perf.experiment;

import io.sealbook.perf.results.Figure;
import java.util.List;
import java.util.Locale;

/** What a curve draws the platform's rate and latency against. */
enum CurveVariable {
    NODES(Figure.NODES, 4, 7, 10, 13) {
        @Override
        List<String> set(LoadOptions load, int value) {
            load.nodeCount = value;
            return List.of();
        }
    },
    /** Each run has its own number; the cluster does not know it. */
    ORDERS(Figure.ORDERS_PER_BATCH, 1, 5, 10, 20, 30, 50) {
        @Override
        List<String> set(LoadOptions load, int value) {
            return List.of();
        }

        @Override
        int ordersPerBatch(int value, int others) {
            return value;
        }
    },
    IN_FLIGHT(Figure.BATCHES_IN_FLIGHT, 1, 4, 16, 64, 128, 256) {
        @Override
        List<String> set(LoadOptions load, int value) {
            load.inFlight = value;
            return List.of();
        }
    },
    BLOCK_BATCHES(Figure.BATCHES_PER_BLOCK, 50, 100, 200, 300, 500) {
        @Override
        List<String> set(LoadOptions load, int value) {
            load.blockMaxBatches = value;
            return List.of();
        }
    },
    BLOCK_WAIT(Figure.BLOCK_WAIT_MS, 50, 100, 200, 500, 1_000) {
        @Override
        List<String> set(LoadOptions load, int value) {
            load.blockMaxWaitMs = value;
            return List.of();
        }
    },
    PROPOSALS(Figure.PROPOSALS_IN_FLIGHT, 1, 4, 16, 32) {
        @Override
        List<String> set(LoadOptions load, int value) {
            return List.of("--pipeline-window", Integer.toString(value));
        }
    },
    LANES(Figure.VERIFICATION_LANES, 1, 2, 4, 8) {
        /** Lanes are used where stages have threads of their own. */
        @Override
        List<String> set(LoadOptions load, int value) {
            return List.of("--node-property", "stage-threads=own", "--node-property", "verify-lanes=" + value);
        }
    },
    LINK_DELAY(Figure.LINK_DELAY_MS, 0, 50, 100, 200, 500) {
        @Override
        List<String> set(LoadOptions load, int value) {
            load.links.delayMs = value;
            return List.of();
        }
    },
    BANDWIDTH(Figure.MEMBER_MEGABYTES_PER_SECOND, 1, 2, 5, 10, 50, 500) {
        @Override
        List<String> set(LoadOptions load, int value) {
            load.links.megabytesPerSecond = value;
            return List.of();
        }
    };

    /** The values' meaning and unit. */
    final Figure figure;

    /** Where the curve is measured by default. */
    final List<Integer> points;

    CurveVariable(Figure figure, Integer... points) {
        this.figure = figure;
        this.points = List.of(points);
    }

    /**
     * Sets the load of one point.
     *
     * @param load receives the value if it is an option of the load
     * @param value in the unit of {@link #figure}
     * @return options of the testnet command that set it otherwise
     */
    abstract List<String> set(LoadOptions load, int value);

    /**
     * Returns the orders in a batch at a point.
     *
     * @param value of this variable
     * @param others where another variable decides
     */
    int ordersPerBatch(int value, int others) {
        return others;
    }

    /** Returns a point's text, such as "7 nodes". */
    String describe(int value) {
        return value + " " + figure.heading();
    }

    /** Returns the name as a user writes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
