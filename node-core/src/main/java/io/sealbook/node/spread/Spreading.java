package io.sealbook.node.spread;

import io.sealbook.node.payload.BatchFetches;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payload.RecentIds;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.session.Equivocation;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Set;

/** Decides what is sent to whom so that every member holds every batch. Any thread. */
public final class Spreading {
    private static final long ARRIVE_AGAIN_NS = 2_000_000_000L;
    private static final int SENT_ON_MAX = 1 << 16;
    /**
     * Of each peer: as many as a usual ring of batches under way holds. More would leave the processor's cache for no
     * use: what is admitted or in a block is known without it.
     */
    private static final int ARRIVED_MAX = 1 << 12;

    private final int self;
    private final PayloadRoute route;
    private final PayloadStore payloads;
    private final Peers peers;
    private final NodeEvents events;
    private final BatchFetches fetches;
    private final WaitingCopies copies;
    /** For each peer its own: a peer that sends a forged copy first must not keep the true one out. */
    private final RecentIds[] arrived;
    /** What this node sent on as primary. */
    private final RecentIds sentOn;

    /**
     * @param self this member, from 0
     * @param nodeCount number of members
     * @param route which way a batch takes
     * @param payloads what is here
     * @param peers the other members
     * @param events counts what was asked for
     * @param hashSeed any number; a random one, so that no sender can choose ids that collide
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
        this.fetches = new BatchFetches(nodeCount);
        this.copies = new WaitingCopies(hashSeed);
        this.arrived = new RecentIds[nodeCount];
        this.sentOn = new RecentIds(Long.MAX_VALUE, SENT_ON_MAX, hashSeed);
        for (int i = 0; i < nodeCount; i++) {
            arrived[i] = new RecentIds(ARRIVE_AGAIN_NS, ARRIVED_MAX, hashSeed);
        }
    }

    /**
     * Sends a batch that this node's gateway took on its way.
     *
     * @param payload in the store now
     * @param primary of the present view
     */
    public void spread(Payload payload, int primary) {
        if (route == PayloadRoute.DIRECT || primary == payload.origin()) {
            peers.broadcastPayload(payload.batchId(), payload.signedBatch());
        } else {
            peers.sendPayload(primary, payload.batchId(), payload.signedBatch());
        }
    }

    /** Sends both batches to all members: each that has one of them finds the same. */
    public void spread(Equivocation evidence) {
        peers.broadcastPayload(BatchId.of(evidence.first()), evidence.first());
        peers.broadcastPayload(BatchId.of(evidence.second()), evidence.second());
    }

    /**
     * Sends both batches to a member again.
     *
     * @param evidence that the member may not have received
     * @param to the member
     */
    public void show(Equivocation evidence, int to) {
        peers.sendPayload(to, BatchId.of(evidence.first()), evidence.first());
        peers.sendPayload(to, BatchId.of(evidence.second()), evidence.second());
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
        for (SessionEnd end : proposal.ends()) {
            Payload payload = payloads.get(end.id());
            while (payload != null && sentOn.note(payload.batchId(), 0)) {
                sendOn(payload);
                payload = payloads.get(payload.position().previous());
            }
        }
    }

    private void sendOn(Payload payload) {
        if (payload.origin() != self) {
            for (int peer = 0; peer < arrived.length; peer++) {
                if (peer != self && peer != payload.origin()) {
                    peers.sendPayload(peer, payload.batchId(), payload.signedBatch());
                }
            }
        }
    }

    /**
     * Asks for batches that agreement needs: each of one connected holder, and not again while its answer may be on its
     * way, nor while a copy waits for admission here.
     *
     * @param ranges what agreement lacks
     * @param holders members that have it, in the order in which to ask
     * @param nowNs monotonic clock
     */
    public void request(List<BatchRange> ranges, List<Integer> holders, long nowNs) {
        Set<Integer> connected = peers.connected();
        List<Integer> reachable = holders.stream().filter(connected::contains).toList();
        fetches.choose(copies.notWaiting(ranges, nowNs), reachable, nowNs).forEach((holder, chosen) -> {
            events.fetched(
                    chosen.stream().mapToInt(range -> (int) range.count()).sum());
            peers.requestBatches(holder, chosen);
        });
    }

    /** Notes that a member is connected anew: it may have what it did not deliver before. */
    public void onConnected(int peer) {
        fetches.onConnected(peer);
    }

    /**
     * Returns whether a batch that a peer sent is worth its way through admission. If it is, it counts as waiting until
     * {@link #onDecided} or {@link #onDropped}.
     *
     * @param source member that sent it
     * @param batchId SHA-256 of it, computed from its bytes
     * @param nowNs monotonic clock
     */
    public boolean isNews(int source, Digest batchId, long nowNs) {
        boolean isNews = !payloads.contains(batchId) && arrived[source].note(batchId, nowNs);
        if (isNews) {
            copies.onArrived(batchId);
        }
        return isNews;
    }

    /**
     * Notes that there was no room for a batch that was news: its next copy is news again, and its sender may be asked
     * for it again soon.
     *
     * @param source member that sent it
     * @param batchId its id
     */
    public void onDropped(int source, Digest batchId) {
        copies.onDropped(batchId);
        arrived[source].forget(batchId);
        fetches.onDropped(source, batchId);
    }

    /**
     * Notes that admission has decided about a batch that a peer sent. The next copy of a refused one is news: a
     * proposal may name it by then, and admission takes what a proposal names.
     *
     * @param source member that sent it
     * @param batchId its id; null if it is to be asked for again soon, which {@link #onDropped} has noted
     * @param isHere whether it is here now, or in a block
     * @param nowNs monotonic clock
     */
    public void onDecided(int source, Digest batchId, boolean isHere, long nowNs) {
        if (batchId == null) {
            return;
        }
        copies.onDecided(batchId, isHere, nowNs);
        if (!isHere) {
            arrived[source].forget(batchId);
        }
    }
}
