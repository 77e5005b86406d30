package io.sealbook.simulator;

import java.util.SplittableRandom;

/** Which messages arrive, how often and when. */
class Network {
    private static final long MS = 1_000_000L;

    private final Scenario scenario;
    private final SplittableRandom random;
    /** By place: members, then added nodes, then second machines of twins. */
    private final int[] group;

    private boolean isHealed;

    Network(Scenario scenario, SplittableRandom random) {
        this.scenario = scenario;
        this.random = random;
        group = new int[twinPlace(scenario) + scenario.twinCount()];
    }

    /** Returns the place of the second machine of the first twin; those of the next twins follow. */
    static int twinPlace(Scenario scenario) {
        return scenario.replicaCount() + Simulation.ADDED_NODES_MAX;
    }

    void heal() {
        isHealed = true;
        joinAll();
    }

    void joinAll() {
        java.util.Arrays.fill(group, 0);
    }

    /** Of a twin only the first machine is isolated. */
    void isolate(int replica) {
        joinAll();
        group[replica] = 1;
    }

    void split() {
        for (int i = 0; i < scenario.replicaCount(); i++) {
            group[i] = random.nextInt(2);
        }
        int twinPlace = twinPlace(scenario);
        for (int i = scenario.replicaCount(); i < twinPlace; i++) {
            group[i] = group[i - scenario.replicaCount()];
        }
        for (int i = twinPlace; i < group.length; i++) {
            group[i] = random.nextInt(2);
        }
    }

    boolean isConnected(int from, int to) {
        return group[from] == group[to];
    }

    /** Returns how many copies arrive. */
    int copies(int from, int to) {
        if (group[from] != group[to]) {
            return 0;
        }
        if (isHealed) {
            return 1;
        }
        if (random.nextInt(1_000) < scenario.lossPerMille()) {
            return 0;
        }
        return random.nextInt(1_000) < scenario.duplicatePerMille() ? 2 : 1;
    }

    /** Heartbeats are in order, like all of a connection: one that is held up holds up those after it. */
    long heartbeatGapNs(SplittableRandom ofHeartbeats) {
        boolean isLost = !isHealed && ofHeartbeats.nextInt(1_000) < scenario.lossPerMille();
        return variationNs(ofHeartbeats) + (isLost ? Heartbeats.PERIOD_NS : 0);
    }

    /**
     * Returns what a message takes.
     *
     * @param from place of its sender; that of a member is its id, unless it is the second machine of a twin
     * @param to place of its receiver
     */
    long delayNs(int from, int to) {
        return delayNs();
    }

    long delayNs() {
        return distanceNs() + variationNs(random);
    }

    /** Returns what every message takes, healed or not. */
    long distanceNs() {
        return 0;
    }

    private long variationNs(SplittableRandom random) {
        if (isHealed) {
            return MS / 4 + random.nextLong(2 * MS);
        }
        long delayNs = MS / 10 + random.nextLong(scenario.delayMaxNs());
        return random.nextInt(200) == 0 ? delayNs * 20 : delayNs;
    }
}
