package io.sealbook.chaos.fault;

import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * SIGKILL of processes at one instant; healing starts them again.
 *
 * @param target what is struck, in words
 * @param processes at least one
 */
record KilledProcesses(String target, List<ManagedProcess> processes) implements InjectedFault {
    static KilledProcesses of(List<ManagedProcess> processes) {
        return new KilledProcesses(
                processes.stream().map(ManagedProcess::name).collect(Collectors.joining(", ")), processes);
    }

    @Override
    public void inject() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (ManagedProcess process : processes) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    process.kill();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Override
    public void heal() throws IOException {
        for (ManagedProcess process : processes) {
            process.start();
        }
    }
}
