package io.sealbook.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** By how many seeds each branch and each transition of state was reached. */
final class Coverage {
    /** Of the seeds, this share reaches each branch of the view change: 50 of 10,000. */
    static final double SHARE_MIN = 0.005;

    private final Map<Branch, Integer> branches = new EnumMap<>(Branch.class);
    private final Map<String, Integer> transitions = new TreeMap<>();
    private int seeds;

    void add(CoverageOfRun run) {
        seeds++;
        run.branches().forEach(branch -> branches.merge(branch, 1, Integer::sum));
        run.transitions().forEach(transition -> transitions.merge(transition, 1, Integer::sum));
    }

    int seedsOf(Branch branch) {
        return branches.getOrDefault(branch, 0);
    }

    /** Returns a line for each branch and each transition, and the branches that too few seeds reached. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        List<Branch> rare = new ArrayList<>();
        for (Branch branch : Branch.values()) {
            int count = seedsOf(branch);
            lines.add(String.format("%7d seeds  %-12s %s", count, branch.subject, branch.text));
            if (count < SHARE_MIN * seeds) {
                rare.add(branch);
            }
        }
        transitions.forEach(
                (transition, count) -> lines.add(String.format("%7d seeds  %-12s %s", count, "state", transition)));
        lines.add("reached by less than " + SHARE_MIN * 100 + " % of " + seeds + " seeds: "
                + (rare.isEmpty() ? "none" : rare));
        return lines;
    }
}
