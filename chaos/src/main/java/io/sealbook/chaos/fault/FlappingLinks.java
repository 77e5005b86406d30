package io.sealbook.chaos.fault;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A fault that comes and goes until it is healed. */
final class FlappingLinks implements InjectedFault {
    private final InjectedFault fault;
    private final long periodMs;
    private Thread flapping;

    /**
     * @param fault that comes and goes
     * @param periodMs time in each of the two states, ms
     */
    FlappingLinks(InjectedFault fault, long periodMs) {
        this.fault = fault;
        this.periodMs = periodMs;
    }

    @Override
    public String target() {
        return fault.target() + ", changing each " + periodMs + " ms";
    }

    @Override
    public void inject() {
        flapping = Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    fault.inject();
                    Thread.sleep(periodMs);
                    fault.heal();
                    Thread.sleep(periodMs);
                }
            } catch (InterruptedException e) {
                // Healed.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        flapping.interrupt();
        flapping.join();
        fault.heal();
    }
}
