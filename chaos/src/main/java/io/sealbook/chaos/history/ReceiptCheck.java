package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.ledger.LedgerEntry;
import java.util.List;

/** Receipts against the chain: what was acknowledged is there, at its place, as it was submitted. */
final class ReceiptCheck {
    private final History history;
    private final ChainIndex chain;
    private final Submissions submissions;
    private final Findings findings;

    ReceiptCheck(History history, ChainIndex chain, Submissions submissions, Findings findings) {
        this.history = history;
        this.chain = chain;
        this.submissions = submissions;
        this.findings = findings;
    }

    void run() {
        Submissions.eachEntry(history, (broker, entry) -> {
            if (entry instanceof LedgerEntry.Acknowledgement receipt) {
                judge(new BatchName(broker, receipt.session(), receipt.number()), receipt);
            }
        });
        for (ChainBatch batch : history.chain()) {
            if (history.ledgers().containsKey(batch.name().brokerId())
                    && !batch.orders().equals(submissions.orders(batch.name()))) {
                findings.add(
                        Rule.SAME_CONTENT,
                        batch.name() + " at " + batch.place()
                                + (submissions.orders(batch.name()) == null
                                        ? " was never submitted"
                                        : " has other orders than were submitted"));
            }
        }
    }

    private void judge(BatchName name, LedgerEntry.Acknowledgement receipt) {
        List<ChainBatch> occurrences = chain.occurrences(name);
        BatchPlace place = new BatchPlace(receipt.block(), receipt.batchIndex());
        if (occurrences.isEmpty()) {
            findings.add(Rule.ACKNOWLEDGED_IS_KEPT, name + " was acknowledged at " + place + " and is in no block");
        } else if (occurrences.stream()
                .noneMatch(batch ->
                        batch.place().equals(place) && batch.blockHash().equals(receipt.blockHash()))) {
            findings.add(
                    Rule.SAME_PLACE,
                    name + " was acknowledged at " + place + " of block " + receipt.blockHash() + " and is at "
                            + occurrences.stream()
                                    .map(batch -> batch.place() + " of block " + batch.blockHash())
                                    .toList());
        }
    }
}
