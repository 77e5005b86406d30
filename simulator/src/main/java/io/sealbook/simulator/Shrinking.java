package io.sealbook.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes a failing scenario simpler as long as it fails in the same way: fewer nodes, faults and batches, a shorter run.
 * A changed scenario draws other random numbers, so for each step some further seeds are tried.
 */
final class Shrinking {
    /** What fails: the scenario of a seed with changes. */
    record Failing(long seed, Map<String, Long> changes, SimulationFailure failure) {}

    private static final int KIND_LENGTH = 60;

    private final BiFunction<Long, Map<String, Long>, Scenario> scenarios;
    private final Function<Scenario, Simulation> simulations;
    private final int seedsPerStep;
    private final Consumer<String> progress;

    /**
     * @param scenarios by seed and changes
     * @param simulations makes a run
     * @param seedsPerStep how many seeds are tried for one change, 1 or more
     * @param progress receives a line for each step that succeeded
     */
    Shrinking(
            BiFunction<Long, Map<String, Long>, Scenario> scenarios,
            Function<Scenario, Simulation> simulations,
            int seedsPerStep,
            Consumer<String> progress) {
        this.scenarios = scenarios;
        this.simulations = simulations;
        this.seedsPerStep = seedsPerStep;
        this.progress = progress;
    }

    /** Returns the simplest failing scenario that was found; empty if this one does not fail. */
    Optional<Failing> shrink(long seed, Map<String, Long> changes) {
        Optional<Failing> first = attempt(seed, changes);
        if (first.isEmpty()) {
            return first;
        }
        String kind = kind(first.get().failure());
        Failing simplest = first.get();
        boolean hasShrunk = true;
        while (hasShrunk) {
            hasShrunk = false;
            for (ScenarioKnob knob : ScenarioKnob.values()) {
                Optional<Failing> simpler = simpler(simplest, knob, kind);
                while (simpler.isPresent()) {
                    simplest = simpler.get();
                    hasShrunk = true;
                    progress.accept("seed " + simplest.seed + " " + simplest.changes);
                    simpler = simpler(simplest, knob, kind);
                }
            }
        }
        return Optional.of(simplest);
    }

    /** Returns a scenario that fails with a smaller value of the knob; empty if none does. */
    private Optional<Failing> simpler(Failing failing, ScenarioKnob knob, String kind) {
        long value = knob.valueIn(scenarios.apply(failing.seed, failing.changes));
        for (long smaller : smaller(value, knob.min)) {
            Map<String, Long> changes = new LinkedHashMap<>(failing.changes);
            changes.put(knob.key, smaller);
            for (int i = 0; i < seedsPerStep; i++) {
                Optional<Failing> attempt = attempt(failing.seed + i, changes)
                        .filter(other -> kind(other.failure).equals(kind));
                if (attempt.isPresent()) {
                    return attempt;
                }
            }
        }
        return Optional.empty();
    }

    private static List<Long> smaller(long value, long min) {
        List<Long> values = new ArrayList<>();
        for (long candidate : new long[] {min, (value + min) / 2, value - 1}) {
            if (min <= candidate && candidate < value && !values.contains(candidate)) {
                values.add(candidate);
            }
        }
        return values;
    }

    private Optional<Failing> attempt(long seed, Map<String, Long> changes) {
        try {
            simulations.apply(scenarios.apply(seed, changes)).run();
            return Optional.empty();
        } catch (SimulationFailure e) {
            return Optional.of(new Failing(seed, Map.copyOf(changes), e));
        }
    }

    /** Returns the first words of what was found, without numbers and digests. */
    static String kind(SimulationFailure failure) {
        String words = failure.fact().replaceAll("[0-9a-f]{8,}|[0-9]+", "#");
        return words.substring(0, Math.min(words.length(), KIND_LENGTH));
    }
}
