package io.sealbook.client.submission;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExpiredException;
import io.sealbook.client.Receipt;
import io.sealbook.client.SubmitRejectedException;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.GatewayEvents;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.protocol.v1.BatchReceipt;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Sends batches in their order to one node and follows each to its result. When that node breaks, stays silent or
 * declines, the same bytes go to the next one: the batch id makes that harmless, and a new number would not be. Loop
 * thread only.
 *
 * <pre>
 *   waiting ──stream takes it──▶ sent ──f+1 equal receipts──▶ Receipt
 *      ▲                          │ ├──refused, held by no other node──▶ SubmitRejectedException
 *      └─node lost, silent, busy──┘ └──validUntilBlock has passed──▶ ExpiredException
 * </pre>
 */
final class BatchSubmitter implements GatewayEvents {
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long RETRY_DEFAULT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int TIMEOUT_DOUBLINGS_MAX = 3;

    private final SubmissionConfig config;
    private final ClientLoop loop;
    private final Executor completions;
    private final ClientCounters counters;
    private final ChainHeights heights;
    private final int needed;
    private final Runnable release;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    private final NavigableMap<Long, OutgoingBatch> waiting = new TreeMap<>();
    private final NavigableMap<Long, OutgoingBatch> sent = new TreeMap<>();
    private final Map<ByteString, OutgoingBatch> byId = new HashMap<>();
    private List<GatewayLink> links = List.of();
    private int home;
    private int current;
    private boolean isDraining;
    private boolean isClosed;

    BatchSubmitter(
            SubmissionConfig config,
            ClientLoop loop,
            Executor completions,
            ClientCounters counters,
            ChainHeights heights,
            Runnable release) {
        this.config = config;
        this.loop = loop;
        this.completions = completions;
        this.counters = counters;
        this.heights = heights;
        this.needed = heights.quorum().needed();
        this.release = release;
    }

    /** Starts with the links of all nodes, by node id. */
    void start(List<GatewayLink> allLinks, int homeNode) {
        links = allLinks;
        home = homeNode;
        current = homeNode;
        links.forEach(GatewayLink::start);
        tick();
    }

    /** Completes after f+1 nodes have reported their height and at least one node takes batches. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    void onClosed(OutgoingBatch batch) {
        if (isClosed) {
            finish(batch, null, new ClientClosedException(false, "client is closed", null));
            return;
        }
        waiting.put(batch.number(), batch);
    }

    void onSigned(OutgoingBatch batch) {
        if (batch.isDone) {
            return;
        }
        batch.isSigned = true;
        byId.put(UnsafeByteOperations.unsafeWrap(batch.sealed().batchId()), batch);
        flush();
    }

    void onSigningFailed(OutgoingBatch batch, RuntimeException cause) {
        if (!batch.isDone) {
            finish(batch, null, cause);
            flush();
        }
    }

    /** Completes the returned future when no batch is left without a result. */
    CompletableFuture<Void> drain() {
        isDraining = true;
        checkDrained();
        return drained;
    }

    /** Ends every batch that is left. */
    void abandonAll(String fact, Throwable cause) {
        isClosed = true;
        List<OutgoingBatch> left = new ArrayList<>(sent.values());
        left.addAll(waiting.values());
        for (OutgoingBatch batch : left) {
            finish(batch, null, new ClientClosedException(!batch.holders.isEmpty(), fact, cause));
        }
    }

    @Override
    public void onStatus(GatewayLink link, NodeStatus status) {
        boolean wasKnown = heights.isKnown();
        heights.delivered(link.nodeId(), status.getLastDelivered());
        if (!heights.isKnown()) {
            return;
        }
        if (wasKnown) {
            link.openReceipts();
        } else {
            links.forEach(GatewayLink::openReceipts);
        }
        checkReady();
    }

    /**
     * The home node goes first, so that a client does not begin elsewhere only because another node answered sooner.
     */
    private void checkReady() {
        boolean mayBegin = links.get(home).isTried() && links.stream().anyMatch(GatewayLink::isUsable);
        if (heights.isKnown() && mayBegin) {
            ready.complete(null);
        }
    }

    @Override
    public long receiptsFrom(GatewayLink link) {
        // Nothing that is still open can be in a block that f+1 nodes had passed when it was first sent.
        long behind = heights.proven();
        for (OutgoingBatch batch : sent.values()) {
            behind = Math.min(behind, batch.knownBlock);
        }
        for (OutgoingBatch batch : waiting.values()) {
            if (batch.sendCount > 0) {
                behind = Math.min(behind, batch.knownBlock);
            }
        }
        behind = Math.max(behind, heights.receiptsThrough(link.nodeId()));
        heights.receiptsStartBehind(link.nodeId(), behind);
        return behind + 1;
    }

    @Override
    public void onReceipts(GatewayLink link, BlockReceipts receipts) {
        int nodeId = link.nodeId();
        if (receipts.getNodeId() != nodeId) {
            counters.receiptsIgnored.increment();
            return;
        }
        heights.delivered(nodeId, receipts.getBlockSequence());
        for (BatchReceipt receipt : receipts.getBatchesList()) {
            onReceipt(nodeId, receipts, receipt);
        }
        heights.receiptsThrough(nodeId, receipts.getBlockSequence());
    }

    private void onReceipt(int nodeId, BlockReceipts block, BatchReceipt receipt) {
        OutgoingBatch batch = byId.get(receipt.getBatchId());
        if (batch == null) {
            return;
        }
        BatchCommit commit = new BatchCommit(
                block.getBlockSequence(), receipt.getBatchIndex(), block.getBlockTimeNs(), block.getBlockHash());
        int agreeing = batch.tally.add(nodeId, commit);
        if (agreeing >= needed) {
            counters.receiptsIgnored.add(batch.tally.differingFrom(commit));
            counters.committedBatches.increment();
            counters.committedOrders.add(batch.orderCount());
            Receipt agreed = new Receipt(
                    batch.sealed().batchId(),
                    commit.blockSequence(),
                    commit.batchIndex(),
                    commit.blockTimeNs(),
                    commit.blockHash().toByteArray(),
                    agreeing);
            finish(batch, agreed, null);
        }
    }

    @Override
    public void onReply(GatewayLink link, SubmitReply reply) {
        heights.delivered(link.nodeId(), reply.getLastBlock());
        OutgoingBatch batch = sent.get(reply.getCorrelationId());
        if (batch == null || batch.lastNode != link.nodeId()) {
            return; // Its result is known already, or another node has been asked since.
        }
        switch (reply.getStatus()) {
            case REFUSED -> onRefused(batch, link, reply);
            case ACCEPTED, ALREADY_KNOWN -> batch.holders.set(link.nodeId());
            // Says nothing; the receipt or its timeout decides.
            case SUBMIT_STATUS_UNSPECIFIED, UNRECOGNIZED -> {}
        }
    }

    @Override
    public void onWritable(GatewayLink link) {
        flush();
    }

    @Override
    public void onSubmitLost(GatewayLink link, String why) {
        link.pauseForBackoff();
        takeBack(link);
        flush();
    }

    private void onRefused(OutgoingBatch batch, GatewayLink link, SubmitReply reply) {
        batch.holders.clear(link.nodeId());
        switch (reply.getReason()) {
            case BUSY -> {
                long delayNs = retryDelayNs(reply);
                link.pause(delayNs);
                takeBack(batch);
                loop.schedule(delayNs, this::flush);
                flush();
            }
            case NOT_READY -> {
                link.pauseForBackoff();
                takeBack(link);
                flush();
            }
            // One node's word that the window has passed proves nothing: the heights decide, or another node takes it.
            case EXPIRED_VALIDITY -> batch.isDeclined = true;
            default -> {
                if (batch.holders.isEmpty()) {
                    refuse(batch, link, reply);
                }
                // Otherwise another node may have it: the receipt or the expiry decides.
            }
        }
    }

    private void refuse(OutgoingBatch batch, GatewayLink link, SubmitReply reply) {
        counters.refused.increment();
        RefusalReason reason = reply.getReason();
        finish(batch, null, new SubmitRejectedException(reason, link.nodeId(), reply.getDetail()));
    }

    private long retryDelayNs(SubmitReply reply) {
        long askedNs = TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(reply.getRetryAfterMs()));
        long delayNs = Math.min(askedNs == 0 ? RETRY_DEFAULT_NS : askedNs, config.retryMaxNs());
        return delayNs + ThreadLocalRandom.current().nextLong(delayNs / 2 + 1);
    }

    /** Sends what waits, in order, as long as the node's stream takes it. */
    private void flush() {
        for (Iterator<OutgoingBatch> line = waiting.values().iterator(); line.hasNext(); ) {
            OutgoingBatch batch = line.next();
            if (batch.isExpiredSeen) {
                continue; // Sending it again could change nothing.
            }
            if (!batch.isSigned) {
                return;
            }
            GatewayLink link = target();
            if (link == null || !link.isWritable()) {
                return;
            }
            line.remove();
            send(batch, link);
        }
    }

    /**
     * Returns the node to send to: the home node when nothing is under way elsewhere, else the current or the next
     * usable one.
     */
    private GatewayLink target() {
        if (current != home && sent.isEmpty() && links.get(home).isUsable()) {
            current = home;
        }
        for (int i = 0; i < links.size(); i++) {
            int candidate = (current + i) % links.size();
            if (links.get(candidate).isUsable()) {
                if (candidate != current) {
                    current = candidate;
                    counters.failovers.increment();
                }
                return links.get(candidate);
            }
        }
        return null;
    }

    private void send(OutgoingBatch batch, GatewayLink link) {
        if (batch.sendCount == 0) {
            batch.knownBlock = heights.proven();
        } else {
            counters.resubmitted.increment();
        }
        batch.sendCount++;
        batch.lastNode = link.nodeId();
        batch.holders.set(link.nodeId());
        batch.isDeclined = false;
        batch.sentAtNs = System.nanoTime();
        sent.put(batch.number(), batch);
        link.send(batch.number(), batch.sealed().signedBytes());
    }

    /** Puts everything that went to a node back in line, in its old order. */
    private void takeBack(GatewayLink link) {
        List<OutgoingBatch> back = new ArrayList<>();
        for (OutgoingBatch batch : sent.values()) {
            if (batch.lastNode == link.nodeId()) {
                back.add(batch);
            }
        }
        back.forEach(this::takeBack);
    }

    private void takeBack(OutgoingBatch batch) {
        sent.remove(batch.number());
        waiting.put(batch.number(), batch);
    }

    private void tick() {
        if (isClosed) {
            return;
        }
        checkReady();
        checkExpiry();
        checkSilence();
        flush();
        loop.schedule(TICK_NS, this::tick);
    }

    /** Turns away from nodes that took a batch of which nothing was heard. */
    private void checkSilence() {
        long nowNs = System.nanoTime();
        BitSet silent = new BitSet();
        for (OutgoingBatch batch : sent.values()) {
            long patienceNs = batch.isDeclined
                    ? config.receiptTimeoutNs() / 4
                    : config.receiptTimeoutNs() << Math.min(batch.sendCount - 1, TIMEOUT_DOUBLINGS_MAX);
            if (!batch.isExpiredSeen && nowNs - batch.sentAtNs > patienceNs) {
                silent.set(batch.lastNode);
            }
        }
        silent.stream().forEach(node -> links.get(node).abandonSubmits("no receipt in time"));
    }

    private void checkExpiry() {
        long passed = Math.max(heights.proven(), heights.provenReceipts());
        List<OutgoingBatch> ended = new ArrayList<>();
        for (NavigableMap<Long, OutgoingBatch> batches : List.of(sent, waiting)) {
            for (OutgoingBatch batch : batches.values()) {
                if (batch.isSigned && batch.sealed().validUntilBlock() <= passed) {
                    ended.add(batch);
                }
            }
        }
        ended.forEach(this::onPassed);
    }

    /** Decides about a batch whose last admissible block f+1 nodes have reached. */
    private void onPassed(OutgoingBatch batch) {
        long validUntil = batch.sealed().validUntilBlock();
        int without = 0;
        for (int node = 0; node < links.size(); node++) {
            if (heights.receiptsThrough(node) >= validUntil && !batch.tally.hasReceiptOf(node)) {
                without++;
            }
        }
        long nowNs = System.nanoTime();
        if (without >= needed || batch.sendCount == 0) {
            expire(batch, ExpiredException.Outcome.NOT_EXECUTED, without + " nodes are beyond it without the batch");
        } else if (!batch.isExpiredSeen) {
            batch.isExpiredSeen = true;
            batch.expiredSinceNs = nowNs;
        } else if (nowNs - batch.expiredSinceNs > 2 * config.receiptTimeoutNs()) {
            expire(
                    batch,
                    ExpiredException.Outcome.UNKNOWN,
                    "only " + without + " nodes are known to be beyond it without the batch, needed are " + needed);
        }
    }

    private void expire(OutgoingBatch batch, ExpiredException.Outcome outcome, String fact) {
        counters.expired.increment();
        finish(batch, null, new ExpiredException(outcome, batch.sealed().validUntilBlock(), fact));
    }

    private void finish(OutgoingBatch batch, Receipt receipt, Throwable failure) {
        batch.isDone = true;
        waiting.remove(batch.number());
        sent.remove(batch.number());
        if (batch.isSigned) {
            byId.remove(UnsafeByteOperations.unsafeWrap(batch.sealed().batchId()));
        }
        completions.execute(() -> {
            // First, so that who hears the result finds room; a slow listener to results holds back the next release.
            release.run();
            if (failure == null) {
                batch.complete(receipt);
            } else {
                batch.completeExceptionally(failure);
            }
        });
        checkDrained();
    }

    private void checkDrained() {
        if (isDraining && waiting.isEmpty() && sent.isEmpty()) {
            drained.complete(null);
        }
    }
}
