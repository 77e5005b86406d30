package io.sealbook.chaos.run;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.sealbook.chaos.fault.FaultEvent;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.history.Findings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run saw.
 *
 * @param plan of the run
 * @param findings violations
 * @param events faults
 * @param load that was put through
 * @param timeline of the receipts
 */
record RunReport(RunPlan plan, Findings findings, List<FaultEvent> events, LoadSummary load, LoadTimeline timeline) {
    static final String FILE_NAME = "report.json";

    private static final Gson JSON = new GsonBuilder().setPrettyPrinting().create();

    /** Returns whether the run has shown what it is for: no promise was broken, while faults struck. */
    boolean isClean() {
        return findings.violations().isEmpty() && !lacksFaults();
    }

    /** Returns whether no fault has taken effect, although the run was not asked for none. */
    private boolean lacksFaults() {
        return plan.faultsMax() != 0 && events.stream().noneMatch(FaultEvent::hasTakenEffect);
    }

    void print(PrintStream out) {
        load.print(out);
        out.printf(
                "orders per second: %.0f before, %.0f during, %.0f after the faults%n",
                timeline.ordersPerSecondBefore(), timeline.ordersPerSecondDuring(), timeline.ordersPerSecondAfter());
        out.printf(
                "%-10s %6s %30s %32s%n",
                "fault", "count", "to the next block, ms", "longest time without a receipt, ms");
        Map<FaultKind, LoadTimeline.Recovery> gaps = timeline.longestGaps();
        timeline.toNextBlock().forEach((kind, recovery) -> {
            LoadTimeline.Recovery gap = gaps.get(kind);
            out.printf(
                    "%-10s %6d %10.0f %9.0f %9.0f   %10.0f %9.0f %9.0f%n",
                    kind,
                    gap.faults(),
                    recovery.medianMs(),
                    recovery.p99Ms(),
                    recovery.worstMs(),
                    gap.medianMs(),
                    gap.p99Ms(),
                    gap.worstMs());
        });
        out.println("           (median, p99, worst)");
        timeline.sharesUnderLies()
                .forEach((liar, share) ->
                        out.printf("%-28s %3.0f %% of the orders per second without faults%n", liar, 100 * share));
        long idle = events.stream().filter(event -> !event.hasTakenEffect()).count();
        if (idle > 0) {
            out.println(idle + " faults found nothing to strike and do not count");
        }
        print(findings, out);
        if (findings.violations().isEmpty() && lacksFaults()) {
            out.println("No fault has taken effect, so that the run shows nothing; --fault-limit 0 asks for no fault.");
        } else {
            printVerdict(isClean(), out);
        }
    }

    /**
     * Prints what is wrong.
     *
     * @param findings that are printed
     * @param out takes the lines
     */
    static void print(Findings findings, PrintStream out) {
        findings.violations().forEach(violation -> out.println("VIOLATION " + violation));
        findings.counts().forEach((rule, count) -> out.println(rule + ": " + count + " violations"));
    }

    /** Prints the last line. */
    static void printVerdict(boolean isClean, PrintStream out) {
        out.println(isClean ? "Every promise was kept." : "Promises were broken; the files are evidence.");
    }

    /**
     * Writes the report as JSON.
     *
     * @return the file
     */
    Path write(Path directory) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("seed", plan.seed());
        facts.put("shape", plan.shape());
        facts.put("nodes", plan.nodes());
        facts.put("brokers", plan.brokers());
        facts.put("faultsMs", plan.faultsMs());
        facts.put("load", load);
        facts.put(
                "ordersPerSecond",
                Map.of(
                        "before", timeline.ordersPerSecondBefore(),
                        "during", timeline.ordersPerSecondDuring(),
                        "after", timeline.ordersPerSecondAfter()));
        facts.put("sharesUnderLies", timeline.sharesUnderLies());
        facts.put("toNextBlock", timeline.toNextBlock());
        facts.put("longestTimeWithoutReceipt", timeline.longestGaps());
        facts.put("faults", events);
        facts.put("violations", findings.violations());
        facts.put("violationCounts", findings.counts());
        return Files.writeString(directory.resolve(FILE_NAME), JSON.toJson(facts) + "\n");
    }
}
