package io.sealbook.node.admission;

import io.sealbook.node.port.Peers;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.Spreading;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Batches of peers that wait for a block of transactions: under brokers or keys that this node does not know yet, or a
 * member's next transaction. The peer may be a few blocks ahead. Only their places are kept, and after such a block the
 * peers are asked for them again; what is forgotten is fetched when a proposal names it.
 *
 * <p>Bounded for each peer; what is forgotten costs time and nothing else. Written by admission and the committer.
 */
public final class EarlyBatches {
    static final int OF_PEER_MAX = 256;

    private final BrokerRegistry registry;
    private final Sessions sessions;
    private final Spreading spreading;
    private final Peers peers;
    private final Map<Integer, Set<BatchRange>> noted = new TreeMap<>();

    /**
     * @param registry what is known at present
     * @param sessions how far each has come
     * @param spreading is told that the copies which were refused do not count
     * @param peers are asked
     */
    public EarlyBatches(BrokerRegistry registry, Sessions sessions, Spreading spreading, Peers peers) {
        this.registry = registry;
        this.sessions = sessions;
        this.spreading = spreading;
        this.peers = peers;
    }

    /** Notes a batch of a peer that was refused because it is early. */
    public synchronized void note(IngressSlot slot) {
        SessionEnd end = new SessionEnd(slot.sessionKey, slot.position.number(), slot.batchId);
        Set<BatchRange> ofPeer = noted.computeIfAbsent(slot.source.peer(), peer -> new LinkedHashSet<>());
        if (ofPeer.size() < OF_PEER_MAX) {
            ofPeer.add(new BatchRange(end, end.number() - 1, slot.position.previous()));
        }
        spreading.onDropped(slot.source.peer(), slot.batchId);
        if (slot.terms != registry.present() || isDue(end)) {
            // The block came while the batch was judged.
            askAgain();
        }
    }

    private boolean isDue(SessionEnd end) {
        return SessionKey.isAdministration(end.sessionKey())
                && sessions.head(end.sessionKey()).delivered() >= end.number() - 1;
    }

    /** Asks for what was noted: transactions were executed. */
    public synchronized void askAgain() {
        noted.forEach((peer, ranges) -> {
            List<BatchRange> all = new ArrayList<>(ranges);
            peers.requestBatches(peer, all);
        });
        noted.clear();
    }
}
