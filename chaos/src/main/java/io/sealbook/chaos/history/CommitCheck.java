package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.ledger.LedgerEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Each batch that a program's outbox has held is in the chain at the end. A program that was killed may have recorded a
 * batch that its outbox did not hold yet, and of which no byte has left. The next run shows which: it begins at the end
 * of the outbox, or in another session if the outbox is empty.
 */
final class CommitCheck {
    private final History history;
    private final ChainIndex chain;
    private final Findings findings;

    CommitCheck(History history, ChainIndex chain, Findings findings) {
        this.history = history;
        this.chain = chain;
        this.findings = findings;
    }

    void run() {
        history.ledgers()
                .forEach((broker, runs) -> submitted(broker, runs).forEach((name, fate) -> {
                    if (chain.occurrences(name).isEmpty()) {
                        findings.add(Rule.LIVENESS, name + fate + " and is in no block");
                    }
                }));
    }

    /** Returns the batches that an outbox has held, each with what its program has recorded of it. */
    private static Map<BatchName, String> submitted(int broker, List<List<LedgerEntry>> runs) {
        Map<BatchName, String> batches = new LinkedHashMap<>();
        runs.forEach(run -> run.forEach(entry -> {
            switch (entry) {
                case LedgerEntry.ProgramStart start ->
                    batches.keySet()
                            .removeIf(
                                    name -> name.session() != start.session() || name.number() >= start.firstNumber());
                case LedgerEntry.SubmittedBatch batch ->
                    batches.put(new BatchName(broker, batch.session(), batch.number()), " was submitted");
                case LedgerEntry.FailedBatch batch ->
                    batches.put(
                            new BatchName(broker, batch.session(), batch.number()),
                            " was given up (" + batch.cause() + ")");
                default -> {
                    // Nothing was submitted.
                }
            }
        }));
        return batches;
    }
}
