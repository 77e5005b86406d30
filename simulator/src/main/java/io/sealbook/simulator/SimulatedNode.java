package io.sealbook.simulator;

import io.sealbook.simulator.CrashPoint.Crash;
import io.sealbook.simulator.disk.SimulatedDisk;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A machine with a node on it: a disk and an engine's queue, which survive, and the lives of the node's process. What
 * the node decides is {@link io.sealbook.node.NodeCore}; here are its faults: crashes at any call to the outside, and
 * what an adversary makes of its words.
 */
final class SimulatedNode {
    private static final long MS = 1_000_000L;
    /** A machine that is going to fail does so within this number of calls to disk, engine and network. */
    private static final int CALLS_TO_CRASH_MAX = 24;

    final int id;
    final Fault fault;
    final SplittableRandom random;
    final CrashPoint crashPoint = new CrashPoint();
    final SimulatedDisk disk;
    final Engine engine;
    final Adversary adversary;
    private final Simulation simulation;
    private final long clockSkewNs;
    private NodeLife life;

    SimulatedNode(Simulation simulation, int id, Fault fault, SplittableRandom random) {
        this.simulation = simulation;
        this.id = id;
        this.fault = fault;
        this.random = random;
        clockSkewNs = random.nextLong(-500 * MS, 500 * MS);
        disk = new SimulatedDisk(random.split(), crashPoint::pass);
        engine = new Engine(simulation.genesis().genesis(), crashPoint::pass);
        adversary = new Adversary(fault, id, simulation.scenario(), random.split());
    }

    boolean isCorrect() {
        return fault == Fault.NONE;
    }

    boolean isUp() {
        return life != null;
    }

    long wallNs() {
        return simulation.nowNs() + clockSkewNs + Simulation.EPOCH_NS;
    }

    /** Starts the node's process, which may fail while it starts. */
    void start() {
        crashPoint.restart();
        attempt(() -> {
            NodeLife started = new NodeLife(simulation, this);
            life = started;
            started.begin();
            simulation.wire().onChanged(this);
        });
    }

    /** Has the node's process do something, if it runs. */
    void whileUp(Consumer<NodeLife> work) {
        NodeLife present = life;
        if (present != null) {
            attempt(() -> work.accept(present));
        }
    }

    /** Has this life do something, if it has not ended. */
    void during(NodeLife of, Runnable work) {
        if (life == of) {
            attempt(work);
        }
    }

    private void attempt(Runnable work) {
        if (isCorrect() && !crashPoint.isArmed() && simulation.isCrashDue(random)) {
            crashPoint.arm(random.nextInt(CALLS_TO_CRASH_MAX));
        }
        try {
            work.run();
        } catch (SimulationFailure e) {
            throw e;
        } catch (Crash e) {
            // Seen below, as where a part of the shell turned it into an exception of its own.
        } catch (RuntimeException e) {
            if (!crashPoint.hasCrashed()) {
                stop(e);
            }
        }
        if (crashPoint.hasCrashed()) {
            crash();
        }
    }

    private void stop(RuntimeException reason) {
        life = null;
        if (isCorrect()) {
            throw new SimulationFailure("correct node " + id + " stopped itself: " + reason, reason);
        }
        simulation.trace(this, "stops: " + reason);
    }

    private void crash() {
        if (isCorrect() && life != null) {
            simulation.checker().onCrash(id, life::holds);
        }
        life = null;
        boolean isPowerLost = simulation.scenario().isDisk() && random.nextBoolean();
        simulation.trace(this, isPowerLost ? "loses its power" : "is killed");
        if (isPowerLost) {
            disk.failPower();
        } else {
            disk.killProcess();
        }
        crashPoint.restart();
        simulation.wire().onChanged(this);
        simulation.onCrash(this);
    }

    /** Returns whether the node holds this number of blocks and its engine has executed them. */
    boolean hasExecuted(long height) {
        return life != null && life.lastBlock() == height && engine.executed() == height;
    }

    /** Returns whether the node takes part in the view that it is in. */
    boolean votes() {
        return life != null && life.votes();
    }

    /** Returns the view that the node is in or is changing to, -1 while it is down. */
    long view() {
        return life == null ? -1 : life.view();
    }

    /** Returns the primary that the node knows. */
    int primary() {
        return life == null ? id : life.primary();
    }

    @Override
    public String toString() {
        return "node " + id + (fault == Fault.NONE ? "" : " " + fault) + ": "
                + (life == null ? "down" : life.toString()) + ", executed " + engine.executed();
    }
}
