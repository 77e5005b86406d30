package io.sealbook.chaos.fault;

/**
 * A fault that was injected. Times are those of {@link System#nanoTime}.
 *
 * @param kind of the fault
 * @param target what was struck
 * @param injectedNs when it began
 * @param healedNs when it was taken away
 * @param hasTakenEffect whether it has met what it is for
 * @param readyNs when all nodes took orders and all engines answered again, 0 if the next fault came before
 */
public record FaultEvent(
        FaultKind kind, String target, long injectedNs, long healedNs, boolean hasTakenEffect, long readyNs) {}
