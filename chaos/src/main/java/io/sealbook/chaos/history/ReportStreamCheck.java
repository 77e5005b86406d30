package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import java.util.Comparator;
import java.util.List;

/**
 * The reports of each broker: numbered without a gap, in the order of the chain, and the same whenever they are read.
 */
final class ReportStreamCheck {
    private static final Comparator<ExecutionReport> CHAIN_ORDER = Comparator.comparingLong(
                    ExecutionReport::blockSequence)
            .thenComparingInt(ExecutionReport::batchIndex)
            .thenComparingInt(ExecutionReport::orderIndex);

    private final History history;
    private final Findings findings;

    ReportStreamCheck(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
    }

    void run() {
        history.reports().forEach(this::checkOrder);
        history.ledgers().forEach((broker, runs) -> {
            for (int run = 0; run < runs.size(); run++) {
                checkSeen(broker, run, runs.get(run));
            }
        });
    }

    private void checkOrder(int broker, List<ExecutionReport> reports) {
        ExecutionReport last = null;
        for (int i = 0; i < reports.size(); i++) {
            ExecutionReport report = reports.get(i);
            if (report.reportSequence() != i + 1) {
                findings.add(
                        Rule.REPORT_ORDER,
                        "broker " + broker + ": report " + report.reportSequence() + " where " + (i + 1)
                                + " is expected");
                return;
            }
            if (last != null && CHAIN_ORDER.compare(last, report) > 0) {
                findings.add(
                        Rule.REPORT_ORDER,
                        "broker " + broker + ": report " + report.reportSequence() + " is of an earlier place than "
                                + last.reportSequence());
            }
            last = report;
        }
    }

    private void checkSeen(int broker, int run, List<LedgerEntry> entries) {
        // Of a run at whose end no reports could be read, which is a finding by itself, there is nothing to compare.
        List<ExecutionReport> agreed = history.reports().get(broker);
        long next = 0;
        for (LedgerEntry entry : entries) {
            if (entry instanceof LedgerEntry.ProgramStart start) {
                next = next == 0 ? start.reportsFrom() : next;
            } else if (entry instanceof LedgerEntry.SeenReport seen) {
                ExecutionReport report = seen.report();
                if (next != 0 && report.reportSequence() != next) {
                    findings.add(
                            Rule.REPORT_ORDER,
                            "broker " + broker + ", run " + (run + 1) + ": saw report " + report.reportSequence()
                                    + " where " + next + " is expected");
                }
                next = report.reportSequence() + 1;
                if (agreed != null) {
                    checkStable(broker, report, agreed);
                }
            }
        }
    }

    private void checkStable(int broker, ExecutionReport seen, List<ExecutionReport> agreed) {
        long sequence = seen.reportSequence();
        if (sequence > agreed.size()) {
            findings.add(
                    Rule.STABLE_REPORTS,
                    "broker " + broker + ": saw report " + sequence + ", of which there are " + agreed.size());
        } else if (!agreed.get((int) sequence - 1).equals(seen)) {
            findings.add(
                    Rule.STABLE_REPORTS,
                    "broker " + broker + ": saw " + seen + ", which is now " + agreed.get((int) sequence - 1));
        }
    }
}
