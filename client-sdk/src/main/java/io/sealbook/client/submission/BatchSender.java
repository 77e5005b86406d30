package io.sealbook.client.submission;

import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.metrics.ClientCounters;
import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Sends the batches in line, in their order, to one node at a time, and sends again what that node lost or declined.
 * Loop thread only.
 */
final class BatchSender {
    private static final long RETRY_DEFAULT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int TIMEOUT_DOUBLINGS_MAX = 3;

    private final SubmissionConfig config;
    private final ClientLoop loop;
    private final BatchLine line;
    private final NodeChoice nodes;
    private final ChainHeights heights;
    private final ClientCounters counters;
    private boolean isOpen;

    /**
     * @param config times
     * @param loop sends again after a pause
     * @param line batches without a result
     * @param nodes which of them is sent to
     * @param heights what nodes report about the chain
     * @param counters batches that are sent again are counted there
     */
    BatchSender(
            SubmissionConfig config,
            ClientLoop loop,
            BatchLine line,
            NodeChoice nodes,
            ChainHeights heights,
            ClientCounters counters) {
        this.config = config;
        this.loop = loop;
        this.line = line;
        this.nodes = nodes;
        this.heights = heights;
        this.counters = counters;
    }

    /** Begins to send: the session is known. */
    void open() {
        isOpen = true;
    }

    /** Sends what waits, in order, as long as the node's stream takes it. */
    void flush() {
        if (!isOpen) {
            return;
        }
        for (OutgoingBatch batch = line.firstWaiting(); batch != null; batch = line.firstWaiting()) {
            if (!batch.isSigned) {
                return;
            }
            GatewayLink link = nodes.target(line.sent().isEmpty());
            if (link == null || !link.isWritable()) {
                return;
            }
            send(batch, link);
        }
    }

    private void send(OutgoingBatch batch, GatewayLink link) {
        if (batch.sendCount == 0 && !batch.isOfEarlierRun) {
            batch.knownBlock = heights.proven();
        } else {
            counters.resubmitted.increment();
        }
        batch.sendCount++;
        batch.lastNode = link.nodeId();
        batch.holders.set(link.nodeId());
        batch.isDeclined = false;
        batch.sentAtNs = System.nanoTime();
        link.send(line.send(batch), batch.sealed().signedBytes());
    }

    /** Leaves a node for its back-off and sends what it was given to the next one. */
    void leave(GatewayLink link) {
        link.pauseForBackoff();
        takeBackAllOf(link);
        flush();
    }

    /**
     * Sends a batch again after a pause. What follows it in the session is refused at that node, too.
     *
     * @param batch that the node has no room for
     * @param link to the node
     * @param retryAfterMs pause that the node asks for; 0 leaves it to the client
     */
    void sendAgainLater(OutgoingBatch batch, GatewayLink link, int retryAfterMs) {
        takeBack(batch, link);
        pause(link, retryDelayNs(retryAfterMs));
    }

    /**
     * Sends nothing for a while, because the broker sends faster than it may: every node would say so. A node that says
     * it again of the same batch may be wrong, and another one is asked.
     *
     * @param batch that is beyond the rate
     * @param link to the node
     * @param retryAfterMs pause that the node asks for; 0 leaves it to the client
     */
    void slowDown(OutgoingBatch batch, GatewayLink link, int retryAfterMs) {
        if (batch.rateRefusals++ > 0) {
            sendAgainLater(batch, link, retryAfterMs);
            return;
        }
        counters.slowedDown.increment();
        takeBack(batch, link);
        long delayNs = retryDelayNs(retryAfterMs);
        nodes.links().forEach(each -> each.pause(delayNs));
        loop.schedule(delayNs, this::flush);
    }

    /**
     * Sends again from a number on, whichever node was given these batches before. A node that was sent a batch and
     * expects it again does not say the truth, and is left.
     *
     * @param link to the node that lacks them
     * @param expected next number of the session at that node
     */
    void sendAgainFrom(GatewayLink link, long expected) {
        OutgoingBatch first = line.withNumber(expected);
        if (first != null && first.gapNode == link.nodeId()) {
            leave(link);
            return;
        }
        line.takeBack(batch -> Long.compareUnsigned(batch.sealed().number(), expected) >= 0);
        if (first != null) {
            first.gapNode = link.nodeId();
            flush();
        } else if (Long.compareUnsigned(expected, line.lowestNumber()) < 0) {
            // It lacks batches that have their result: peers, or the blocks that hold them, will bring them.
            takeBackAllOf(link);
            pause(link, RETRY_DEFAULT_NS);
        } else {
            flush();
        }
    }

    /** Turns away from nodes that took a batch and have been silent about it since. */
    void checkSilence() {
        long nowNs = System.nanoTime();
        BitSet silent = new BitSet();
        for (OutgoingBatch batch : line.sent()) {
            long patienceNs = batch.isDeclined
                    ? config.receiptTimeoutNs() / 4
                    : config.receiptTimeoutNs() << Math.min(batch.sendCount - 1, TIMEOUT_DOUBLINGS_MAX);
            if (nowNs - batch.sentAtNs > patienceNs) {
                silent.set(batch.lastNode);
            }
        }
        nodes.links().stream()
                .filter(link -> silent.get(link.nodeId()))
                .forEach(link -> link.abandonSubmits("no receipt in time"));
    }

    private void takeBack(OutgoingBatch from, GatewayLink link) {
        line.takeBack(batch -> batch.lastNode == link.nodeId() && batch.number() >= from.number());
    }

    private void takeBackAllOf(GatewayLink link) {
        line.takeBack(batch -> batch.lastNode == link.nodeId());
    }

    private void pause(GatewayLink link, long delayNs) {
        link.pause(delayNs);
        loop.schedule(delayNs, this::flush);
        flush();
    }

    private long retryDelayNs(int retryAfterMs) {
        long askedNs = TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(retryAfterMs));
        long delayNs = Math.min(askedNs == 0 ? RETRY_DEFAULT_NS : askedNs, config.retryMaxNs());
        return delayNs + ThreadLocalRandom.current().nextLong(delayNs / 2 + 1);
    }
}
