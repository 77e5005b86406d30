package io.sealbook.simulator;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Disks of correct nodes that are full for a while, also while their process starts. What a process does without room
 * is its own decision: it ends, and starts again, or it goes on where it can do without. Its random numbers are its
 * own, so that it changes nothing in runs without it.
 */
final class FullDisks {
    private static final long MS = 1_000_000L;
    private static final long INTERVAL_MAX_NS = 3_000 * MS;
    private static final long DURATION_MAX_NS = 4_000 * MS;

    private final Simulation simulation;
    private final List<SimulatedNode> nodes;
    private final SplittableRandom random;
    private final Set<String> ends = new TreeSet<>();
    private long lateEvidence;

    /**
     * @param simulation in which it happens
     * @param nodes all machines; the list changes after this call
     */
    FullDisks(Simulation simulation, List<SimulatedNode> nodes) {
        this.simulation = simulation;
        this.nodes = nodes;
        random = new SplittableRandom(simulation.scenario().seed() ^ 0xf0115L);
    }

    /** Begins to fill disks, until the cluster heals. */
    void begin() {
        simulation.after(random.nextLong(INTERVAL_MAX_NS), () -> {
            if (!simulation.isHealed()) {
                fill(nodes.get(random.nextInt(nodes.size())), random.nextLong(DURATION_MAX_NS));
                begin();
            }
        });
    }

    private void fill(SimulatedNode node, long durationNs) {
        if (!node.isCorrect()) {
            return;
        }
        simulation.trace(node, "has a full disk for " + durationNs / MS + " ms");
        node.disk.fill();
        simulation.after(durationNs, node.disk::makeRoom);
    }

    /** There is room again on all disks. */
    void end() {
        nodes.forEach(node -> node.disk.makeRoom());
    }

    /**
     * A node's process has ended because its disk was full.
     *
     * @param failure that ended it
     */
    void onEnded(RuntimeException failure) {
        ends.add(failure.getMessage());
    }

    /** A process wrote evidence that had waited for room. */
    void onEvidenceWritten() {
        lateEvidence++;
    }

    /** Returns how often evidence that had waited for room was written. */
    long lateEvidence() {
        return lateEvidence;
    }

    /** Returns what processes said that have ended. */
    Set<String> ends() {
        return Set.copyOf(ends);
    }
}
