package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.MeterReadings;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * The life of blocks in the primary, means in ms; and how often a node decodes the header of a batch.
 *
 * @param blocks that were measured
 * @param packingMs from the arrival of a block's first batch to its proposal
 * @param agreementMs from the proposal to its agreement
 * @param commitMs from the agreement until the block is in the archive and handed on
 * @param executionMs from there until the engine has executed it
 * @param decodedPerBatch headers decoded per committed batch
 */
record BlockPhases(
        long blocks,
        double packingMs,
        double agreementMs,
        double commitMs,
        double executionMs,
        double decodedPerBatch) {
    /** Shares of the source paper's table 1 in percent: packing, consensus with execution, commit. */
    private static final double[] PAPER = {4.7, 90.6, 3.7};

    private static final String PHASE = "sealbook_node_block_phase_seconds";

    /**
     * Returns what happened between two readings of the primary's meters.
     *
     * @param before first reading
     * @param after second reading
     */
    static BlockPhases between(MeterReadings before, MeterReadings after) {
        return new BlockPhases(
                (long) after.since(before, "sealbook_node_committed_blocks_total"),
                meanMs(before, after, "packing"),
                meanMs(before, after, "agreement"),
                meanMs(before, after, "commit"),
                meanMs(before, after, "execution"),
                ratio(
                        after.since(before, "sealbook_node_decoded_batches_total"),
                        after.since(before, "sealbook_node_committed_batches_total")));
    }

    private static double meanMs(MeterReadings before, MeterReadings after, String phase) {
        String label = "{phase=\"" + phase + "\"}";
        return 1_000
                * ratio(after.since(before, PHASE + "_sum" + label), after.since(before, PHASE + "_count" + label));
    }

    /** Returns 0 if nothing happened between the readings. */
    private static double ratio(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }

    private double lifeMs() {
        return packingMs + agreementMs + executionMs + commitMs;
    }

    /** Returns the shares of packing, agreement with execution, and commit in percent. */
    double[] shares() {
        return new double[] {
            100 * ratio(packingMs, lifeMs()),
            100 * ratio(agreementMs + executionMs, lifeMs()),
            100 * ratio(commitMs, lifeMs())
        };
    }

    /**
     * Prints the lives of blocks beside the paper's.
     *
     * @param labels of the runs
     * @param lives in the order of the labels
     * @param out gets the table
     */
    static void print(List<String> labels, List<BlockPhases> lives, PrintStream out) {
        out.printf("%nA block's life in the primary: means of the middle third, %s%n", explanation());
        out.println("                       blocks | packing  agreement  commit  execution ms | packing  agreement with"
                + " execution  commit | decoded per batch");
        for (int i = 0; i < lives.size(); i++) {
            BlockPhases life = lives.get(i);
            double[] shares = life.shares();
            out.printf(
                    Locale.ROOT,
                    "%-22s %6d | %7.2f  %9.2f  %6.2f  %9.2f    | %6.1f%%  %23.1f%%  %5.1f%% | %5.2f%n",
                    labels.get(i),
                    life.blocks,
                    life.packingMs,
                    life.agreementMs,
                    life.commitMs,
                    life.executionMs,
                    shares[0],
                    shares[1],
                    shares[2],
                    life.decodedPerBatch);
        }
        out.printf(
                Locale.ROOT,
                "%-30s|                                         | %6.1f%%  %23.1f%%  %5.1f%% |%n",
                "source paper, table 1",
                PAPER[0],
                PAPER[1],
                PAPER[2]);
    }

    /** Returns what the phases are, for a reader of the figures. */
    static String explanation() {
        return "by its meters. The paper executes inside consensus; here the engine executes after the commit.";
    }

    /** Returns a line with these figures added. */
    ResultRow addTo(ResultRow row) {
        double[] shares = shares();
        return row.with(Figure.PACKING_MS, packingMs)
                .with(Figure.AGREEMENT_MS, agreementMs)
                .with(Figure.COMMIT_MS, commitMs)
                .with(Figure.EXECUTION_MS, executionMs)
                .with(Figure.PACKING_PERCENT, shares[0])
                .with(Figure.AGREEMENT_PERCENT, shares[1])
                .with(Figure.COMMIT_PERCENT, shares[2])
                .with(Figure.DECODED_PER_BATCH, decodedPerBatch);
    }
}
