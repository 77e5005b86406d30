package io.sealbook.perf.experiment;

import java.util.List;
import java.util.Locale;

/** Values of several options under one name. */
enum Preset {
    /** Section 3.1.3 of the source paper: four client machines with 100 concurrent clients each. */
    MAIN_BOARD(10, 100, 500, 500);

    /** Options that a preset decides; who gives one of them gives no preset. */
    static final List<String> OPTIONS =
            List.of("--orders", "--in-flight", "--open-loop", "--block-max-batches", "--block-max-wait-ms");

    final int ordersPerBatch;
    final int inFlight;
    final int blockMaxBatches;
    final int blockMaxWaitMs;

    /**
     * @param ordersPerBatch orders in a batch
     * @param inFlight batches that each broker keeps in flight
     * @param blockMaxBatches batches of a block
     * @param blockMaxWaitMs longest wait for a block to fill, in ms
     */
    Preset(int ordersPerBatch, int inFlight, int blockMaxBatches, int blockMaxWaitMs) {
        this.ordersPerBatch = ordersPerBatch;
        this.inFlight = inFlight;
        this.blockMaxBatches = blockMaxBatches;
        this.blockMaxWaitMs = blockMaxWaitMs;
    }

    /** Returns the name as a user writes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
