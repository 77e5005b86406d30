package io.sealbook.chaos.fault;

import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;

/**
 * SIGSTOP of a process; healing lets it go on.
 *
 * @param process that is paused
 */
record PausedProcess(ManagedProcess process) implements InjectedFault {
    @Override
    public String target() {
        return process.name();
    }

    @Override
    public void inject() throws IOException, InterruptedException {
        process.pause();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        process.resume();
    }
}
