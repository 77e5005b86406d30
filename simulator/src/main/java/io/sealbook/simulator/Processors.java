package io.sealbook.simulator;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * A few processors that all machines of a run share. The threads that have work take turns, piece by piece, as those of
 * one machine with too few processors do.
 */
final class Processors {
    /** What the threads of a node do. */
    enum Work {
        ADMISSION,
        AGREEMENT,
        COMMIT,
        EXECUTION
    }

    private record Piece(long costNs, Runnable work) {}

    /** A thread with what it has to do. */
    private static final class Worker {
        private final ArrayDeque<Piece> queue = new ArrayDeque<>();
        /** It runs on a processor or waits for one. */
        private boolean isBusy;
    }

    private final Simulation simulation;
    private int free;
    private final Map<Integer, Worker> workers = new TreeMap<>();
    /** Threads that wait for a processor. */
    private final ArrayDeque<Worker> turns = new ArrayDeque<>();

    /**
     * @param simulation which has the time
     * @param count of processors
     */
    Processors(Simulation simulation, int count) {
        this.simulation = simulation;
        free = count;
    }

    /**
     * Has a thread do something after what it has to do already.
     *
     * @param node whose thread it is
     * @param work of the thread
     * @param costNs processor time; the work is done when it is over
     * @param piece is done once
     */
    void compute(int node, Work work, long costNs, Runnable piece) {
        Worker worker = workers.computeIfAbsent(node * Work.values().length + work.ordinal(), key -> new Worker());
        worker.queue.add(new Piece(costNs, piece));
        if (!worker.isBusy) {
            worker.isBusy = true;
            turns.add(worker);
            begin();
        }
    }

    private void begin() {
        while (free > 0 && !turns.isEmpty()) {
            free--;
            Worker worker = turns.remove();
            Piece piece = worker.queue.remove();
            simulation.after(piece.costNs, () -> end(worker, piece));
        }
    }

    private void end(Worker worker, Piece piece) {
        free++;
        piece.work.run();
        worker.isBusy = !worker.queue.isEmpty();
        if (worker.isBusy) {
            turns.add(worker);
        }
        begin();
    }
}
