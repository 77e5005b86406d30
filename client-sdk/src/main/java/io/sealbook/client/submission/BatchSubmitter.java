package io.sealbook.client.submission;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExpiredException;
import io.sealbook.client.OutboxException;
import io.sealbook.client.Receipt;
import io.sealbook.client.SubmitRejectedException;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.GatewayEvents;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.protocol.v1.BatchReceipt;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.SubmitReply;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends the batches of a session in their order to one node and follows each to its result. When that node breaks,
 * stays silent or declines, the same bytes go to the next one, from the number on that it expects: the batch id makes
 * that harmless, and a new number would not be. Loop thread only.
 *
 * <pre>
 *   waiting ──stream takes it──▶ sent ──f+1 equal receipts──▶ Receipt
 *      ▲                          │ └──refused, held by no other node──▶ SubmitRejectedException, the session ends
 *      └─node lost, silent, busy,─┘
 *        expects an earlier number
 * </pre>
 *
 * A batch whose validity has passed completes its futures with an ExpiredException and stays in line until a block
 * holds it: the batches after it name it.
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
    private final Logon logon;
    private final int needed;
    private final Consumer<OutgoingBatch> left;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final BatchLine line = new BatchLine();
    private final NodeChoice nodes;
    private final ExpiryWatch expiry;
    private boolean isDraining;
    /** Not null once nothing is sent any more. */
    private Throwable endedBy;

    /**
     * @param config times
     * @param loop on which everything here runs
     * @param completions completes futures
     * @param counters batches, refusals and failovers are counted there
     * @param heights what nodes report about the chain
     * @param logon finds out where the session goes on, before the first batch
     * @param left receives each batch that leaves, once, on the thread that completes futures
     */
    BatchSubmitter(
            SubmissionConfig config,
            ClientLoop loop,
            Executor completions,
            ClientCounters counters,
            ChainHeights heights,
            Logon logon,
            Consumer<OutgoingBatch> left) {
        this.config = config;
        this.loop = loop;
        this.completions = completions;
        this.counters = counters;
        this.heights = heights;
        this.logon = logon;
        this.needed = heights.quorum().needed();
        this.left = left;
        this.nodes = new NodeChoice(counters);
        this.expiry = new ExpiryWatch(heights, 2 * config.receiptTimeoutNs(), this::onExpired);
    }

    /** Starts with the links of all nodes, by node id. */
    void start(List<GatewayLink> allLinks, int homeNode) {
        nodes.begin(allLinks, homeNode);
        allLinks.forEach(GatewayLink::start);
        tick();
    }

    /**
     * Completes after f+1 nodes have reported their height, a session is chosen and at least one node takes batches.
     */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Puts in line what an earlier run has signed; before {@link #start}. It is sent once the session is known. */
    void takeOver(List<OutgoingBatch> batches) {
        for (OutgoingBatch batch : batches) {
            line.add(batch);
            line.signed(batch);
        }
    }

    /** Ends the batches of earlier runs that are in blocks; their receipts are not asked for again. */
    void onDeliveredThrough(long number) {
        for (OutgoingBatch batch : line.all()) {
            if (batch.isOfEarlierRun && Long.compareUnsigned(batch.sealed().number(), number) <= 0) {
                batch.isInBlock = true;
                batch.isSettled = true;
                finish(batch, null, null);
            }
        }
    }

    void onClosed(OutgoingBatch batch) {
        if (endedBy != null) {
            finish(batch, null, endedBy);
            return;
        }
        line.add(batch);
    }

    void onSigned(OutgoingBatch batch) {
        if (batch.isDone) {
            return;
        }
        line.signed(batch);
        flush();
    }

    /**
     * A batch that could not be encoded has no number; one that could not be signed leaves a gap that nothing fills.
     */
    void onSigningFailed(OutgoingBatch batch, RuntimeException cause) {
        if (batch.isDone) {
            return;
        }
        finish(batch, null, cause);
        if (batch.sealed() != null) {
            end(new ClientClosedException(false, "number " + batch.sealed().number() + " was not signed", cause));
        }
        flush();
    }

    /** Completes the returned future when no batch is left without a result. */
    CompletableFuture<Void> drain() {
        isDraining = true;
        checkDrained();
        return drained;
    }

    /** Ends every batch that is left. */
    void abandonAll(String fact, Throwable cause) {
        if (endedBy == null) {
            endedBy = new ClientClosedException(false, "client is closed", cause);
        }
        for (OutgoingBatch batch : line.all()) {
            finish(batch, null, new ClientClosedException(!batch.holders.isEmpty(), fact, cause));
        }
    }

    @Override
    public void onStatus(GatewayLink link, NodeStatus status) {
        boolean wasKnown = heights.isKnown();
        heights.delivered(link.nodeId(), status.getLastDelivered());
        if (!logon.isDone()) {
            link.logon();
        }
        if (!heights.isKnown()) {
            return;
        }
        if (wasKnown) {
            link.openReceipts();
        } else {
            nodes.links().forEach(GatewayLink::openReceipts);
        }
        checkReady();
    }

    @Override
    public void onLogon(GatewayLink link, LogonReply reply) {
        logon.onReply(link.nodeId(), reply);
        logon.failure().ifPresent(fact -> ready.completeExceptionally(new OutboxException(fact, null)));
        checkReady();
    }

    private void checkReady() {
        if (heights.isKnown() && logon.isDone() && nodes.mayBegin()) {
            ready.complete(null);
        }
    }

    @Override
    public long receiptsFrom(GatewayLink link) {
        // Nothing that is still open can be in a block that f+1 nodes had passed when it was first sent.
        long behind = heights.proven();
        for (OutgoingBatch batch : line.all()) {
            if (batch.sendCount > 0 || batch.isOfEarlierRun) {
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
        OutgoingBatch batch = line.withId(receipt.getBatchId());
        if (batch == null) {
            return;
        }
        BatchCommit commit = new BatchCommit(
                block.getBlockSequence(), receipt.getBatchIndex(), block.getBlockTimeNs(), block.getBlockHash());
        int agreeing = batch.tally.add(nodeId, commit);
        if (agreeing >= needed) {
            counters.receiptsIgnored.add(batch.tally.differingFrom(commit));
            onCommitted(batch, commit, agreeing);
        }
    }

    private void onCommitted(OutgoingBatch batch, BatchCommit commit, int agreeing) {
        long validUntil = batch.sealed().validUntilBlock();
        batch.isInBlock = true;
        if (commit.blockSequence() > validUntil) {
            onExpired(
                    batch,
                    new ExpiredException(
                            ExpiredException.Outcome.NOT_EXECUTED,
                            validUntil,
                            "block " + commit.blockSequence() + " holds it"));
            finish(batch, null, null);
            return;
        }
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

    @Override
    public void onReply(GatewayLink link, SubmitReply reply) {
        heights.delivered(link.nodeId(), reply.getLastBlock());
        OutgoingBatch batch = line.answered(reply.getCorrelationId());
        if (batch == null) {
            return; // Its result is known already, or it has been sent again since.
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
        takeBackAllOf(link);
        flush();
    }

    private void onRefused(OutgoingBatch batch, GatewayLink link, SubmitReply reply) {
        batch.holders.clear(link.nodeId());
        switch (reply.getReason()) {
            case BUSY -> {
                // What follows it in the session is refused there, too.
                line.takeBack(other -> other.lastNode == link.nodeId() && other.number() >= batch.number());
                pause(link, retryDelayNs(reply));
            }
            case NOT_READY, VALIDITY_TOO_FAR -> {
                link.pauseForBackoff();
                takeBackAllOf(link);
                flush();
            }
            case SEQUENCE_GAP -> onGap(link, reply.getExpectedNumber());
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

    /** Sends again from the number on that the node expects, whoever was given these batches before. */
    private void onGap(GatewayLink link, long expected) {
        line.takeBack(batch -> Long.compareUnsigned(batch.sealed().number(), expected) >= 0);
        if (Long.compareUnsigned(expected, line.lowestNumber()) < 0) {
            // It lacks batches that have their result: peers, or the blocks that hold them, will bring them.
            takeBackAllOf(link);
            pause(link, RETRY_DEFAULT_NS);
        } else {
            flush();
        }
    }

    private void pause(GatewayLink link, long delayNs) {
        link.pause(delayNs);
        loop.schedule(delayNs, this::flush);
        flush();
    }

    private void takeBackAllOf(GatewayLink link) {
        line.takeBack(batch -> batch.lastNode == link.nodeId());
    }

    /** The batches after a refused one name it: none of them can be taken. */
    private void refuse(OutgoingBatch batch, GatewayLink link, SubmitReply reply) {
        counters.refused.increment();
        SubmitRejectedException refusal =
                new SubmitRejectedException(reply.getReason(), link.nodeId(), reply.getDetail());
        finish(batch, null, refusal);
        end(new ClientClosedException(
                false,
                "number " + batch.sealed().number() + " of the session was refused: " + reply.getReason(),
                refusal));
    }

    private void end(ClientClosedException why) {
        if (endedBy == null) {
            endedBy = why;
        }
        line.all().forEach(batch -> finish(batch, null, why));
    }

    private long retryDelayNs(SubmitReply reply) {
        long askedNs = TimeUnit.MILLISECONDS.toNanos(Integer.toUnsignedLong(reply.getRetryAfterMs()));
        long delayNs = Math.min(askedNs == 0 ? RETRY_DEFAULT_NS : askedNs, config.retryMaxNs());
        return delayNs + ThreadLocalRandom.current().nextLong(delayNs / 2 + 1);
    }

    /** Sends what waits, in order, as long as the node's stream takes it. */
    private void flush() {
        if (!logon.isDone()) {
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

    private void tick() {
        if (endedBy != null) {
            return;
        }
        checkReady();
        expiry.check(line);
        checkSilence();
        flush();
        loop.schedule(TICK_NS, this::tick);
    }

    /** Turns away from nodes that took a batch of which nothing was heard. */
    private void checkSilence() {
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
        silent.stream().forEach(node -> nodes.links().get(node).abandonSubmits("no receipt in time"));
    }

    private void onExpired(OutgoingBatch batch, ExpiredException failure) {
        if (!batch.isSettled) {
            batch.isSettled = true;
            counters.expired.increment();
            completions.execute(() -> batch.completeExceptionally(failure));
        }
    }

    /**
     * Takes a batch out of line.
     *
     * @param batch not completed before, unless it is settled
     * @param receipt its result; null if it has none
     * @param failure why not; null if there is a receipt or the batch is settled
     */
    private void finish(OutgoingBatch batch, Receipt receipt, Throwable failure) {
        batch.isDone = true;
        line.remove(batch);
        completions.execute(() -> {
            // First, so that who hears the result finds room; a slow listener to results holds back the next release.
            left.accept(batch);
            if (batch.isSettled) {
                return;
            }
            if (failure == null) {
                batch.complete(receipt);
            } else {
                batch.completeExceptionally(failure);
            }
        });
        checkDrained();
    }

    private void checkDrained() {
        if (isDraining && line.isEmpty()) {
            drained.complete(null);
        }
    }
}
