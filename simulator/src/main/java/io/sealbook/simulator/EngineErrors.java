package io.sealbook.simulator;

import java.util.List;
import java.util.SplittableRandom;

/**
 * One engine that comes to wrong results from some block on, in runs without a faulty member, because its node counts
 * as one: the node finds it, votes no more, also after a restart, and takes part again when its engine has been
 * rebuilt. Its random numbers are its own, so that it changes nothing in runs without it.
 */
final class EngineErrors {
    private static final long MS = 1_000_000L;
    private static final long SOUND_MAX_NS = 6_000 * MS;
    private static final long WRONG_MAX_NS = 8_000 * MS;

    private final Simulation simulation;
    private final SimulatedNode node;
    private final SplittableRandom random;
    private long isolationCount;
    private long returnCount;

    /**
     * @param simulation in which it happens
     * @param nodes all machines, of which one is chosen
     */
    EngineErrors(Simulation simulation, List<SimulatedNode> nodes) {
        this.simulation = simulation;
        random = new SplittableRandom(simulation.scenario().seed() ^ 0xe19fL);
        node = nodes.get(random.nextInt(nodes.size()));
    }

    /** Begins to be wrong now and then, until the cluster heals. */
    void begin() {
        simulation.after(random.nextLong(SOUND_MAX_NS), () -> {
            if (!simulation.isHealed()) {
                simulation.trace(node, "has an engine that is wrong after block " + node.engine.executed());
                node.engine.err();
                simulation.checker().onWrongEngine(node.id);
                simulation.after(random.nextLong(WRONG_MAX_NS), () -> {
                    node.rebuildEngine();
                    begin();
                });
            }
        });
    }

    /** The engine is right again at once. */
    void end() {
        node.rebuildEngine();
    }

    void onIsolated() {
        isolationCount++;
    }

    void onReturned() {
        returnCount++;
    }

    /** Returns how often the node found that its engine was wrong. */
    long isolationCount() {
        return isolationCount;
    }

    /** Returns how often it took part again. */
    long returnCount() {
        return returnCount;
    }
}
