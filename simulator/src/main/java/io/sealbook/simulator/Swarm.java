package io.sealbook.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/** Runs seeds on several threads; each run has one thread. */
final class Swarm {
    private final LongFunction<Scenario> scenarios;
    private final BiConsumer<Long, Throwable> failed;
    private final AtomicLong next;
    private final RunTotals totals = new RunTotals();

    /**
     * Makes a swarm that has not run.
     *
     * @param scenarios by seed
     * @param from the first seed
     * @param failed receives each seed that failed, and with what, errors of the virtual machine among them; from
     *     several threads
     */
    Swarm(LongFunction<Scenario> scenarios, long from, BiConsumer<Long, Throwable> failed) {
        this.scenarios = scenarios;
        this.failed = failed;
        next = new AtomicLong(from);
    }

    /**
     * Runs one seed after the other on each thread.
     *
     * @param threads 1 or more
     * @param isOver asked before each seed, on any of the threads
     * @return the sums of all runs that did not fail
     */
    RunTotals run(int threads, BooleanSupplier isOver) throws InterruptedException {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            started.add(Thread.ofPlatform().name("swarm-" + i).start(() -> {
                while (!isOver.getAsBoolean()) {
                    run(next.getAndIncrement());
                }
            }));
        }
        for (Thread thread : started) {
            thread.join();
        }
        return totals;
    }

    private void run(long seed) {
        try {
            Simulation.Result result = new Simulation(scenarios.apply(seed), null).run();
            synchronized (totals) {
                totals.add(result);
            }
        } catch (Throwable e) {
            // A thread that dies would end the search for its seeds in silence.
            failed.accept(seed, e);
        }
    }
}
