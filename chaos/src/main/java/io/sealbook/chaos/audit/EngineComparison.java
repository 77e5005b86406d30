package io.sealbook.chaos.audit;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.protocol.v1.EngineState;
import java.util.HexFormat;
import java.util.List;

/** Compares what the engines of all members have executed. */
public final class EngineComparison {
    private EngineComparison() {}

    /**
     * Compares the engines, which have executed the same blocks.
     *
     * @param engines by member
     * @param findings takes the differences
     */
    public static void compare(List<EngineState> engines, Findings findings) {
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
    }

    private static String describe(EngineState engine) {
        return engine.getReports() + " reports and result digest "
                + HexFormat.of().formatHex(engine.getResultDigest().toByteArray()) + " after block "
                + engine.getLastExecuted();
    }
}
