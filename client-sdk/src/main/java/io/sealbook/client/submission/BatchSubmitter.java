package io.sealbook.client.submission;

import io.sealbook.client.ClientClosedException;
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
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Sends the batches of a session in their order to one node and follows each to its result. When that node breaks,
 * stays silent or declines, the same bytes go to the next one, from the number on that it expects: the batch id makes
 * that harmless, and a new number would not be. Loop thread only.
 *
 * <pre>
 *   waiting ──stream takes it──▶ sent ──f+1 equal receipts──▶ Receipt
 *      ▲                          │ └──refused by f+1 nodes, held by none──▶ SubmitRejectedException, the session ends
 *      └─node lost, silent, busy,─┘
 *        refuses, expects an earlier number
 * </pre>
 *
 * A batch whose validity has passed completes its futures with an ExpiredException and stays in line until a block
 * holds it: the batches after it name it.
 */
final class BatchSubmitter implements GatewayEvents {
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ClientLoop loop;
    private final ClientCounters counters;
    private final ChainHeights heights;
    private final Logon logon;
    private final LogonObstacle obstacle;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final BatchLine line = new BatchLine();
    private final NodeChoice nodes;
    private final BatchSender sender;
    private final BatchResults results;
    private final SessionListener listener;
    private final ExpiryWatch expiry;
    private boolean isTickDue;
    private boolean isEndTold;

    /**
     * @param config times
     * @param loop on which everything here runs
     * @param completions completes futures
     * @param counters batches, refusals and failovers are counted there
     * @param heights what nodes report about the chain
     * @param logon finds out where the session goes on, before the first batch
     * @param listener hears what becomes of the session
     * @param hasOutbox whether a later run may send what this one has not
     */
    BatchSubmitter(
            SubmissionConfig config,
            ClientLoop loop,
            Executor completions,
            ClientCounters counters,
            ChainHeights heights,
            Logon logon,
            SessionListener listener,
            boolean hasOutbox) {
        this.loop = loop;
        this.counters = counters;
        this.heights = heights;
        this.logon = logon;
        this.obstacle = new LogonObstacle(logon);
        this.nodes = new NodeChoice(counters);
        this.sender = new BatchSender(config, loop, line, nodes, heights, counters);
        this.results = new BatchResults(line, completions, counters, listener, hasOutbox);
        this.listener = listener;
        this.expiry = new ExpiryWatch(heights, 2 * config.receiptTimeoutNs(), results::expired);
    }

    /** Starts with the links of all nodes, by node id. */
    void start(List<GatewayLink> allLinks, int homeNode) {
        nodes.begin(allLinks, homeNode);
        allLinks.forEach(GatewayLink::start);
        tickLater();
    }

    /**
     * Completes after f+1 nodes have reported their height, and, if the client takes a session, it is chosen and at
     * least one node takes batches.
     */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /**
     * Returns why the answers of nodes do not let the session begin; empty if they do, or there is none. Any thread.
     */
    Optional<String> obstacle() {
        return obstacle.text();
    }

    /** Puts in line what an earlier run has signed; before {@link #start}. It is sent once the session is known. */
    void takeOver(List<OutgoingBatch> batches) {
        for (OutgoingBatch batch : batches) {
            line.add(batch);
            line.signed(batch);
        }
    }

    /** Forgets what a node said, because another one has its id now, or none. */
    void forget(int nodeId) {
        heights.forget(nodeId);
        logon.forget(nodeId);
        obstacle.forget(nodeId);
        line.all().forEach(batch -> {
            batch.tally.forget(nodeId);
            batch.holders.clear(nodeId);
            batch.refusers.clear(nodeId);
        });
    }

    /** Ends the batches of earlier runs that are in blocks; their receipts are not asked for again. */
    void onDeliveredThrough(long number) {
        for (OutgoingBatch batch : line.all()) {
            if (batch.isOfEarlierRun && Long.compareUnsigned(batch.sealed().number(), number) <= 0) {
                results.deliveredBefore(batch);
            }
        }
    }

    void onClosed(OutgoingBatch batch) {
        if (results.isEnded()) {
            results.tooLate(batch);
        } else {
            line.add(batch);
            tickLater();
        }
    }

    void onSigned(OutgoingBatch batch) {
        if (!batch.isDone) {
            line.signed(batch);
            sender.flush();
        }
    }

    /**
     * A batch that could not be encoded has no number; one that could not be signed leaves a gap that nothing fills.
     */
    void onSigningFailed(OutgoingBatch batch, Throwable cause) {
        if (batch.isDone) {
            return;
        }
        results.failed(batch, cause);
        if (batch.sealed() != null) {
            endSession(batch, "number " + batch.sealed().number() + " was not signed", cause);
        } else {
            sender.flush();
        }
    }

    /** Completes the returned future when no batch is left without a result. */
    CompletableFuture<Void> drain() {
        return results.drain();
    }

    /**
     * Ends every batch that is left.
     *
     * @param fact message of the failure
     * @param cause its cause; null when the client was closed
     */
    void abandonAll(String fact, Throwable cause) {
        results.abandonAll(fact, cause);
    }

    @Override
    public void onStatus(GatewayLink link, NodeStatus status) {
        boolean wasKnown = isStartOfReceiptsKnown();
        heights.delivered(link.nodeId(), status.getLastDelivered());
        if (!logon.isDone()) {
            link.logon();
        }
        if (wasKnown) {
            link.openReceipts();
        } else {
            openReceiptsIfKnown();
        }
        checkReady();
    }

    /** Before the logon, batches of an earlier run are in line that have long been in blocks. */
    private boolean isStartOfReceiptsKnown() {
        return heights.isKnown() && logon.isDone();
    }

    private void openReceiptsIfKnown() {
        if (isStartOfReceiptsKnown()) {
            nodes.links().forEach(GatewayLink::openReceipts);
        }
    }

    @Override
    public void onLogon(GatewayLink link, LogonReply reply) {
        boolean wasDone = logon.isDone();
        logon.onReply(link.nodeId(), reply);
        obstacle.onReply(link.nodeId(), nodeIds());
        if (!wasDone && logon.isDone()) {
            sender.open();
            openReceiptsIfKnown();
        }
        logon.failure().ifPresent(fact -> ready.completeExceptionally(new OutboxException(fact, null)));
        checkReady();
    }

    @Override
    public void onLogonFailed(GatewayLink link, String why) {
        obstacle.onFailure(link.nodeId(), why, nodeIds());
    }

    private List<Integer> nodeIds() {
        return nodes.links().stream().map(GatewayLink::nodeId).toList();
    }

    private void checkReady() {
        if (heights.isKnown() && logon.isDone() && maySend()) {
            ready.complete(null);
        }
    }

    /** Without a session nothing is sent: nodes that take no batches have engines that answer. */
    private boolean maySend() {
        return logon == Logon.NONE || nodes.mayBegin();
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
        if (agreeing >= heights.quorum().needed()) {
            counters.receiptsIgnored.add(batch.tally.differingFrom(commit));
            onCommitted(batch, commit, agreeing);
        }
    }

    private void onCommitted(OutgoingBatch batch, BatchCommit commit, int agreeing) {
        if (commit.blockSequence() > batch.sealed().validUntilBlock()) {
            results.committedTooLate(batch, commit.blockSequence());
            return;
        }
        results.committed(
                batch,
                new Receipt(
                        batch.sealed().batchId(),
                        commit.blockSequence(),
                        commit.batchIndex(),
                        commit.blockTimeNs(),
                        commit.blockHash().toByteArray(),
                        agreeing));
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
        sender.flush();
    }

    @Override
    public void onSubmitLost(GatewayLink link, String why) {
        sender.leave(link);
    }

    private void onRefused(OutgoingBatch batch, GatewayLink link, SubmitReply reply) {
        if (batch.isOfEarlierRun && reply.getReason() == RefusalReason.NUMBER_TAKEN) {
            return; // Nodes remember a session's last batches only. Its receipts show whether it is in an older block.
        }
        batch.holders.clear(link.nodeId());
        switch (reply.getReason()) {
            case BUSY -> sender.sendAgainLater(batch, link, reply.getRetryAfterMs());
            case RATE_QUOTA -> sender.slowDown(batch, link, reply.getRetryAfterMs());
            case NOT_READY, VALIDITY_TOO_FAR -> sender.leave(link);
            case SEQUENCE_GAP -> sender.sendAgainFrom(link, reply.getExpectedNumber());
            // One node's word that the window has passed proves nothing: the heights decide, or another node takes it.
            case EXPIRED_VALIDITY -> batch.isDeclined = true;
            default -> {
                batch.refusers.set(link.nodeId());
                if (!batch.holders.isEmpty()) {
                    return; // Another node may have it: the receipt or the expiry decides.
                }
                if (batch.refusers.cardinality() >= heights.quorum().needed()) {
                    refuse(batch, link, reply);
                } else {
                    sender.leave(link); // It may be the only one that says so.
                }
            }
        }
    }

    private void refuse(OutgoingBatch batch, GatewayLink link, SubmitReply reply) {
        counters.refused.increment();
        SubmitRejectedException refusal =
                new SubmitRejectedException(reply.getReason(), link.nodeId(), reply.getDetail());
        long number = batch.sealed().number();
        String fact = "number " + number + " of the session was refused: " + reply.getReason();
        // A program that sees the failure may submit at once: nothing of that is kept.
        tellEnd(number);
        // An earlier run may have sent it to a node that has it still.
        results.failed(batch, batch.isOfEarlierRun ? new ClientClosedException(true, fact, refusal) : refusal);
        endSession(batch, fact, refusal);
        listener.onRefused(number, reply.getReason().name());
    }

    private void endSession(OutgoingBatch last, String fact, Throwable cause) {
        tellEnd(last.sealed().number());
        results.endSession(last, fact, cause);
        sender.flush();
    }

    /** Tells the listener once, before the first future fails. */
    private void tellEnd(long number) {
        if (!isEndTold && !results.isEnded()) {
            isEndTold = true;
            listener.onEnded(number);
        }
    }

    /** Looks at times while a batch has no result, or the client is not ready; an idle client sets no timer. */
    private void tickLater() {
        if (!isTickDue && (!line.isEmpty() || !results.isEnded() && !ready.isDone())) {
            isTickDue = true;
            loop.schedule(TICK_NS, this::tick);
        }
    }

    private void tick() {
        isTickDue = false;
        checkReady();
        expiry.check(line);
        sender.checkSilence();
        sender.flush();
        tickLater();
    }
}
