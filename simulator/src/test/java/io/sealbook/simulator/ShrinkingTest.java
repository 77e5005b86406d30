package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.Storage;
import io.sealbook.vocabulary.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShrinkingTest {
    private static final long SEED = 3;

    private final List<String> steps = new ArrayList<>();

    /** A node that says votes before they are durable: it needs a disk, and nothing else of the scenario. */
    private static Simulation withoutSync(Scenario scenario) {
        return new Simulation(scenario, null) {
            @Override
            Storage watch(SimulatedNode node, Storage files, Durability durability) {
                return new WatchedStorage(files, durability, record -> onDurable(node, record)) {
                    @Override
                    boolean syncs() {
                        return false;
                    }
                };
            }
        };
    }

    private Shrinking shrinking() {
        return new Shrinking(new ScenarioOptions()::of, ShrinkingTest::withoutSync, 1, steps::add);
    }

    @Test
    void shouldKeepOnlyWhatTheFailureNeeds() {
        Shrinking.Failing failing = shrinking().shrink(SEED, Map.of()).orElseThrow();

        Scenario simplest = new ScenarioOptions().of(failing.seed(), failing.changes());
        assertThat(simplest.isDisk()).isTrue();
        assertThat(simplest.replicaCount()).isEqualTo(4);
        assertThat(simplest.batchCount()).isEqualTo(1);
        assertThat(simplest.lossPerMille()).isZero();
        assertThat(simplest.faults()).containsOnly(Fault.NONE);
        assertThat(failing.failure()).hasMessageContaining("durable");
        assertThat(steps).isNotEmpty();
    }

    @Test
    void shouldReturnNothingIfTheSeedDoesNotFail() {
        assertThat(shrinking().shrink(SEED, Map.of("disk", 0L, "batches", 1L, "chaos", 500L)))
                .isEmpty();
    }

    @Test
    void shouldCompareFailuresByTheirWords() {
        SimulationFailure first =
                new SimulationFailure("x", new SimulationFailure("replica 1: voted twice: deadbeef01"));
        SimulationFailure second =
                new SimulationFailure("y", new SimulationFailure("replica 3: voted twice: 0badcafe99"));

        assertThat(Shrinking.kind(first)).isEqualTo(Shrinking.kind(second));
        assertThat(Shrinking.kind(first)).isNotEqualTo(Shrinking.kind(new SimulationFailure("no recovery")));
    }
}
