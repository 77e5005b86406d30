package io.sealbook.chaos.history;

import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.Order;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The submissions of all ledgers by the name of the batch: a batch that was submitted twice began at its first time.
 */
final class Submissions {
    private final Map<BatchName, LedgerEntry.SubmittedBatch> first = new HashMap<>();

    Submissions(History history, Findings findings) {
        eachEntry(history, (broker, entry) -> {
            if (entry instanceof LedgerEntry.SubmittedBatch submitted) {
                note(new BatchName(broker, submitted.session(), submitted.number()), submitted, findings);
            }
        });
    }

    private void note(BatchName name, LedgerEntry.SubmittedBatch submitted, Findings findings) {
        LedgerEntry.SubmittedBatch earlier = first.putIfAbsent(name, submitted);
        if (earlier == null) {
            return;
        }
        if (!earlier.orders().equals(submitted.orders())) {
            findings.add(Violation.Rule.SAME_CONTENT, name + " was submitted with two contents");
        }
        if (submitted.timeNs() < earlier.timeNs()) {
            first.put(name, submitted);
        }
    }

    /** Returns the orders that a broker submitted under a name, or null. */
    List<Order> orders(BatchName name) {
        LedgerEntry.SubmittedBatch submitted = first.get(name);
        return submitted == null ? null : submitted.orders();
    }

    /** Returns when the submission of a batch began, or null if it never did. */
    Long beganNs(BatchName name) {
        LedgerEntry.SubmittedBatch submitted = first.get(name);
        return submitted == null ? null : submitted.timeNs();
    }

    /** Hands over all entries of all ledgers, each with its broker. */
    static void eachEntry(History history, BiConsumer<Integer, LedgerEntry> taker) {
        history.ledgers()
                .forEach((broker, runs) -> runs.forEach(run -> run.forEach(entry -> taker.accept(broker, entry))));
    }
}
