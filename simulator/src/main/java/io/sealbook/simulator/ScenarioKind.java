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

    /** Returns the scenario of a seed. */
    abstract Scenario of(long seed);
}
