package io.sealbook.simulator;

import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.Message;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * What waits for agreement in one life of a node's process: inputs of the node itself, and votes whose signatures are
 * genuine. A cycle takes of both what the shipped agent takes, in its order. Of connections agreement learns as from
 * the shipped gate: of those to peers of its epoch.
 */
final class AgreementInbox {
    /** Of inputs, and again of votes. */
    static final int TAKEN_PER_CYCLE = 256;

    private final ArrayDeque<Input> inputs = new ArrayDeque<>();
    private final ArrayDeque<Message> votes = new ArrayDeque<>();
    /** Connected peers of this node's epoch. */
    private final BitSet agrees = new BitSet();

    void put(Input input) {
        inputs.add(input);
    }

    void put(Message vote) {
        votes.add(vote);
    }

    /**
     * A connection to a peer is established.
     *
     * @param peer its id
     * @param isOfThisEpoch whether the peer is in the epoch of this node; one that left it has lost its connection
     */
    void onConnected(int peer, boolean isOfThisEpoch) {
        if (isOfThisEpoch) {
            agrees.set(peer);
            put(new Input.Connected(peer));
        } else {
            onDisconnected(peer);
        }
    }

    /** A peer is not connected, or not any more. */
    void onDisconnected(int peer) {
        if (agrees.get(peer)) {
            agrees.clear(peer);
            put(new Input.Disconnected(peer));
        }
    }

    /**
     * Hands out what waits, for one cycle: inputs first, because heartbeat periods among them are over before what
     * peers say now.
     *
     * @param step takes each input
     * @param receive takes each vote
     */
    void drain(Consumer<Input> step, Consumer<Message> receive) {
        for (int i = 0; i < TAKEN_PER_CYCLE && !inputs.isEmpty(); i++) {
            step.accept(inputs.remove());
        }
        for (int i = 0; i < TAKEN_PER_CYCLE && !votes.isEmpty(); i++) {
            receive.accept(votes.remove());
        }
    }

    boolean isEmpty() {
        return inputs.isEmpty() && votes.isEmpty();
    }

    int inputCount() {
        return inputs.size();
    }

    int voteCount() {
        return votes.size();
    }
}
