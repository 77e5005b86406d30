package io.sealbook.simulator;

import io.sealbook.node.port.Peers;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Set;

/** The other members, as a node speaks to them: through its adversary onto the network, in bytes. */
record SimulatedPeers(Simulation simulation, SimulatedNode node) implements Peers {
    @Override
    public void send(int to, Message message) {
        node.crashPoint.pass();
        Message said = node.adversary.rewrite(message, to, simulation.nowNs());
        if (said == null) {
            return;
        }
        if (node.isCorrect()) {
            simulation.checker().onSaid(node.id, node.epoch(), said);
            simulation.observer().onSaid(node.id, node.epoch(), said);
        }
        simulation.trace(node, said);
        long delayNs = node.adversary.delayNs(said, simulation.nowNs(), simulation.pacedIntervalNs());
        if (delayNs > 0) {
            simulation.after(delayNs, () -> simulation.wire().sendVote(node, to, said));
        } else {
            simulation.wire().sendVote(node, to, said);
        }
    }

    @Override
    public void broadcast(Message message) {
        for (int to = 0; to < node.nodeCount(); to++) {
            if (to != node.id) {
                send(to, message);
            }
        }
    }

    @Override
    public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
        node.crashPoint.pass();
        simulation.wire().sendPayload(node, to, signedBatch);
    }

    @Override
    public void broadcastPayload(Digest batchId, byte[] signedBatch) {
        for (int to = 0; to < node.nodeCount(); to++) {
            if (to != node.id) {
                sendPayload(to, batchId, signedBatch);
            }
        }
    }

    @Override
    public void requestBatches(int to, List<BatchRange> ranges) {
        simulation.wire().requestBatches(node, to, PayloadCodec.encodeBatchRequest(ranges));
    }

    @Override
    public void requestBlocks(int to, long from, int count) {
        simulation.wire().requestBlocks(node, to, PayloadCodec.encodeBlockRequest(from, count));
    }

    @Override
    public Set<Integer> connected() {
        return simulation.wire().connected(node);
    }

    @Override
    public void discardThrough(long stableSequence) {
        // Votes wait for one cycle only.
    }
}
