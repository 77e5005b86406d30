package io.sealbook.consensus.config;

import io.sealbook.crypto.BatchPreference;
import io.sealbook.vocabulary.Durability;

/** Whether the stages of a batch's path, from its connection to its receipt, share one thread. */
public enum StageThreads {
    /** As {@link #areShared} decides. */
    AUTO,
    /** One event loop does everything for a batch, and hands nothing to another thread. */
    SHARED,
    /** Each stage has threads of its own. */
    OWN;

    /** With more cores the stages of a batch are faster side by side. */
    static final int SHARED_CORES_MAX = 4;

    /**
     * What a node is that chooses for itself.
     *
     * @param isReplica whether its engine is inside
     * @param durability whether stages wait for a disk
     * @param callers whether the verifier works on its caller's core, or makes it wait for a device
     * @param coreCount cores of the machine, 1 or more
     */
    public record Circumstances(
            boolean isReplica, Durability durability, BatchPreference.Callers callers, int coreCount) {}

    /**
     * Returns whether the stages share a thread. {@link #AUTO}: those of a replica do if nothing on the path waits for
     * a disk or a device and there are few cores; where the engine is a process of its own, the machine has cores to
     * spare.
     */
    public boolean areShared(Circumstances at) {
        return switch (this) {
            case SHARED -> true;
            case OWN -> false;
            case AUTO ->
                at.isReplica()
                        && !at.durability().isDisk()
                        && at.callers() == BatchPreference.Callers.ONE_PER_CORE
                        && at.coreCount() <= SHARED_CORES_MAX;
        };
    }
}
