package io.sealbook.perf.cluster;

/** In which processes a node of a local cluster runs with its engine. */
public enum NodeShape {
    /** A node and an engine beside it. */
    SPLIT,
    /** Both in one process. */
    REPLICA,
    /** A node of this program's jar with the engine of an experiment inside, which has no port. */
    EXPERIMENT,
    /** A node of the jar of {@code chaos}, which can be made to lie to the others, and an engine beside it. */
    LIAR;

    /** Returns whether the engine is a process beside the node. */
    boolean hasEngineBeside() {
        return this == SPLIT || this == LIAR;
    }
}
