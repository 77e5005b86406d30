package io.sealbook.simulator;

import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Status;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.peer.message.PeerMessageCodec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Carries bytes from machine to machine: over the network, which loses and doubles them, to each life of the addressee
 * that runs when they arrive. Decodes them there, as a connection does.
 */
final class Wire {
    private static final int BLOCKS_FRAME_LENGTH_MAX = 32 << 20;

    private interface Arrival {
        void at(NodeLife life) throws MalformedMessageException;
    }

    private interface BlockArrival {
        void at(SimulatedNode node) throws MalformedMessageException;
    }

    private final Simulation simulation;
    private final Network network;
    private final List<SimulatedNode> nodes;
    private final SpokenCommits commits = new SpokenCommits();

    /** @param nodes all machines, twins included; the list fills after this call */
    Wire(Simulation simulation, Network network, List<SimulatedNode> nodes) {
        this.simulation = simulation;
        this.network = network;
        this.nodes = nodes;
    }

    Set<Integer> connected(SimulatedNode node) {
        Set<Integer> connected = new TreeSet<>();
        for (int peer = 0; peer < node.nodeCount(); peer++) {
            if (peer != node.id && isConnected(peer, node)) {
                connected.add(peer);
            }
        }
        return connected;
    }

    private boolean isConnected(int peer, SimulatedNode node) {
        return nodes.stream().anyMatch(other -> other.id == peer && isConnected(other, node));
    }

    private boolean isConnected(SimulatedNode one, SimulatedNode other) {
        return network.isConnected(one.place, other.place);
    }

    /**
     * Returns whether heartbeats of a member reach a node: it is connected, and a process of it does not stand still.
     */
    boolean beats(int peer, SimulatedNode node) {
        return nodes.stream().anyMatch(other -> other.id == peer && isConnected(other, node) && other.beats());
    }

    /** Returns after how long the next heartbeat arrives at the earliest. */
    long heartbeatGapNs(SplittableRandom ofHeartbeats) {
        return network.heartbeatGapNs(ofHeartbeats);
    }

    private void transmit(SimulatedNode from, int to, Arrival arrival) {
        transmitToNode(from, to, node -> node.whileUp(life -> arrive(from, arrival, life)));
    }

    /** Blocks, and requests for them, come to a node that repairs its archive for its start, too. */
    private void transmitBlocks(SimulatedNode from, int to, BlockArrival arrival) {
        transmitToNode(from, to, node -> {
            try {
                arrival.at(node);
            } catch (MalformedMessageException e) {
                throw new SimulationFailure("a codec does not read what it wrote: " + e.getMessage(), e);
            }
        });
    }

    private void transmitToNode(SimulatedNode from, int to, Consumer<SimulatedNode> arrival) {
        if (from.adversary.isMute(simulation.nowNs())) {
            return;
        }
        for (SimulatedNode node : nodes) {
            if (node.id != to) {
                continue;
            }
            for (int copies = from.knows(node) ? network.copies(from.place, node.place) : 0; copies > 0; copies--) {
                simulation.after(network.delayNs(from.place, node.place), () -> {
                    // A handshake proves both identities.
                    if (node.knows(from)) {
                        arrival.accept(node);
                    }
                });
            }
        }
    }

    /** What cannot be read is dropped, as the connection that it came on would be. */
    private static void arrive(SimulatedNode from, Arrival arrival, NodeLife life) {
        try {
            arrival.at(life);
        } catch (MalformedMessageException e) {
            if (from.isCorrect()) {
                throw new SimulationFailure("correct node " + from.id + " is refused: " + e.getMessage(), e);
            }
        }
    }

    /** Of a node in another epoch only proofs of checkpoints are taken. */
    void sendVote(SimulatedNode from, int to, Message vote) {
        if (!simulation.passes(from.id, to, vote)) {
            return;
        }
        byte[] bytes = PeerMessageCodec.encode(vote);
        int epoch = from.epoch();
        if (from.isCorrect()) {
            commits.onSaid(epoch, vote);
        }
        transmit(from, to, life -> {
            Message message = PeerMessageCodec.decode(bytes);
            if (epoch != life.epoch().number() && !(message instanceof CheckpointProof)) {
                if (message instanceof Status) {
                    life.onLaggard(from.id, epoch);
                }
                return;
            }
            if (life.voteChecks().isGenuine(message, from.id, epoch)) {
                if (isCorrect(message.sender())) {
                    commits.onHeard(epoch, message);
                }
                life.onVote(message);
            }
        });
    }

    private boolean isCorrect(int member) {
        return nodes.stream().filter(node -> node.id == member).allMatch(SimulatedNode::isCorrect);
    }

    void sendPayload(SimulatedNode from, int to, byte[] signedBatch) {
        if (!simulation.spreads(from.id, to)) {
            return;
        }
        byte[] sent = from.adversary.rewrite(signedBatch);
        transmitBatches(from, to, life -> life.onPayload(from.id, sent));
    }

    void requestBatches(SimulatedNode from, int to, byte[] request) {
        transmitBatches(from, to, life -> life.onBatchRequest(from.id, PayloadCodec.decodeBatchRequest(request)));
    }

    /** Of a node that is ahead by an epoch no batches are taken, nor requests for any. */
    private void transmitBatches(SimulatedNode from, int to, Arrival arrival) {
        int epoch = from.epoch();
        transmit(from, to, life -> {
            if (epoch <= life.epoch().number()) {
                arrival.at(life);
            }
        });
    }

    void requestBlocks(SimulatedNode from, int to, byte[] request) {
        transmitBlocks(from, to, node -> {
            PayloadCodec.BlockRequest wanted = PayloadCodec.decodeBlockRequest(request);
            node.onBlockRequest(from.id, wanted.from(), wanted.count());
        });
    }

    void sendBlocks(SimulatedNode from, int to, long first, List<byte[]> blocks, byte[] certificateOrNull) {
        ForgedBlocks.Blocks said = from.adversary.rewrite(blocks, certificateOrNull);
        int count = PayloadCodec.fitting(said.blocks(), said.certificate(), BLOCKS_FRAME_LENGTH_MAX);
        byte[] bytes = PayloadCodec.encodeBlocks(first, said.blocks().subList(0, count), said.certificate());
        transmitBlocks(from, to, node -> {
            PayloadCodec.Blocks sent = PayloadCodec.decodeBlocks(bytes);
            node.onBlocks(from.id, sent.from(), sent.blocks(), sent.certificateOrNull());
        });
    }

    /** A node has started or is gone: the others notice it, and it notices them. */
    void onChanged(SimulatedNode changed) {
        simulation.after(network.delayNs(), () -> {
            nodes.forEach(node -> report(node, changed.id));
            reportPeers(changed);
        });
    }

    /** The network is divided otherwise than before: each node notices whom it has lost or found again. */
    void onDivided() {
        nodes.forEach(node -> simulation.after(network.delayNs(), () -> reportPeers(node)));
    }

    private void reportPeers(SimulatedNode node) {
        for (int peer = 0; peer < node.nodeCount(); peer++) {
            report(node, peer);
        }
    }

    private void report(SimulatedNode node, int peer) {
        Optional<SimulatedNode> other = nodes.stream()
                .filter(one -> one.id == peer && one.knows(node) && node.knows(one) && isConnected(one, node))
                .findFirst();
        if (node.id != peer && other.isPresent()) {
            int epoch = other.get().epoch();
            node.whileUp(life -> life.onConnected(peer, epoch));
        } else if (node.id != peer && peer < node.nodeCount()) {
            node.whileUp(life -> life.onDisconnected(peer));
        }
    }
}
