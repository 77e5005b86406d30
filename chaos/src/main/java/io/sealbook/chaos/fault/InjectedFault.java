package io.sealbook.chaos.fault;

import java.io.IOException;

/** A fault that can be injected once and then healed. One thread. */
public interface InjectedFault {
    /** Returns what is struck, such as {@code node 2}. */
    String target();

    /** Injects the fault. */
    void inject() throws IOException, InterruptedException;

    /** Takes the fault away: what it ended is started, what it cut is joined. The cluster may still be recovering. */
    void heal() throws IOException, InterruptedException;

    /**
     * Returns whether the fault has met what it is for; asked when it is healed. A full disk without a write, or an
     * archive too short for a damaged block, proves nothing and must not count.
     */
    default boolean hasTakenEffect() {
        return true;
    }
}
