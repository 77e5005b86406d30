package io.sealbook.chaos.run;

import io.sealbook.chaos.history.ChainBatch;
import io.sealbook.chaos.history.History;
import java.io.PrintStream;
import java.util.List;

/**
 * What a run put through.
 *
 * @param acknowledgedBatches with a receipt
 * @param acknowledgedOrders orders of these
 * @param chainBatches batches in the chain, copies included
 * @param copies batches that are in the chain again
 * @param blocks sequence of the last block
 * @param reports execution reports
 * @param brokerRuns starts of brokers' programs
 */
record LoadSummary(
        long acknowledgedBatches,
        long acknowledgedOrders,
        long chainBatches,
        long copies,
        long blocks,
        long reports,
        long brokerRuns) {
    LoadSummary(History history) {
        this(
                LoadTimeline.acknowledged(history.ledgers()).size(),
                LoadTimeline.acknowledged(history.ledgers()).stream()
                        .mapToLong(LoadTimeline.Acknowledged::orders)
                        .sum(),
                history.chain().size(),
                history.chain().size()
                        - history.chain().stream()
                                .map(ChainBatch::name)
                                .distinct()
                                .count(),
                history.chain().isEmpty()
                        ? 0
                        : history.chain()
                                .get(history.chain().size() - 1)
                                .place()
                                .block(),
                history.reports().values().stream().mapToLong(List::size).sum(),
                history.ledgers().values().stream().mapToLong(List::size).sum());
    }

    void print(PrintStream out) {
        out.printf(
                "%d acknowledged orders in %d batches, %d blocks, %d copies refused, %d reports, %d runs of brokers%n",
                acknowledgedOrders, acknowledgedBatches, blocks, copies, reports, brokerRuns);
    }
}
