package io.sealbook.simulator;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which scenario a seed stands for, as options of a command. */
final class ScenarioOptions {
    @Option(
            names = "--scenario",
            paramLabel = "KIND",
            description = "Family of scenarios: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ScenarioKind kind = ScenarioKind.RANDOM;

    private Map<String, Long> changes = new LinkedHashMap<>();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Refuses before any run what no scenario can have; null stands for no change. */
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            split = ",",
            description = "Changes the scenarios, for example n=4,loss=0; shrink prints such changes.")
    void change(Map<String, Long> given) {
        changes = given == null ? new LinkedHashMap<>() : given;
        try {
            changes.forEach((key, value) -> ScenarioKnob.of(key).requireValid(value));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), "--set: " + e.getMessage(), e);
        }
    }

    Scenario of(long seed) {
        return of(seed, changes);
    }

    /**
     * Returns the scenario of a seed with other changes than those of the command line.
     *
     * @param seed of the family
     * @param otherChanges values by the keys of {@link ScenarioKnob}
     */
    Scenario of(long seed, Map<String, Long> otherChanges) {
        Scenario changed = kind.of(seed);
        for (Map.Entry<String, Long> change : otherChanges.entrySet()) {
            changed = changed.with(ScenarioKnob.of(change.getKey()), change.getValue());
        }
        return changed;
    }

    Map<String, Long> changes() {
        return changes;
    }

    /** Returns the options that repeat the run of a seed, with a trace. */
    String command(long seed) {
        return command(seed, changes);
    }

    /**
     * Returns the options that run a seed with changes, with a trace.
     *
     * @param seed of the scenario
     * @param all changes of it
     */
    String command(long seed, Map<String, Long> all) {
        StringBuilder text = new StringBuilder();
        if (kind != ScenarioKind.RANDOM) {
            text.append("--scenario ")
                    .append(kind.name().toLowerCase(Locale.ROOT))
                    .append(' ');
        }
        text.append("--seed ").append(seed);
        String separator = " --set ";
        for (Map.Entry<String, Long> change : all.entrySet()) {
            text.append(separator).append(change.getKey()).append('=').append(change.getValue());
            separator = ",";
        }
        return text.append(" --trace").toString();
    }
}
