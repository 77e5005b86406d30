package io.sealbook.simulator;

import java.util.Arrays;
import java.util.function.ToLongFunction;

/** What can be changed of a scenario, by its key on the command line; smaller values make simpler runs. */
enum ScenarioKnob {
    NODES("n", 4, Scenario::replicaCount),
    /** Of the members that the seed makes faulty, this number is. */
    FAULTY(
            "faulty",
            0,
            scenario -> Arrays.stream(scenario.faults())
                    .filter(fault -> fault != Fault.NONE)
                    .count()),
    BATCHES("batches", 1, Scenario::batchCount),
    CHAOS_MS("chaos", 500, scenario -> scenario.chaosNs() / Scenario.MS),
    CRASHES("crash", 0, Scenario::crashPerMille),
    PARTITIONS("partitions", 0, scenario -> scenario.hasPartitions() ? 1 : 0),
    GUIDED_VIEWS("guided", 0, Scenario::guidedViews),
    LOSS("loss", 0, Scenario::lossPerMille),
    DUPLICATES("dup", 0, Scenario::duplicatePerMille),
    DISK("disk", 0, scenario -> scenario.isDisk() ? 1 : 0),
    EXPIRY("expiry", 0, scenario -> scenario.hasExpiry() ? 1 : 0),
    FAIR("fair", 0, scenario -> scenario.isFair() ? 1 : 0),
    CLIENTS("clients", 1, Scenario::clientCount),
    BLOCK("block", 1, Scenario::blockMaxBatches),
    PIPELINE("W", 1, Scenario::pipelineWindow),
    DELAY_MS("delay", 1, scenario -> scenario.delayMaxNs() / Scenario.MS);

    final String key;
    final long min;
    private final ToLongFunction<Scenario> value;

    ScenarioKnob(String key, long min, ToLongFunction<Scenario> value) {
        this.key = key;
        this.min = min;
        this.value = value;
    }

    /**
     * Returns the knob of a key.
     *
     * @throws IllegalArgumentException if there is none
     */
    static ScenarioKnob of(String key) {
        for (ScenarioKnob knob : values()) {
            if (knob.key.equals(key)) {
                return knob;
            }
        }
        throw new IllegalArgumentException("no knob " + key + ", there are "
                + Arrays.stream(values()).map(knob -> knob.key).toList());
    }

    /**
     * Refuses what no scenario can have.
     *
     * @throws IllegalArgumentException if the value is below the smallest
     */
    void requireValid(long newValue) {
        if (newValue < min) {
            throw new IllegalArgumentException(key + "=" + newValue + " is below " + min);
        }
    }

    long valueIn(Scenario scenario) {
        return value.applyAsLong(scenario);
    }
}
