package io.sealbook.node.admission;

import io.sealbook.node.port.Peers;
import io.sealbook.node.spread.Spreading;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Batches of peers under brokers or keys that this node does not know yet: it may be a few blocks behind the peer. Only
 * their places are kept. After a change of the membership the peers are asked for them again; what nobody asks for is
 * fetched when a proposal names it.
 *
 * <p>Bounded for each peer; what is forgotten costs time and nothing else. Written by admission and the committer.
 */
public final class EarlyBatches {
    static final int OF_PEER_MAX = 256;

    private final BrokerRegistry registry;
    private final Spreading spreading;
    private final Peers peers;
    private final Map<Integer, Set<BatchRange>> noted = new TreeMap<>();

    /**
     * @param registry what is known at present
     * @param spreading is told that the copies which were refused do not count
     * @param peers are asked
     */
    public EarlyBatches(BrokerRegistry registry, Spreading spreading, Peers peers) {
        this.registry = registry;
        this.spreading = spreading;
        this.peers = peers;
    }

    /** Notes a batch of a peer that was refused because its key is not known. */
    public synchronized void note(IngressSlot slot) {
        SessionEnd end = new SessionEnd(slot.sessionKey, slot.position.number(), slot.batchId);
        Set<BatchRange> ofPeer = noted.computeIfAbsent(slot.source.peer(), peer -> new LinkedHashSet<>());
        if (ofPeer.size() < OF_PEER_MAX) {
            ofPeer.add(new BatchRange(end, end.number() - 1, slot.position.previous()));
        }
        spreading.onDropped(slot.source.peer(), slot.batchId);
        if (slot.terms != registry.present()) {
            // The block came while a lane judged by the terms before it.
            askAgain();
        }
    }

    /** Asks for what was noted: the membership has changed. */
    public synchronized void askAgain() {
        noted.forEach((peer, ranges) -> {
            List<BatchRange> all = new ArrayList<>(ranges);
            peers.requestBatches(peer, all);
        });
        noted.clear();
    }
}
