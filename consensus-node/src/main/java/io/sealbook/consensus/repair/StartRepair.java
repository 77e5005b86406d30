package io.sealbook.consensus.repair;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.node.StartRepairCore;
import io.sealbook.node.port.RepairAnswer;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.peer.PeerConfig;
import io.sealbook.peer.PeerHandler;
import io.sealbook.peer.PeerTransport;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches, before a node takes part, the damaged blocks that its start needs. It is connected to the other members like
 * a node, and takes no part in agreement: votes and batches are dropped. It serves whole blocks, because the others may
 * be in the same state. One thread runs it to its end.
 */
public final class StartRepair implements PeerHandler {
    private static final Logger log = LoggerFactory.getLogger(StartRepair.class);
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(10);

    private final StartRepairCore core;
    private final PeerTransport transport;
    private final RepairInbox inbox = new RepairInbox();
    private RepairAnswer unjudged;

    /**
     * @param core decides
     * @param config of the connections, which are those of the node
     */
    public StartRepair(StartRepairCore core, PeerConfig config) {
        this.core = core;
        transport = new PeerTransport(config, this, new SimpleMeterRegistry());
    }

    /**
     * Repairs what the start needs.
     *
     * @param waitMs longest time that it may take, milliseconds
     * @return false if something that the start needs is still damaged
     * @throws IOException if a port cannot be bound
     */
    public boolean run(long waitMs) throws IOException {
        long startNs = System.nanoTime();
        long reportedNs = startNs - REPORT_NS;
        try (transport) {
            transport.start();
            core.begin(new Requests(), answer -> unjudged = answer);
            while (!core.isDone() && System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(waitMs)) {
                if (System.nanoTime() - reportedNs >= REPORT_NS) {
                    reportedNs = System.nanoTime();
                    log.warn(
                            "archive: this start needs blocks {}, which the disk has changed; connected to nodes {}",
                            core.damaged(),
                            transport.connected());
                }
                inbox.take(core.tickIntervalNs()).ifPresent(Runnable::run);
                judge();
                core.onTick(System.nanoTime());
            }
            return core.isDone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatingFailureException("interrupted while the archive was repaired for the start", e);
        }
    }

    private void judge() {
        if (unjudged != null) {
            RepairAnswer answer = unjudged;
            unjudged = null;
            core.onJudged(answer, System.nanoTime());
        }
    }

    /** Requests of this thread. */
    private final class Requests implements BlockRequests {
        @Override
        public void requestBlocks(int to, long from, int count) {
            inbox.expect(to, from);
            transport.requestBlocks(to, from, count);
        }

        @Override
        public Set<Integer> connected() {
            return transport.connected();
        }
    }

    @Override
    public void onPayload(int source, Digest batchId, byte[] signedBatch) {
        // Batches that were agreed on come with their blocks.
    }

    @Override
    public void onBatchRequest(int source, List<BatchRange> ranges) {
        // Peers ask others.
    }

    @Override
    public void onBlockRequest(int source, long from, int count) {
        // One that finds no room is made again, or of others.
        inbox.request(
                source,
                () -> core.blocks(from, count)
                        .ifPresent(answer ->
                                transport.sendBlocks(source, answer.from(), answer.blocks(), answer.certificate())));
    }

    @Override
    public void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        if (!inbox.answer(
                source, from, () -> core.onBlocks(source, from, blocks, certificateOrNull, System.nanoTime()))) {
            log.debug("blocks of node {} from {} on refused: no request is open for them", source, from);
        }
    }

    @Override
    public void onConnected(int peer, int epoch) {
        log.info("connected to node {} for the repair of the archive", peer);
    }

    @Override
    public void onLaggard(int peer, int epoch) {
        // It learns of the epoch's end from another node.
    }

    @Override
    public void onHeard(long peers, long connected) {
        // Nothing is agreed on.
    }

    @Override
    public void onIdentityRefused(int peer) {
        // It goes on dialing the others.
    }

    @Override
    public void onDisconnected(int peer) {
        log.info("lost node {}", peer);
    }
}
