package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of the chain against real time. A batch takes effect between the moment at which its submission began and
 * the first moment at which a receipt of it or a report that it caused was seen; places must allow that.
 */
final class RealTimeCheck {
    private final History history;
    private final ChainIndex chain;
    private final Submissions submissions;
    private final Findings findings;
    private final Map<BatchName, Long> seenNs = new HashMap<>();

    RealTimeCheck(History history, ChainIndex chain, Submissions submissions, Findings findings) {
        this.history = history;
        this.chain = chain;
        this.submissions = submissions;
        this.findings = findings;
    }

    void run() {
        Submissions.eachEntry(history, (broker, entry) -> {
            switch (entry) {
                case LedgerEntry.Acknowledgement receipt ->
                    seen(new BatchName(broker, receipt.session(), receipt.number()), receipt.timeNs(), "a receipt");
                case LedgerEntry.SeenReport seen -> seen(broker, seen);
                default -> {
                    // Nothing of the chain was seen.
                }
            }
        });
        checkPlaces();
    }

    private void seen(int broker, LedgerEntry.SeenReport seen) {
        ExecutionReport report = seen.report();
        ChainBatch cause = chain.at(new BatchPlace(report.blockSequence(), report.batchIndex()));
        if (cause == null) {
            findings.add(
                    Rule.ACKNOWLEDGED_IS_KEPT,
                    "report " + report.reportSequence() + " of broker " + broker + " names block "
                            + report.blockSequence() + ", batch " + report.batchIndex() + ", which does not exist");
        } else {
            seen(cause.name(), seen.timeNs(), "report " + report.reportSequence() + " of broker " + broker);
        }
    }

    private void seen(BatchName name, long timeNs, String what) {
        Long began = submissions.beganNs(name);
        if (began != null && timeNs < began) {
            findings.add(
                    Rule.REAL_TIME,
                    what + " was seen " + (began - timeNs) + " ns before the submission of " + name + " began");
        }
        seenNs.merge(name, timeNs, Math::min);
    }

    /** From the end of the chain: nothing that comes later may have been seen before this one began. */
    private void checkPlaces() {
        List<ChainBatch> batches = history.chain();
        long earliestSeenNs = Long.MAX_VALUE;
        ChainBatch earliest = null;
        for (int i = batches.size() - 1; i >= 0; i--) {
            ChainBatch batch = batches.get(i);
            if (!chain.isExecuted(batch)) {
                continue;
            }
            Long began = submissions.beganNs(batch.name());
            if (began != null && earliest != null && earliestSeenNs < began) {
                findings.add(
                        Rule.REAL_TIME,
                        earliest.name() + " at " + earliest.place() + " was seen " + (began - earliestSeenNs)
                                + " ns before the submission of " + batch.name() + " began, which is at "
                                + batch.place());
            }
            long seen = seenNs.getOrDefault(batch.name(), Long.MAX_VALUE);
            if (seen < earliestSeenNs) {
                earliestSeenNs = seen;
                earliest = batch;
            }
        }
    }
}
