package io.sealbook.simulator;

import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.simulator.CrashPoint.Crash;
import io.sealbook.simulator.disk.NoRoomException;
import io.sealbook.simulator.disk.SimulatedDisk;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.util.List;
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
    /** Of the machine in the network: the two of a twin have one id and two places. */
    final int place;

    final Fault fault;
    final SplittableRandom random;
    final CrashPoint crashPoint = new CrashPoint();
    SimulatedDisk disk;
    Engine engine;
    final Adversary adversary;
    private final Simulation simulation;
    private final long clockSkewNs;
    /** Of its identity, among the toy keys. */
    private int key;

    private NodeLife life;
    /** While the process repairs the archive before the node takes part. */
    private RepairLife repair;
    /** The process stands still until then. */
    private long pausedUntilNs;

    private boolean isRetired;

    SimulatedNode(Simulation simulation, int id, int place, int key, Fault fault, SplittableRandom random) {
        this.simulation = simulation;
        this.id = id;
        this.place = place;
        this.fault = fault;
        this.random = random;
        clockSkewNs = random.nextLong(-simulation.clockErrorMaxNs(), simulation.clockErrorMaxNs());
        this.key = key;
        adversary = new Adversary(id, fault, simulation.scenario(), random.split());
        build();
    }

    /** Puts an empty machine there. */
    private void build() {
        disk = new SimulatedDisk(random.split(), crashPoint::pass);
        try {
            neverVoted().write();
        } catch (IOException e) {
            throw new SimulationFailure("the key of node " + id + " cannot be marked: " + e, e);
        }
        engine = new Engine(simulation.genesis().genesis(), crashPoint::pass);
    }

    /** Returns the mark of the machine's key, which came with the key and is gone after the first start. */
    NeverVotedMark neverVoted() {
        return NeverVotedMark.of(disk.directory("node.key"), ToySignatures.key(key));
    }

    /** Returns whether the node takes part in an epoch in which a member's first machine has no place. */
    boolean hasReplaced(int member) {
        return life != null && life.hasReplaced(member);
    }

    /** Returns the number of nodes in the node's epoch, 0 while it is down. */
    int nodeCount() {
        if (repair != null) {
            return repair.nodeCount();
        }
        return life == null ? 0 : life.nodeCount();
    }

    /** Ends the machine for good. */
    void retire() {
        simulation.trace(this, "is given up");
        life = null;
        repair = null;
        isRetired = true;
        simulation.wire().onChanged(this);
    }

    int key() {
        return key;
    }

    /** Ends the machine for good, and starts an empty one with another identity in its place. */
    void replace(int newKey) {
        simulation.trace(this, "is replaced");
        life = null;
        repair = null;
        key = newKey;
        crashPoint.restart();
        build();
        simulation.checker().onReplaced(id);
        start();
    }

    boolean isCorrect() {
        return fault == Fault.NONE;
    }

    boolean isUp() {
        return life != null || repair != null;
    }

    long wallNs() {
        return simulation.nowNs() + clockSkewNs + simulation.clockLeadNs() + Simulation.EPOCH_NS;
    }

    /** Starts the node's process, which may fail while it starts; one that was given up stays down. */
    void start() {
        if (isRetired) {
            return;
        }
        crashPoint.restart();
        pausedUntilNs = 0;
        attempt(() -> {
            if (mustRepair()) {
                return;
            }
            NodeLife started = new NodeLife(simulation, this);
            if (started.wasReplaced()) {
                simulation.trace(this, "finds that another machine has its place");
                disk.killProcess();
                return;
            }
            life = started;
            started.begin();
            simulation.wire().onChanged(this);
        });
    }

    /** Returns whether the start needs damaged blocks, whose repair has begun then. */
    private boolean mustRepair() {
        if (!simulation.scenario().hasRot()) {
            return false;
        }
        RepairLife started = new RepairLife(simulation, this);
        if (started.areBlocksWhole()) {
            disk.killProcess();
            return false;
        }
        repair = started;
        started.begin();
        simulation.wire().onChanged(this);
        return true;
    }

    /** The blocks that the start needs are whole: the node takes part. */
    void onRepaired(RepairLife ended) {
        if (repair == ended) {
            repair = null;
            disk.killProcess();
            simulation.onStartRepaired();
            start();
        }
    }

    /** Returns whether a member's evidence can be verified with this node's archive. */
    boolean isGenuine(MemberEvidence evidence) {
        return life != null && life.isGenuine(evidence);
    }

    void onBlockRequest(int peer, long from, int count) {
        if (repair != null) {
            during(repair, () -> repair.onBlockRequest(peer, from, count));
        } else {
            whileUp(present -> present.onBlockRequest(peer, from, count));
        }
    }

    void onBlocks(int peer, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        if (repair != null) {
            during(repair, () -> repair.onBlocks(peer, from, blocks, certificateOrNull));
        } else {
            whileUp(present -> present.onBlocks(peer, from, blocks, certificateOrNull));
        }
    }

    /** Has the repair for a start do something, if it has not ended. */
    void during(RepairLife of, Runnable work) {
        if (repair == of) {
            attempt(work);
        }
    }

    /** The shell closes the node and opens it again: its epoch has ended. */
    void reopen(NodeLife ended) {
        if (life != ended) {
            return;
        }
        simulation.trace(this, "opens again in another epoch");
        if (isCorrect()) {
            simulation.checker().onCrash(id, life::holds);
        }
        life = null;
        disk.killProcess();
        simulation.wire().onChanged(this);
        start();
    }

    /** Returns whether the node's blocks say that the other has its identity key. */
    boolean knows(SimulatedNode other) {
        VerificationKey otherKey = ToySignatures.key(other.key);
        if (repair != null) {
            return repair.knows(other.id, otherKey);
        }
        return life != null && life.knows(other.id, otherKey);
    }

    /** Returns the epoch in which the node votes, -1 while it is down. */
    int epoch() {
        if (repair != null) {
            return repair.epoch();
        }
        return life == null ? -1 : life.epoch().number();
    }

    /** Has the node's process do something, if it runs. */
    void whileUp(Consumer<NodeLife> work) {
        NodeLife present = life;
        if (present != null) {
            during(present, () -> work.accept(present));
        }
    }

    /** The operator has the engine execute all blocks again; it comes to right results. */
    void rebuildEngine() {
        if (engine.hasErred()) {
            simulation.trace(this, "has its engine rebuilt");
            engine.rebuild();
            whileUp(NodeLife::onEngineRebuilt);
        }
    }

    /** The operator stops the node: it hands its view over, and ends a while after that. */
    void stopOrderly(long handOverNs) {
        whileUp(stopped -> {
            simulation.trace(this, "hands over");
            stopped.handOver();
            simulation.after(handOverNs, () -> {
                if (life == stopped) {
                    crash();
                }
            });
        });
    }

    /** Stops the process and lets it go on after a while; nothing that arrives meanwhile is lost. */
    void pause(long durationNs) {
        if (life != null) {
            simulation.trace(this, "stands still for " + durationNs / MS + " ms");
            pausedUntilNs = Math.max(pausedUntilNs, simulation.nowNs() + durationNs);
        }
    }

    private boolean isPaused() {
        return simulation.nowNs() < pausedUntilNs;
    }

    /** Returns whether the process runs and sends heartbeats. */
    boolean beats() {
        return life != null && !isPaused() && !adversary.isMute(simulation.nowNs());
    }

    /** Has this life do something, if it has not ended; after its pause if it stands still. */
    void during(NodeLife of, Runnable work) {
        if (life != of) {
            return;
        }
        if (isPaused()) {
            simulation.after(pausedUntilNs - simulation.nowNs(), () -> during(of, work));
        } else {
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
                end(e);
            }
        }
        if (crashPoint.hasCrashed()) {
            crash();
        }
    }

    private void end(RuntimeException reason) {
        if (NoRoomException.isCauseOf(reason)) {
            simulation.machines().fullDisks().onEnded(reason);
            down("ends: " + reason.getMessage(), false);
        } else {
            stop(reason);
        }
    }

    private void stop(RuntimeException reason) {
        life = null;
        repair = null;
        if (isCorrect()) {
            throw new SimulationFailure("correct node " + id + " stopped itself: " + reason, reason);
        }
        simulation.trace(this, "stops: " + reason);
    }

    private void crash() {
        boolean isPowerLost = simulation.scenario().isDisk() && random.nextBoolean();
        down(isPowerLost ? "loses its power" : "is killed", isPowerLost);
    }

    private void down(String how, boolean isPowerLost) {
        if (isCorrect() && life != null) {
            simulation.checker().onCrash(id, life::holds);
        }
        life = null;
        repair = null;
        simulation.trace(this, how);
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

    /** Returns whether the node still holds a batch that one of its blocks has. */
    boolean holdsNeedlessly(Digest batchId) {
        return life != null && life.holdsNeedlessly(batchId);
    }

    /** Returns how many entries the tables of agreement hold, 0 while the node is down. */
    int entryCount() {
        return life == null ? 0 : life.entryCount();
    }

    /** Returns whether the node holds a certificate of this block. */
    boolean hasCertified(long height) {
        return life != null && life.lastCertified() == height;
    }

    /** Returns whether the node takes part in the view that it is in. */
    boolean votes() {
        return life != null && life.votes();
    }

    /** Returns whether the node waits for a batch: one that its broker signed twice must not keep it waiting. */
    boolean isWaiting() {
        return life != null && life.pendingCount() > 0;
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
