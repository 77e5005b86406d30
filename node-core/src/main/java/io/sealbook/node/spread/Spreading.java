package io.sealbook.node.spread;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payload.RecentIds;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.ProposedBatch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what is sent to whom so that every member holds every batch. Any thread. */
public final class Spreading {
    /** An answer that waits in the ring of a busy node is not yet in the store: asking again would only add to the ring. */
    private static final long ASK_AGAIN_NS = 1_000_000_000L;

    private static final long ARRIVE_AGAIN_NS = 2_000_000_000L;
    private static final int RECENT_IDS_MAX = 1 << 16;

    private final int self;
    private final PayloadRoute route;
    private final PayloadStore payloads;
    private final Peers peers;
    private final NodeEvents events;
    private final RecentIds asked;
    /** For each peer its own: a peer that sends a forged copy first must not keep the true one out. */
    private final RecentIds[] arrived;

    /**
     * @param self this member, from 0
     * @param nodeCount number of members
     * @param route which way a batch takes
     * @param payloads what is here
     * @param peers the other members
     * @param events counts what was asked for
     * @param hashSeed any number; a random one, so that nobody can look for ids that collide
     */
    public Spreading(
            int self,
            int nodeCount,
            PayloadRoute route,
            PayloadStore payloads,
            Peers peers,
            NodeEvents events,
            long hashSeed) {
        this.self = self;
        this.route = route;
        this.payloads = payloads;
        this.peers = peers;
        this.events = events;
        this.asked = new RecentIds(ASK_AGAIN_NS, RECENT_IDS_MAX, hashSeed);
        this.arrived = new RecentIds[nodeCount];
        for (int i = 0; i < nodeCount; i++) {
            arrived[i] = new RecentIds(ARRIVE_AGAIN_NS, RECENT_IDS_MAX, hashSeed);
        }
    }

    /**
     * Sends a batch that was admitted on its way, and returns what agreement is told about it.
     *
     * @param payload in the store now
     * @param isFromBroker whether this node's gateway took it, so that this node spreads it
     * @param primary of the present view
     */
    public Input onAdmitted(Payload payload, boolean isFromBroker, int primary) {
        if (isFromBroker && (route == PayloadRoute.DIRECT || primary == payload.origin())) {
            peers.broadcastPayload(payload.batchId().bytes(), payload.signedBatch());
        } else if (isFromBroker) {
            peers.sendPayload(primary, payload.batchId().bytes(), payload.signedBatch());
        }
        return new Input.BatchAvailable(
                payload.batchId(), payload.brokerId(), payload.arrivalTimeNs(), payload.validUntilBlock());
    }

    /** Sends a message of agreement to all; with {@link PayloadRoute#PRIMARY} after the batches that it names. */
    public void broadcast(Message message) {
        if (route == PayloadRoute.PRIMARY && message instanceof PrePrepare prePrepare) {
            sendOn(prePrepare.proposal());
        }
        peers.broadcast(message);
    }

    /** Sends what others brought to the primary to those who have not got it. */
    private void sendOn(Proposal proposal) {
        for (ProposedBatch batch : proposal.batches()) {
            Payload payload = payloads.get(batch.batchId());
            if (payload == null || payload.origin() == self) {
                continue;
            }
            for (int peer = 0; peer < arrived.length; peer++) {
                if (peer != self && peer != payload.origin()) {
                    peers.sendPayload(peer, batch.batchId().bytes(), payload.signedBatch());
                }
            }
        }
    }

    /**
     * Asks for batches that agreement needs, but not again for those whose answer may be on its way.
     *
     * @param batchIds what agreement lacks
     * @param holders members that have it, the first connected one is asked
     * @param nowNs monotonic clock
     */
    public void request(List<Digest> batchIds, List<Integer> holders, long nowNs) {
        Set<Integer> connected = peers.connected();
        Optional<Integer> holder = holders.stream().filter(connected::contains).findFirst();
        if (holder.isEmpty()) {
            return;
        }
        List<byte[]> wanted = batchIds.stream()
                .filter(id -> !payloads.contains(id) && asked.note(id, nowNs))
                .map(Digest::bytes)
                .toList();
        if (!wanted.isEmpty()) {
            events.fetched(wanted.size());
            peers.requestBatches(holder.get(), wanted);
        }
    }

    /**
     * Tells whether a batch that a peer sent is worth its way through admission.
     *
     * @param source member that sent it
     * @param batchId SHA-256 of it, computed from its bytes
     * @param nowNs monotonic clock
     */
    public boolean isNews(int source, Digest batchId, long nowNs) {
        return !payloads.contains(batchId) && arrived[source].note(batchId, nowNs);
    }

    /**
     * Notes that there was no room for a batch that was news: its next copy is news again.
     *
     * @param source member that sent it
     * @param batchId its id
     */
    public void onDropped(int source, Digest batchId) {
        arrived[source].forget(batchId);
    }
}
