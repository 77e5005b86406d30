package io.sealbook.chaos.history;

import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import java.util.List;
import java.util.Map;

/**
 * What is judged.
 *
 * @param ledgers by broker: the runs of its program in their order, each with its entries in their order
 * @param chain every batch in the order of execution; one that a new view named again is there twice
 * @param reports by broker: all its execution reports, read again at the end
 */
public record History(
        Map<Integer, List<List<LedgerEntry>>> ledgers,
        List<ChainBatch> chain,
        Map<Integer, List<ExecutionReport>> reports) {}
