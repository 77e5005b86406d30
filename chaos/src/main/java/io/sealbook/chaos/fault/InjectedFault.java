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
}
