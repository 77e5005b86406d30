package io.sealbook.client.submission;

import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.ResentBatch;
import io.sealbook.client.codec.BatchSigner;
import io.sealbook.client.codec.SessionEncoder;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.CompletionThread;
import io.sealbook.client.connection.GatewayEvents;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.vocabulary.BatchPosition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The path from orders to receipts, wired; any thread may submit. */
public final class SubmissionPipeline {
    private final SubmissionConfig config;
    private final ClientLoop loop;
    private final CompletionThread completions;
    private final BatchAssembler assembler;
    private final SigningPool signing;
    private final BatchSubmitter submitter;
    private final ChainHeights heights;
    private final Optional<OutboxWriter> outboxWriter;
    private volatile List<ResentBatch> resent = List.of();
    private volatile BatchPosition position;

    /**
     * Wires the stages; nothing runs before {@link #start}.
     *
     * @param name prefix of the threads' names
     * @param config limits and times
     * @param loop on which batches are sent and receipts compared
     * @param counters batches, refusals and failovers are counted there
     * @param quorum how many nodes must say the same
     * @param encoders makes the encoder of a session that goes on at a position
     * @param sessions which sessions the client may take, and what it has left of an earlier run
     * @param signer called once by each signing thread
     */
    public SubmissionPipeline(
            String name,
            SubmissionConfig config,
            ClientLoop loop,
            ClientCounters counters,
            AnswerQuorum quorum,
            Function<BatchPosition, SessionEncoder> encoders,
            SessionTerms sessions,
            Supplier<BatchSigner> signer) {
        this.config = config;
        this.loop = loop;
        this.completions = new CompletionThread(name + "-completions");
        this.heights = new ChainHeights(quorum);
        this.assembler = new BatchAssembler(config, quorum.capacity(), new Line(), counters);
        this.outboxWriter = sessions.outbox()
                .map(outbox -> new OutboxWriter(name + "-outbox", outbox, this::onKept, this::onNotKept));
        EarlierRun earlier = new EarlierRun(sessions, quorum.capacity());
        Logon logon = sessions.range()
                .map(range -> earlier.isEmpty()
                        ? new SessionLogon(quorum, range, first -> begin(encoders.apply(first)))
                        : new ResumingLogon(quorum, earlier, number -> {
                            resume(earlier, number);
                            begin(encoders.apply(earlier.next()));
                        }))
                .orElse(Logon.NONE);
        this.submitter = new BatchSubmitter(
                config, loop, completions, counters, heights, logon, new Session(), outboxWriter.isPresent());
        submitter.takeOver(earlier.batches());
        this.signing = new SigningPool(
                name + "-signing", config.signingThreads(), signer, () -> heights.proven() + config.validityBlocks());
    }

    private void begin(SessionEncoder encoder) {
        position = encoder.next();
        outboxWriter.ifPresent(writer -> writer.begin(position.number()));
        signing.open(encoder);
    }

    private void resume(EarlierRun earlier, long deliveredThrough) {
        resent = earlier.after(deliveredThrough);
        submitter.onDeliveredThrough(deliveredThrough);
    }

    private void onSigned(OutgoingBatch batch) {
        if (outboxWriter.isPresent()) {
            outboxWriter.get().put(batch);
        } else {
            onKept(batch);
        }
    }

    private void onKept(OutgoingBatch batch) {
        loop.execute(() -> submitter.onSigned(batch));
    }

    private void onNotKept(OutgoingBatch batch, Throwable cause) {
        loop.execute(() -> submitter.onSigningFailed(batch, cause));
    }

    /** Returns the batches of an earlier run that are sent again; empty before {@link #start} has completed. */
    public List<ResentBatch> resent() {
        return resent;
    }

    /**
     * Returns where the client's first batch is in its session; null before {@link #start} has completed, or if it
     * takes none.
     */
    public BatchPosition firstPosition() {
        return position;
    }

    /** Returns why the answers of nodes do not let the session begin; empty if they do, or there is none. */
    public Optional<String> obstacle() {
        return submitter.obstacle();
    }

    /** Returns what the links of this pipeline report to. */
    public GatewayEvents events() {
        return submitter;
    }

    /**
     * Starts the links; the future completes once batches can be valid and be sent.
     *
     * @param links one per node, by node id, not yet started; nodes come and go at its end
     * @param homeNode id of the node that batches are sent to while it is healthy
     */
    public CompletableFuture<Void> start(List<GatewayLink> links, int homeNode) {
        loop.execute(() -> submitter.start(links, homeNode));
        return submitter.ready();
    }

    /** Forgets what a node said, because another one has its id now, or none; loop thread. */
    public void forget(int nodeId) {
        submitter.forget(nodeId);
    }

    /** Submits an order with others; waits for room as configured, but never on the thread that makes room. */
    public Optional<CompletableFuture<Receipt>> submit(Order order) {
        return assembler.add(order, waitNs());
    }

    public Optional<CompletableFuture<Receipt>> trySubmit(Order order) {
        return assembler.add(order, 0);
    }

    /** Waits for room for a batch of its own, as {@link #submit} does. */
    public Optional<BatchReservation> reserve() {
        return assembler.reserve(waitNs());
    }

    public Optional<CompletableFuture<Receipt>> trySubmit(List<Order> orders) {
        return assembler.addBatch(orders, 0);
    }

    /** Submits a renewal of the session's time, for which there are places beside {@link #inFlight}. */
    public Optional<CompletableFuture<Receipt>> tryRenew(Order renewal) {
        return assembler.addRenewal(renewal);
    }

    public int inFlight() {
        return assembler.inFlight();
    }

    /** Returns the highest block that f+1 nodes report as delivered; -1 before f+1 nodes have answered. Any thread. */
    public long chainHeight() {
        return heights.proven();
    }

    /** Closes the open batch and takes no more. */
    public void end() {
        assembler.end();
    }

    /** Takes no more; the future completes when no batch is without a result. */
    public CompletableFuture<Void> drain() {
        end();
        CompletableFuture<Void> drained = new CompletableFuture<>();
        loop.execute(() -> submitter.drain().thenRun(() -> drained.complete(null)));
        return drained;
    }

    /**
     * Takes no more and ends every batch that is left; loop thread only.
     *
     * @param fact message of the {@link io.sealbook.client.ClientClosedException}
     * @param cause its cause; null when the client was closed
     */
    public void abandonAll(String fact, Throwable cause) {
        assembler.end();
        submitter.abandonAll(fact, cause);
    }

    /** Stops the threads, after the available results have been delivered. */
    public void close(long timeoutNs) throws InterruptedException {
        signing.close();
        completions.close(timeoutNs);
        if (outboxWriter.isPresent()) {
            outboxWriter.get().close(timeoutNs);
        }
    }

    private long waitNs() {
        return completions.isCurrent() || loop.isLoopThread() ? 0 : config.submitTimeoutNs();
    }

    private final class Session implements SessionListener {
        @Override
        public void onLeft(OutgoingBatch batch) {
            if (batch.isInBlock) {
                outboxWriter.ifPresent(writer -> writer.done(batch.sealed().number()));
            }
            if (!batch.isOfEarlierRun) {
                assembler.release(batch);
            }
        }

        @Override
        public void onEnded(long number) {
            outboxWriter.ifPresent(writer -> writer.end(number));
        }

        @Override
        public void onRefused(long number, String why) {
            outboxWriter.ifPresent(writer -> writer.refused(number, why));
        }
    }

    private final class Line implements BatchAssembler.Line {
        /** One timer serves all batches, however many are filled before their delay. Loop thread only. */
        private boolean isTimerSet;

        @Override
        public void onClosed(OutgoingBatch batch) {
            loop.execute(() -> submitter.onClosed(batch));
            signing.sign(batch, SubmissionPipeline.this::onSigned, cause -> onNotKept(batch, cause));
        }

        @Override
        public void onOpened() {
            loop.execute(() -> {
                if (!isTimerSet) {
                    isTimerSet = true;
                    loop.schedule(config.batchDelayNs(), this::onTimer);
                }
            });
        }

        private void onTimer() {
            long leftNs = assembler.closeIfDue();
            isTimerSet = leftNs > 0;
            if (isTimerSet) {
                loop.schedule(leftNs, this::onTimer);
            }
        }
    }
}
