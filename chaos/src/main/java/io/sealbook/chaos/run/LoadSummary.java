package io.sealbook.chaos.run;

import io.sealbook.chaos.history.ChainBatch;
import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import java.util.List;
import java.util.Map;

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
    LoadSummary(
            Map<Integer, List<List<LedgerEntry>>> ledgers,
            List<ChainBatch> chain,
            Map<Integer, List<ExecutionReport>> reports) {
        this(
                LoadTimeline.acknowledged(ledgers).size(),
                LoadTimeline.acknowledged(ledgers).stream()
                        .mapToLong(LoadTimeline.Acknowledged::orders)
                        .sum(),
                chain.size(),
                chain.size() - chain.stream().map(ChainBatch::name).distinct().count(),
                chain.isEmpty() ? 0 : chain.get(chain.size() - 1).place().block(),
                reports.values().stream().mapToLong(List::size).sum(),
                ledgers.values().stream().mapToLong(List::size).sum());
    }
}
