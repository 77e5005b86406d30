package io.sealbook.consensus.peers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Status;
import io.sealbook.peer.EpochNodes;
import io.sealbook.peer.PeerConfig;
import io.sealbook.peer.PeerHandler;
import io.sealbook.peer.PeerLimits;
import io.sealbook.peer.PeerTransport;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last words of a node whose key the next epoch does not name. The node may hold the only certificate of the last
 * block of its epoch: if its vote was lost, the others lack a quorum, and their epoch would never end. It is connected
 * like a node of that epoch, takes no part in agreement, and shows the certificate until enough peers are beyond it.
 * One thread runs it to its end.
 */
public final class Farewell implements PeerHandler {
    private static final Logger log = LoggerFactory.getLogger(Farewell.class);
    private static final long PERIOD_MS = 500;
    static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(10);
    /** Longer than peers wait before they dial again: each that needs the certificate has connected by then. */
    static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(15);

    private static final int MESSAGES_MAX = 4_096;

    private final LastEpoch epoch;
    private final Set<Integer> beyond = new ConcurrentSkipListSet<>();
    /** Those in whose name this node's key was refused, which nothing proves. */
    private final Set<Integer> refusing = new ConcurrentSkipListSet<>();

    private final CompletableFuture<Void> isEnough = new CompletableFuture<>();

    /**
     * What a node brings from its last epoch.
     *
     * @param nodeId of this node
     * @param nodes of the epoch
     * @param identity which the epoch names
     * @param bindAddress of the ports
     * @param offload thread that checks what comes
     * @param end proof that the epoch has ended
     * @param staying nodes that the next epoch names with the same key: they need the certificate
     * @param enough number of these of which one at least is correct
     */
    public record LastEpoch(
            int nodeId,
            EpochNodes nodes,
            Signer identity,
            String bindAddress,
            PeerConfig.Offload offload,
            CheckpointProof end,
            Set<Integer> staying,
            int enough) {}

    /** @param epoch that has ended */
    public Farewell(LastEpoch epoch) {
        this.epoch = epoch;
    }

    /**
     * Shows the certificate until enough peers have it. Peers of the next epoch refuse the node's key: where enough do,
     * it is shown for 15 seconds, because anybody can refuse in their name. After ten minutes the node stops in any
     * case; it goes on at its next start.
     *
     * @param closed ends it early
     * @throws IOException if a port cannot be bound
     */
    public void run(CompletableFuture<?> closed) throws IOException, InterruptedException {
        long block = epoch.end().certificate().sequence();
        log.info(
                "epoch {} has ended with block {}: this node shows the others the certificate until {} of them have it",
                epoch.nodes().epoch(),
                block,
                epoch.enough());
        long startNs = System.nanoTime();
        try (SignatureVerifier verifier = SignatureProviders.named("bc");
                PeerTransport transport = new PeerTransport(config(verifier), this, new SimpleMeterRegistry())) {
            transport.start();
            do {
                transport.inbox().drain(this::onMessage, MESSAGES_MAX);
                transport.broadcast(epoch.end());
            } while (!isOver(closed) && System.nanoTime() - startNs < limitNs());
        }
        log.info("nodes {} are beyond block {}", beyond, block);
    }

    /** Returns for how long the certificate is shown, as far as is known now. */
    long limitNs() {
        Set<Integer> either = new TreeSet<>(beyond);
        either.addAll(refusing);
        return either.size() >= epoch.enough() ? REFUSED_NS : LIMIT_NS;
    }

    boolean isOver(CompletableFuture<?> closed) throws InterruptedException {
        try {
            CompletableFuture.anyOf(closed, isEnough).get(PERIOD_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private PeerConfig config(SignatureVerifier verifier) {
        return new PeerConfig(
                epoch.nodeId(),
                epoch.nodes(),
                epoch.identity(),
                verifier,
                epoch.bindAddress(),
                epoch.offload(),
                PeerLimits.DEFAULTS,
                MessageLogConfig.defaults(new SecureRandom().nextLong()));
    }

    private void onMessage(Message message) {
        long end = epoch.end().certificate().sequence();
        boolean hasCertificate = switch (message) {
            case CheckpointProof proof -> proof.certificate().sequence() >= end;
            case Status status -> status.stableSequence() >= end;
            default -> false;
        };
        if (hasCertificate) {
            onBeyond(message.sender());
        }
    }

    private void onBeyond(int peer) {
        if (epoch.staying().contains(peer) && beyond.add(peer) && beyond.size() >= epoch.enough()) {
            isEnough.complete(null);
        }
    }

    @Override
    public void onConnected(int peer, int peerEpoch) {
        log.info("connected to node {} of epoch {}", peer, peerEpoch);
        if (peerEpoch > epoch.nodes().epoch()) {
            onBeyond(peer);
        } else {
            refusing.remove(peer);
        }
    }

    @Override
    public void onIdentityRefused(int peer) {
        if (epoch.staying().contains(peer)) {
            refusing.add(peer);
        }
    }

    @Override
    public void onPayload(int source, Digest batchId, byte[] signedBatch) {
        // No batch is ordered any more.
    }

    @Override
    public void onBatchRequest(int source, List<BatchRange> ranges) {
        // Peers ask others.
    }

    @Override
    public void onBlockRequest(int source, long from, int count) {
        // A quorum of others has the blocks: their votes are in the certificate.
    }

    @Override
    public void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        // None were asked for.
    }

    @Override
    public void onLaggard(int peer, int peerEpoch) {
        // It gets the certificate as all others do.
    }

    @Override
    public void onHeard(long peers, long connected) {
        // Nothing is agreed on.
    }

    @Override
    public void onDisconnected(int peer) {
        log.info("lost node {}", peer);
    }
}
