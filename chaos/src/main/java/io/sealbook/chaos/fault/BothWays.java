package io.sealbook.chaos.fault;

import java.io.IOException;

/**
 * Two faults at once, such as those of a link's two directions; healed together.
 *
 * @param one names the target of both
 * @param other injected second
 */
record BothWays(InjectedFault one, InjectedFault other) implements InjectedFault {
    @Override
    public String target() {
        return one.target();
    }

    @Override
    public void inject() throws IOException, InterruptedException {
        one.inject();
        other.inject();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        one.heal();
        other.heal();
    }

    @Override
    public boolean hasTakenEffect() {
        return one.hasTakenEffect() || other.hasTakenEffect();
    }
}
