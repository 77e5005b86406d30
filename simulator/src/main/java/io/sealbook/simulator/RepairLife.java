package io.sealbook.simulator;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;
import io.sealbook.node.StartRepairCore;
import io.sealbook.node.port.RepairAnswer;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.vocabulary.Durability;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The life of a node's process before the node takes part: it fetches the damaged blocks that its start needs. */
final class RepairLife {
    private static final long MS = 1_000_000L;

    private final Simulation simulation;
    private final SimulatedNode node;
    private final StartRepairCore core;

    RepairLife(Simulation simulation, SimulatedNode node) {
        this.simulation = simulation;
        this.node = node;
        Durability durability = simulation.scenario().isDisk() ? Durability.DISK : Durability.PROCESS;
        SplittableRandom marks = new SplittableRandom(simulation.nowNs() ^ node.id);
        core = new StartRepairCore(
                NodeLife.setup(simulation, node, durability, 1),
                new LifeFiles(simulation, node, durability).open(marks::nextLong),
                node.engine,
                new SimulatedEvents(simulation, node));
    }

    boolean areBlocksWhole() {
        return core.areBlocksWhole();
    }

    void begin() {
        simulation.trace(node, "repairs blocks " + core.damaged() + " before it takes part");
        core.epoch();
        core.begin(new Requests(), this::judge);
        tick();
    }

    private void judge(RepairAnswer answer) {
        later(MS, () -> core.onJudged(answer, simulation.nowNs()));
    }

    private void tick() {
        if (core.isDone()) {
            node.onRepaired(this);
            return;
        }
        core.onTick(simulation.nowNs());
        later(core.tickIntervalNs(), this::tick);
    }

    private void later(long delayNs, Runnable work) {
        simulation.after(delayNs, () -> node.during(this, work));
    }

    int epoch() {
        return core.epoch().number();
    }

    int nodeCount() {
        return core.epoch().nodeCount();
    }

    boolean knows(int member, VerificationKey key) {
        Membership members = core.epoch().membership();
        return members.hasNode(member) && members.identity(member).equals(key);
    }

    void onBlockRequest(int peer, long from, int count) {
        core.blocks(from, count)
                .ifPresent(answer ->
                        simulation.wire().sendBlocks(node, peer, answer.from(), answer.blocks(), answer.certificate()));
    }

    void onBlocks(int peer, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        core.onBlocks(peer, from, blocks, certificateOrNull, simulation.nowNs());
    }

    /** Requests over the network. */
    private final class Requests implements BlockRequests {
        @Override
        public void requestBlocks(int to, long from, int count) {
            simulation.wire().requestBlocks(node, to, PayloadCodec.encodeBlockRequest(from, count));
        }

        @Override
        public Set<Integer> connected() {
            return simulation.wire().connected(node);
        }
    }
}
