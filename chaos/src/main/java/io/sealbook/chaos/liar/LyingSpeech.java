package io.sealbook.chaos.liar;

import io.sealbook.consensus.peers.Speech;
import io.sealbook.crypto.Signer;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Says something else than its node decided while a lie is set, and passes all on otherwise. It has the key of its own
 * node only. Any thread; lies are told one at a time.
 */
final class LyingSpeech implements Speech {
    private static final int REMEMBERED = 512;
    /** Messages that come with each broadcast of a flood. */
    private static final int FLOOD = 40;

    private static final long SLOW_MS = 400;

    private final Speech honest;
    private final PresentLie lie;
    private final List<Integer> others;
    private final Forgery forgery;
    private final Deque<Message> remembered = new ArrayDeque<>();
    private final ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("late").daemon().factory());

    /**
     * @param honest speaks through the transport
     * @param nodeId of this member
     * @param genesis names chain and members; they stay the same
     * @param signer of this member
     * @param lie of the moment
     */
    LyingSpeech(Speech honest, int nodeId, Genesis genesis, Signer signer, PresentLie lie) {
        this.honest = honest;
        this.lie = lie;
        others = IntStream.range(0, genesis.getNodesCount())
                .filter(node -> node != nodeId)
                .boxed()
                .toList();
        forgery = new Forgery(nodeId, genesis, signer);
    }

    @Override
    public void send(int to, Message message) {
        if (lie.is(Lie.MUTE) && isMutedTo(to)) {
            lie.onTold();
        } else if (lie.is(Lie.EQUIVOCATE) && to % 2 == 1) {
            honest.send(to, other(message));
        } else if (lie.is(Lie.SLOW) && message instanceof PrePrepare) {
            lie.onTold();
            late.schedule(() -> honest.send(to, message), SLOW_MS, TimeUnit.MILLISECONDS);
        } else {
            honest.send(to, lie.is(Lie.FORGE) ? forged(message) : message);
        }
    }

    @Override
    public void broadcast(Message message) {
        if (lie.is(Lie.EQUIVOCATE) || lie.is(Lie.MUTE) || lie.is(Lie.FORGE) || lie.is(Lie.SLOW)) {
            others.forEach(to -> send(to, message));
            return;
        }
        honest.broadcast(message);
        if (lie.is(Lie.JUNK)) {
            for (int i = 0; i < FLOOD; i++) {
                honest.broadcast(forgery.junk(message));
            }
            lie.onTold();
        } else if (lie.is(Lie.REPLAY)) {
            replay(message);
        }
    }

    private synchronized void replay(Message message) {
        remembered.addLast(message);
        if (remembered.size() > REMEMBERED) {
            remembered.removeFirst();
        }
        for (int i = 0; i < FLOOD; i++) {
            Message old = remembered.removeFirst();
            remembered.addLast(old);
            honest.broadcast(old);
        }
        lie.onTold();
    }

    private Message other(Message message) {
        Message other = forgery.otherVersion(message);
        if (other != message) {
            lie.onTold();
        }
        return other;
    }

    private Message forged(Message message) {
        Message forged = forgery.forged(message);
        if (forged != message) {
            lie.onTold();
        }
        return forged;
    }

    private boolean isMutedTo(int to) {
        return to != others.getFirst();
    }

    @Override
    public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
        if (lie.is(Lie.WITHHOLD) && to != others.getFirst() || lie.is(Lie.MUTE) && isMutedTo(to)) {
            lie.onTold();
        } else {
            honest.sendPayload(to, batchId, lie.is(Lie.FORGE) ? forgery.batch(signedBatch) : signedBatch);
        }
    }

    @Override
    public void broadcastPayload(Digest batchId, byte[] signedBatch) {
        if (lie.is(Lie.WITHHOLD) || lie.is(Lie.MUTE) || lie.is(Lie.FORGE)) {
            others.forEach(to -> sendPayload(to, batchId, signedBatch));
        } else {
            honest.broadcastPayload(batchId, signedBatch);
        }
    }

    @Override
    public void sendBlocks(int to, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        if (lie.is(Lie.WITHHOLD) || lie.is(Lie.MUTE) && isMutedTo(to)) {
            lie.onTold();
        } else if (lie.is(Lie.FORGE)) {
            lie.onTold();
            Forgery.Chain chain = forgery.chain(blocks);
            honest.sendBlocks(to, from, chain.blocks(), chain.certificate());
        } else {
            honest.sendBlocks(to, from, blocks, certificateOrNull);
        }
    }

    @Override
    public void requestBatches(int to, List<BatchRange> ranges) {
        honest.requestBatches(to, ranges);
    }

    @Override
    public void requestBlocks(int to, long from, int count) {
        honest.requestBlocks(to, from, count);
    }

    @Override
    public Set<Integer> connected() {
        return honest.connected();
    }

    @Override
    public void discardThrough(long stableSequence) {
        honest.discardThrough(stableSequence);
    }
}
