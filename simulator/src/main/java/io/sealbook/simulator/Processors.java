package io.sealbook.simulator;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * A few processors that all machines of a run share. The threads that have work take turns, piece by piece, as those of
 * one machine with too few processors do. A thread has one queue or several, and serves these in turn, too.
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

    /** A thread with its queues; those that are empty are not here. */
    private static final class Worker {
        private final Map<Integer, ArrayDeque<Piece>> queues = new TreeMap<>();
        private final ArrayDeque<Integer> turns = new ArrayDeque<>();
        /** It runs on a processor or waits for one. */
        private boolean isBusy;

        private void add(int queue, Piece piece) {
            if (!queues.containsKey(queue)) {
                queues.put(queue, new ArrayDeque<>());
                turns.add(queue);
            }
            queues.get(queue).add(piece);
        }

        private Piece next() {
            int queue = turns.remove();
            Piece piece = queues.get(queue).remove();
            if (queues.get(queue).isEmpty()) {
                queues.remove(queue);
            } else {
                turns.add(queue);
            }
            return piece;
        }
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
     * Has a thread do something after what is in the same queue.
     *
     * @param node whose thread it is
     * @param work of the thread
     * @param queue of the thread; any number
     * @param costNs processor time; the work is done when it is over
     * @param piece is done once
     */
    void compute(int node, Work work, int queue, long costNs, Runnable piece) {
        Worker worker = workers.computeIfAbsent(node * Work.values().length + work.ordinal(), key -> new Worker());
        worker.add(queue, new Piece(costNs, piece));
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
            Piece piece = worker.next();
            simulation.after(piece.costNs, () -> end(worker, piece));
        }
    }

    private void end(Worker worker, Piece piece) {
        free++;
        piece.work.run();
        worker.isBusy = !worker.turns.isEmpty();
        if (worker.isBusy) {
            turns.add(worker);
        }
        begin();
    }
}
