package io.sealbook.perf.regression;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A run beside the baseline.
 *
 * @param ratios what was measured, by name
 * @param baseline what it is held to
 * @param expected names of the baseline that had to run
 */
record RatioComparison(Map<String, Double> ratios, Baseline baseline, Set<String> expected) {

    /**
     * Prints a line for each benchmark, what is not compared, and the verdict.
     *
     * @param out takes the lines
     * @return whether all that had to run has run, and nothing is a loss
     */
    boolean print(PrintWriter out) {
        out.printf("%-78s %12s %12s %8s%n", "benchmark", "ratio", "baseline", "change");
        ratios.forEach((name, ratio) -> out.println(line(name, ratio)));
        List<String> unknown = ratios.keySet().stream()
                .filter(name -> !baseline.ratios().containsKey(name))
                .toList();
        if (!unknown.isEmpty()) {
            out.println("Not compared, because the baseline has no ratio of them (--update --include adds it):");
            unknown.forEach(name -> out.println("  " + name));
        }
        Set<String> lost = new TreeSet<>(expected);
        lost.removeAll(ratios.keySet());
        lost.forEach(name -> out.println(name + " is in the baseline and did not run: LOST"));
        boolean isGood = lost.isEmpty() && ratios.keySet().stream().noneMatch(this::isLoss);
        out.printf(
                Locale.ROOT,
                "%s beyond %.0f %%: %d compared, %d not compared, %d lost.%n",
                isGood ? "No loss" : "LOSS",
                100 * baseline.tolerance(),
                ratios.size() - unknown.size(),
                unknown.size(),
                lost.size());
        return isGood;
    }

    private String line(String name, double ratio) {
        Double expectedRatio = baseline.ratios().get(name);
        return expectedRatio == null
                ? String.format(Locale.ROOT, "%-78s %12.5g %12s %8s", name, ratio, "-", "new")
                : String.format(
                        Locale.ROOT,
                        "%-78s %12.5g %12.5g %+7.0f%%%s",
                        name,
                        ratio,
                        expectedRatio,
                        100 * change(name),
                        isLoss(name) ? "  LOSS" : "");
    }

    private boolean isLoss(String name) {
        return baseline.ratios().containsKey(name) && change(name) < -baseline.tolerance();
    }

    private double change(String name) {
        return ratios.get(name) / baseline.ratios().get(name) - 1;
    }
}
