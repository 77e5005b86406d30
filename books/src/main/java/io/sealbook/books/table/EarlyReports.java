package io.sealbook.books.table;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Brokers whose first reports are no longer kept although a query covers their blocks: its answer lacks them. Any
 * thread.
 */
public final class EarlyReports {
    /** By broker, unsigned. */
    private final SortedMap<Long, String> facts = new ConcurrentSkipListMap<>();

    /**
     * Takes the first report that a scan of a broker's files returns. A scan leaves out whole files of blocks before
     * the span, and its first report is of such a block then.
     *
     * @param report as the scan returned it
     * @param span blocks that are asked for
     */
    public void note(ExecutionReportDecoder report, BlockSpan span) {
        if (report.reportSequence() > 1 && report.blockSequence() >= span.from()) {
            facts.put(
                    report.brokerId(),
                    "reports of broker " + report.brokerId() + " begin with " + report.reportSequence() + ", of block "
                            + report.blockSequence() + ": earlier ones are no longer kept");
        }
    }

    /** Returns a line per broker. */
    public List<String> facts() {
        return List.copyOf(facts.values());
    }
}
