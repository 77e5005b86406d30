package io.sealbook.chaos.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Collects violations, of each rule the first ones in full and the number of the others. One thread. */
public final class Findings {
    private static final int KEPT_PER_RULE = 20;

    private final List<Violation> kept = new ArrayList<>();
    private final Map<Violation.Rule, Integer> counts = new EnumMap<>(Violation.Rule.class);

    /**
     * Adds a violation.
     *
     * @param rule that was broken
     * @param facts what was expected and what was found
     */
    public void add(Violation.Rule rule, String facts) {
        if (counts.merge(rule, 1, Integer::sum) <= KEPT_PER_RULE) {
            kept.add(new Violation(rule, facts));
        }
    }

    /** Returns the violations that are kept, at most twenty of each rule. */
    public List<Violation> violations() {
        return List.copyOf(kept);
    }

    /** Returns how often each broken rule was broken. */
    public Map<Violation.Rule, Integer> counts() {
        return Map.copyOf(counts);
    }
}
