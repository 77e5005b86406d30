package io.sealbook.simulator;

/** Families of scenarios; a seed chooses one of the family. */
enum ScenarioKind {
    /** Faults of all kinds, at any time. */
    RANDOM {
        @Override
        Scenario of(long seed) {
            return Scenario.of(seed);
        }
    },
    /** The same, and each block waits for the certified result of the last. */
    AWAITING {
        @Override
        Scenario of(long seed) {
            return Scenario.of(seed).awaitingEachResult();
        }
    },
    /** Several view changes on end, each with another part of the replicas prepared and committed. */
    GUIDED {
        @Override
        Scenario of(long seed) {
            return Scenario.guided(seed);
        }
    },
    /** Random ones with fair order, among them some with a primary that runs ahead. */
    FAIR {
        @Override
        Scenario of(long seed) {
            return Scenario.of(seed).withFairOrder();
        }
    },
    /** Random or guided ones of four nodes, few batches and a few seconds: they show most mistakes, and cost little. */
    SMALL {
        @Override
        Scenario of(long seed) {
            Scenario scenario = Math.floorMod(seed, 3L) == 2 ? GUIDED.of(seed) : RANDOM.of(seed);
            return scenario.with(ScenarioKnob.NODES, SMALL_NODES)
                    .with(ScenarioKnob.BATCHES, Math.min(scenario.batchCount(), SMALL_BATCHES))
                    .with(ScenarioKnob.CHAOS_MS, Math.min(scenario.chaosNs() / Scenario.MS, SMALL_CHAOS_MS));
        }
    },
    /** Of eight seeds five are random, two guided, and one awaits results. */
    MIXED {
        @Override
        Scenario of(long seed) {
            return switch ((int) Math.floorMod(seed, 8L)) {
                case 2, 5 -> GUIDED.of(seed);
                case 7 -> AWAITING.of(seed);
                default -> RANDOM.of(seed);
            };
        }
    };

    private static final int SMALL_NODES = 4;
    private static final int SMALL_BATCHES = 40;
    private static final long SMALL_CHAOS_MS = 5_000;

    /** Returns the scenario of a seed. */
    abstract Scenario of(long seed);
}
