package io.sealbook.chaos.audit;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.protocol.v1.EngineState;
import java.util.HexFormat;
import java.util.List;

/** Compares what the engines of all members have executed. */
final class EngineComparison {
    private EngineComparison() {}

    /**
     * Compares the engines, which have executed the same blocks, with each other and with the reports that were read.
     *
     * @param engines by member; none if the run ended before all had executed the same blocks
     * @param history with all reports
     * @param findings takes the differences
     */
    static void compare(List<EngineState> engines, History history, Findings findings) {
        if (engines.isEmpty()) {
            findings.add(
                    Rule.LIVENESS,
                    "no states of engines are stored: the run ended before all had executed the same blocks");
            return;
        }
        EngineState first = engines.get(0);
        for (int i = 1; i < engines.size(); i++) {
            EngineState other = engines.get(i);
            if (!other.getResultDigest().equals(first.getResultDigest())
                    || other.getLastExecuted() != first.getLastExecuted()
                    || other.getReports() != first.getReports()) {
                findings.add(
                        Rule.SAME_EVERYWHERE,
                        "engine 0 has " + describe(first) + ", engine " + i + " has " + describe(other));
            }
        }
        long read = history.reports().values().stream().mapToLong(List::size).sum();
        if (read != first.getReports()) {
            findings.add(Rule.LIVENESS, "engine 0 has " + describe(first) + ", of which " + read + " were read");
        }
    }

    private static String describe(EngineState engine) {
        return engine.getReports() + " reports and result digest "
                + HexFormat.of().formatHex(engine.getResultDigest().toByteArray()) + " after block "
                + engine.getLastExecuted();
    }
}
