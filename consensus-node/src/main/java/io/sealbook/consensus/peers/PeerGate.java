package io.sealbook.consensus.peers;

import io.sealbook.access.LinePace;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.CommitQueue;
import io.sealbook.consensus.ingress.Ingress;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.NodeCore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.peer.PeerHandler;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where what peers send comes in: batches go into the ring, blocks to the committer, requests to the service thread.
 * Event loops.
 */
public final class PeerGate implements PeerHandler {
    private static final Logger log = LoggerFactory.getLogger(PeerGate.class);
    /** Bytes of the longest batch that any chain takes, with its signature; administrative ones are shorter. */
    private static final int LENGTH_MAX = SignedBatch.signedLength(SignedBatch.ORDER_COUNT_LIMIT);

    private PeerSource[] sources;
    /** Connected peers that are in the epoch of this node. */
    private boolean[] agrees;

    private final AgentInbox agreement;
    private final CommitQueue commits;
    private final Executor service;
    private final RequestLines requests;
    private final LinePace lines = new LinePace();
    private final NodeMetrics metrics;
    private NodeCore core;
    private Speech speech;
    private Ingress ingress;
    /** Peers that were heard in the last period. Event loop of votes. */
    private long lastHeard;
    /** Comings and goings of peers for which agreement had no room yet. */
    private final AtomicInteger untold = new AtomicInteger();

    /**
     * @param agreement hears which peers are connected
     * @param commits tasks of the committer
     * @param service serves requests, one of each peer in turn
     * @param metrics counts what is dropped
     */
    public PeerGate(AgentInbox agreement, CommitQueue commits, Executor service, NodeMetrics metrics) {
        this.agreement = agreement;
        this.commits = commits;
        this.service = service;
        this.requests = new RequestLines(service);
        this.metrics = metrics;
    }

    /**
     * Closes the circle between the transport and what it feeds; before the transport starts.
     *
     * @param core judges what is news and what was asked for
     * @param speech sends the answers
     * @param ingress takes batches
     */
    public void connect(NodeCore core, Speech speech, Ingress ingress) {
        int nodeCount = core.membership().epoch().nodeCount();
        sources = IntStream.range(0, nodeCount)
                .mapToObj(peer -> new PeerSource(peer, core.spreading()))
                .toArray(PeerSource[]::new);
        agrees = new boolean[nodeCount];
        this.core = core;
        this.speech = speech;
        this.ingress = ingress;
    }

    @Override
    public void onPayload(int source, Digest batchId, byte[] signedBatch) {
        if (signedBatch.length > LENGTH_MAX) {
            // No correct member has it, and what waits for admission is counted in batches.
            metrics.peerPayloadDropped();
            return;
        }
        if (core.spreading().isNews(source, batchId, System.nanoTime())
                && !ingress.offer(sources[source], 0, signedBatch, batchId)) {
            core.spreading().onDropped(source, batchId);
            metrics.peerPayloadDropped();
        }
    }

    @Override
    public void onBatchRequest(int source, List<BatchRange> ranges) {
        serve(
                source,
                () -> core.peerServer()
                        .batches(ranges)
                        .forEach(batch -> speech.sendPayload(source, batch.id(), batch.signed())));
    }

    @Override
    public void onBlockRequest(int source, long from, int count) {
        serve(
                source,
                () -> core.peerServer()
                        .blocks(from, count)
                        .ifPresent(answer ->
                                speech.sendBlocks(source, answer.from(), answer.blocks(), answer.certificate())));
    }

    private void serve(int source, Runnable task) {
        if (!requests.offer(source, task)) {
            log.debug("request of node {} not served", source);
            metrics.peerRequestDropped();
        }
    }

    @Override
    public void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        if (!core.expectedBlocks().take(source, from)) {
            log.debug("blocks of node {} from {} on refused: no request is open for them", source, from);
            metrics.peerBlocksRefused(source);
        } else if (!commits.offer(new CommitTask.BlocksReceived(source, from, blocks, certificateOrNull))) {
            log.debug("blocks of node {} dropped: the committer is busy", source);
            metrics.peerPayloadDropped();
        }
    }

    /** Agreement hears of the peers of its epoch only. */
    @Override
    public void onConnected(int peer, int epoch) {
        core.spreading().onConnected(peer);
        int ownEpoch = core.membership().epoch().number();
        if (epoch == ownEpoch) {
            agrees[peer] = true;
            tell(new Input.Connected(peer));
        } else if (epoch < ownEpoch) {
            serve(peer, () -> proveEnd(peer, epoch));
        }
        log(peer, "connected to node " + peer + " of epoch " + epoch);
    }

    /** Sends a peer that lags what ends its epoch; it fetches the blocks up to there, and comes back in the next. */
    private void proveEnd(int peer, int epoch) {
        core.epochProofs()
                .endOf(epoch)
                .ifPresentOrElse(
                        proof -> speech.send(peer, proof),
                        () -> log(
                                peer,
                                "node " + peer + " is in epoch " + epoch
                                        + ", whose last certificate is not in the archive"));
    }

    @Override
    public void onLaggard(int peer, int epoch) {
        if (core.epochProofs().isDue(peer, epoch, System.nanoTime())) {
            serve(peer, () -> proveEnd(peer, epoch));
        }
    }

    /**
     * A period for which agreement has no room is left out: no peer is silent in it. One in which every peer was heard,
     * as in the one before, changes nothing that agreement waits for, and wakes no thread.
     */
    @Override
    public void onHeard(long peers, long connected) {
        boolean isNews = peers != connected || peers != lastHeard;
        lastHeard = peers;
        Input period = new Input.Heard(peers);
        if (isNews) {
            agreement.offer(period);
        } else {
            agreement.offerQuietly(period);
        }
    }

    @Override
    public void onIdentityRefused(int peer) {
        // Counted and logged by the connections.
    }

    @Override
    public void onDisconnected(int peer) {
        if (agrees[peer]) {
            agrees[peer] = false;
            tell(new Input.Disconnected(peer));
        }
        log(peer, "lost node " + peer);
    }

    private void log(int peer, String event) {
        String line = lines.of(peer, event, System.nanoTime());
        if (!line.isEmpty()) {
            log.info(line);
        }
    }

    /** Called in the order of the events; one that finds no room is told on the service thread, and all after it. */
    private void tell(Input input) {
        if (untold.get() == 0 && agreement.offer(input)) {
            return;
        }
        untold.incrementAndGet();
        try {
            service.execute(() -> {
                agreement.put(input);
                untold.decrementAndGet();
            });
        } catch (RejectedExecutionException e) {
            untold.decrementAndGet();
            log.debug("agreement does not hear {}: the node ends, or is busy", input);
        }
    }
}
