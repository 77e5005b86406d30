package io.sealbook.consensus.agent;

/** Two duty cycles on one thread, in turn. */
public final class CombinedCycle extends DutyCycle {
    private final DutyCycle first;
    private final DutyCycle second;

    public CombinedCycle(DutyCycle first, DutyCycle second) {
        this.first = first;
        this.second = second;
        first.runInside(this);
        second.runInside(this);
    }

    @Override
    public int doWork() {
        return first.doWork() + second.doWork();
    }

    @Override
    public boolean hasWork() {
        return first.hasWork() || second.hasWork();
    }

    @Override
    public long idleNs() {
        return Math.min(first.idleNs(), second.idleNs());
    }
}
