package io.sealbook.consensus.repair;

import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.node.repair.Scrub;

/** The duty cycle around the scrub. */
public final class ScrubCycle extends DutyCycle {
    private final Scrub scrub;
    private long idleNs;

    /** @param scrub driven by this cycle only */
    public ScrubCycle(Scrub scrub) {
        this.scrub = scrub;
    }

    @Override
    public int doWork() {
        idleNs = scrub.step(System.nanoTime());
        return idleNs == 0 ? 1 : 0;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return idleNs;
    }
}
