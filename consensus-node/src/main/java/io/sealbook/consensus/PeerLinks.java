package io.sealbook.consensus;

import io.sealbook.consensus.agent.CommitCycle;
import io.sealbook.consensus.config.PayloadRoute;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.agent.Peers;
import io.sealbook.node.commit.CommitTask;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payload.RecentIds;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.node.transfer.ExpectedBlocks;
import io.sealbook.node.transfer.PeerServer;
import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.ProposedBatch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.peer.PeerHandler;
import io.sealbook.peer.PeerTransport;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ties the transport to the rest of the node: what peers send goes into ring, committer or service thread; what
 * agreement and transfer want to send goes to the transport. Called on event loops, the agent's and the committer's
 * thread.
 */
final class PeerLinks implements PeerHandler, Peers, BlockRequests {
    private static final Logger log = LoggerFactory.getLogger(PeerLinks.class);

    /**
     * An answer that waits in the ring of a busy node is not yet in the store: asking again would only add to the ring.
     */
    private static final long ASK_AGAIN_NS = 1_000_000_000L;

    private static final long ARRIVE_AGAIN_NS = 2_000_000_000L;
    private static final int RECENT_IDS_MAX = 1 << 16;

    private final RecentIds asked = new RecentIds(ASK_AGAIN_NS, RECENT_IDS_MAX);
    /** For each peer its own: a peer that sends a forged copy first must not keep the true one out. */
    private final RecentIds[] arrived;

    private final int self;
    private final PayloadRoute route;
    private final PeerSource[] sources;
    private final PayloadStore payloads;
    private final ExpectedBlocks expectedBlocks = new ExpectedBlocks();
    private final PeerServer server;
    private final Executor service;
    private final NodeMetrics metrics;
    private PeerTransport transport;
    private Ingress ingress;
    private CommitCycle committer;

    PeerLinks(
            int self,
            int nodeCount,
            PayloadRoute route,
            PayloadStore payloads,
            PeerServer server,
            Executor service,
            NodeMetrics metrics) {
        this.self = self;
        this.route = route;
        this.sources = new PeerSource[nodeCount];
        this.arrived = new RecentIds[nodeCount];
        for (int i = 0; i < nodeCount; i++) {
            sources[i] = new PeerSource(i);
            arrived[i] = new RecentIds(ARRIVE_AGAIN_NS, RECENT_IDS_MAX);
        }
        this.payloads = payloads;
        this.server = server;
        this.service = service;
        this.metrics = metrics;
    }

    /** Closes the circle; before the transport starts. */
    void connect(PeerTransport transport, Ingress ingress, CommitCycle committer) {
        this.transport = transport;
        this.ingress = ingress;
        this.committer = committer;
    }

    @Override
    public void onPayload(int source, byte[] batchId, byte[] signedBatch) {
        Digest id = Digest.of(batchId);
        if (payloads.contains(id) || !arrived[source].note(id, System.nanoTime())) {
            return;
        }
        if (!ingress.offer(sources[source], 0, signedBatch, batchId)) {
            arrived[source].forget(id);
            metrics.peerPayloadDropped();
        }
    }

    @Override
    public void onBatchRequest(int source, List<byte[]> batchIds) {
        serve(
                source,
                () -> server.batches(batchIds)
                        .forEach(batch -> transport.sendPayload(source, batch.id(), batch.signed())));
    }

    @Override
    public void onBlockRequest(int source, long from, int count) {
        serve(
                source,
                () -> server.blocks(from, count)
                        .ifPresent(answer ->
                                transport.sendBlocks(source, answer.from(), answer.blocks(), answer.certificate())));
    }

    private void serve(int source, Runnable task) {
        try {
            service.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("request of node {} not served: {}", source, e.getMessage());
            metrics.peerRequestDropped();
        }
    }

    @Override
    public void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        if (!expectedBlocks.take(source, from)) {
            log.debug("blocks of node {} from {} on refused: nobody waits for them", source, from);
            metrics.peerBlocksRefused(source);
        } else if (!committer.offer(new CommitTask.BlocksReceived(source, from, blocks, certificateOrNull))) {
            log.debug("blocks of node {} dropped: the committer is busy", source);
            metrics.peerPayloadDropped();
        }
    }

    @Override
    public void onConnected(int peer) {
        log.info("connected to node {}", peer);
    }

    @Override
    public void onDisconnected(int peer) {
        log.info("lost node {}", peer);
    }

    @Override
    public void send(int to, Message message) {
        transport.send(to, message);
    }

    @Override
    public void broadcast(Message message) {
        if (route == PayloadRoute.PRIMARY && message instanceof PrePrepare prePrepare) {
            sendOn(prePrepare.proposal());
        }
        transport.broadcast(message);
    }

    /** Spreads a batch that this node's gateway took. Admission thread. */
    void spread(Payload payload, int primary) {
        if (route == PayloadRoute.DIRECT || primary == payload.origin()) {
            transport.broadcastPayload(payload.batchId().bytes(), payload.signedBatch());
        } else {
            transport.sendPayload(primary, payload.batchId().bytes(), payload.signedBatch());
        }
    }

    /** Sends what others brought to the primary to those who have not got it. */
    private void sendOn(Proposal proposal) {
        for (ProposedBatch batch : proposal.batches()) {
            Payload payload = payloads.get(batch.batchId());
            if (payload == null || payload.origin() == self) {
                continue;
            }
            for (int peer = 0; peer < sources.length; peer++) {
                if (peer != self && peer != payload.origin()) {
                    transport.sendPayload(peer, batch.batchId().bytes(), payload.signedBatch());
                }
            }
        }
    }

    @Override
    public void requestBatches(List<Digest> batchIds, List<Integer> holders) {
        Set<Integer> connected = transport.connected();
        Optional<Integer> holder = holders.stream().filter(connected::contains).findFirst();
        if (holder.isEmpty()) {
            return;
        }
        long now = System.nanoTime();
        List<byte[]> wanted = batchIds.stream()
                .filter(id -> !payloads.contains(id) && asked.note(id, now))
                .map(Digest::bytes)
                .toList();
        if (!wanted.isEmpty()) {
            metrics.fetched(wanted.size());
            transport.requestBatches(holder.get(), wanted);
        }
    }

    @Override
    public void discardThrough(long stableSequence) {
        transport.inbox().discardThrough(stableSequence);
    }

    @Override
    public void requestBlocks(int to, long from, int count) {
        expectedBlocks.expect(to, from);
        transport.requestBlocks(to, from, count);
    }

    @Override
    public Set<Integer> connected() {
        return transport.connected();
    }
}
