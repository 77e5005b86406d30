package io.sealbook.client.broker;

import io.sealbook.client.AccountPositions;
import io.sealbook.client.BackPressureException;
import io.sealbook.client.BatchProof;
import io.sealbook.client.BookDepth;
import io.sealbook.client.BrokerClientException;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ClientMetrics;
import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.MassCancelFilter;
import io.sealbook.client.NoAgreementException;
import io.sealbook.client.OpenOrders;
import io.sealbook.client.Order;
import io.sealbook.client.OrderTrace;
import io.sealbook.client.Receipt;
import io.sealbook.client.RequestRefusedException;
import io.sealbook.client.ResentBatch;
import io.sealbook.client.codec.BatchSigner;
import io.sealbook.client.codec.SessionEncoder;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.BoundedTime;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.CompletionThread;
import io.sealbook.client.connection.EngineChannels;
import io.sealbook.client.membership.MembershipWatch;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.client.outbox.BrokerOutbox;
import io.sealbook.client.proof.ProofJudge;
import io.sealbook.client.reports.ReportConfig;
import io.sealbook.client.reports.ReportPipeline;
import io.sealbook.client.submission.BatchReservation;
import io.sealbook.client.submission.SessionTerms;
import io.sealbook.client.submission.SubmissionConfig;
import io.sealbook.client.submission.SubmissionPipeline;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.BatchPosition;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A broker's connection to the cluster. Orders go in from any thread; what comes back is believed only when f+1 nodes
 * say the same.
 *
 * <p>A future completes with the {@link Receipt} of the batch that carries the order, or exceptionally with a
 * {@link BrokerClientException}; continuations run on one thread of the client and should be short. What became of the
 * order itself, business refusals included, comes as {@link ExecutionReport}s. While the home node is healthy, batches
 * are committed in the order in which they were submitted.
 *
 * <p>All threads are daemons. {@link #close} waits for batches in flight and may be called more than once.
 */
public final class BrokerClient implements AutoCloseable {
    private static final System.Logger log = System.getLogger(BrokerClient.class.getName());
    private static final String CHECKPOINT_HINT =
            "a program that has handled reports up to n begins after them with reportsFrom(n + 1), or with a new"
                    + " checkpoint after FileCheckpointer.handled(n)";
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private final BrokerClientBuilder settings;
    /** Null before f + 1 nodes have reported the configuration. */
    private volatile OrderValidator validator;

    private volatile Genesis terms;
    private final MembershipWatch membership;
    private final ClientCounters counters = new ClientCounters();
    private final ClientLoop loop;
    private final SubmissionPipeline submission;
    private final Optional<ReportPipeline> reports;
    private final Optional<MassCancelResults> massCancels;
    /** A test sees two threads set the time. */
    final SessionHeartbeat heartbeat;

    private final NodeLinks links;
    /** Not that of receipts: what a program does with a receipt may wait for an answer, and the other way round. */
    private final CompletionThread answers;

    private final ProofRequests proofs;
    private final EngineChannels engineChannels;
    private final BookRequests books;
    private final EngineQuestions questions;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Throwable brokenBy;

    /**
     * Makes a client that is not connected.
     *
     * @param settings of the client
     * @param terms of its session; the outbox stays the caller's if this throws
     */
    BrokerClient(BrokerClientBuilder settings, SessionTerms terms) {
        this.settings = settings;
        Genesis genesis = settings.genesis.genesis();
        String name = "sealbook-broker-" + Integer.toUnsignedString(settings.brokerId);
        AnswerQuorum quorum = AnswerQuorum.of(settings.nodeCount());
        this.loop = new ClientLoop(name + "-loop", this::onBroken);
        SubmissionConfig config = settings.submissionConfig();
        int orderCountMax = genesis.getParameters().getOrderCountMax();
        this.submission = new SubmissionPipeline(
                name,
                config,
                loop,
                counters,
                quorum,
                position -> new SessionEncoder(
                                genesis.getChainId(),
                                settings.brokerId,
                                settings.keyId,
                                settings.signer.scheme(),
                                orderCountMax,
                                position)
                        .timeToLive(settings.timeToLive()),
                terms,
                () -> new BatchSigner(genesis.getChainId(), settings.signer));
        this.membership = new MembershipWatch(
                settings.genesis,
                settings.members,
                settings.proofFile(),
                settings.firstProofTimeout,
                quorum,
                loop,
                followed());
        boolean isOutboxUsed = terms.outbox().flatMap(BrokerOutbox::next).isPresent();
        this.massCancels = Optional.ofNullable(settings.listener).map(MassCancelResults::new);
        this.reports = massCancels.map(listener -> openReports(name, quorum, listener, isOutboxUsed));
        this.links = new NodeLinks(
                settings.members.nodes(), quorum, settings, loop, counters, membership, submission, reports);
        this.heartbeat = new SessionHeartbeat(loop, submission, counters, settings.timeToLive() != 0);
        this.engineChannels = new EngineChannels(settings.linkConfig());
        this.answers = new CompletionThread(name + "-answers");
        this.books = new BookRequests(loop, answers, settings.linkConfig(), engineChannels, quorum, links::nodes);
        this.questions = new EngineQuestions(
                loop,
                answers,
                settings.linkConfig(),
                engineChannels,
                quorum,
                links::nodes,
                settings.firstQuestionRound);
        this.proofs = new ProofRequests(
                loop,
                answers,
                new ProofJudge(settings.genesis),
                links::gateways,
                membership,
                settings.firstProofTimeout);
    }

    public static BrokerClientBuilder builder() {
        return new BrokerClientBuilder();
    }

    BrokerClient connect() {
        loop.start();
        CompletableFuture<Void> ready = links.start(settings.homeNode);
        try {
            CompletableFuture.allOf(ready, membership.known())
                    .get(settings.connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw connectFailed(submission.obstacle().orElse("too few nodes answered") + " within "
                    + settings.connectTimeout
                    + membership.refusals().entrySet().stream()
                            .map(each -> "; membership proof of node " + each.getKey() + " refused: " + each.getValue())
                            .collect(Collectors.joining()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw connectFailed("interrupted");
        } catch (ExecutionException e) {
            boolean isFirstLost = e.getCause() instanceof NoAgreementException;
            throw connectFailed(e.getCause() + (isFirstLost ? "; " + CHECKPOINT_HINT : ""));
        }
        return this;
    }

    /**
     * Submits an order, in a batch with others that come within the batch delay. Waits for room where there is none.
     *
     * @throws InvalidOrderException if the present configuration says that it will be refused
     * @throws BackPressureException if no room came within the submit timeout
     * @throws ClientClosedException if the client is closed
     * @throws IllegalStateException if the client is read-only
     */
    public CompletableFuture<Receipt> submit(Order order) {
        checkMaySubmit();
        validator.check(0, order);
        return submission.submit(order).orElseThrow(this::noRoom);
    }

    /**
     * Submits the orders as one batch, executed in the list's order; otherwise as {@link #submit(Order)}.
     *
     * @param orders 1..orderCountMax of the genesis file
     */
    public CompletableFuture<Receipt> submit(List<Order> orders) {
        return place(orders).put(orders);
    }

    /** Checks orders, and waits for room for a batch of them. */
    BatchReservation place(List<Order> orders) {
        checkMaySubmit();
        validator.check(orders);
        return submission.reserve().orElseThrow(this::noRoom);
    }

    /** As {@link #submit(Order)}, but empty at once where there is no room. */
    public Optional<CompletableFuture<Receipt>> trySubmit(Order order) {
        checkMaySubmit();
        validator.check(0, order);
        return submission.trySubmit(order);
    }

    /** As {@link #submit(List)}, but empty at once where there is no room. */
    public Optional<CompletableFuture<Receipt>> trySubmit(List<Order> orders) {
        checkMaySubmit();
        validator.check(orders);
        return submission.trySubmit(orders);
    }

    /**
     * Cancels all resting orders of the broker that pass a filter, of all its sessions unless the filter has one. It is
     * a batch of its own after all that was submitted before. From the block that holds it on, none of these orders
     * trades; each is reported with ExecType CANCELED and the reason MASS_CANCEL.
     *
     * @param clOrdId id of the request, unsigned, not 0, that no report so far has named
     * @param filter which orders
     * @return the number of orders that it has cancelled, after the listener had their reports; of very many orders
     *     some blocks later. It fails as {@link #submit(Order)} does, or with {@link RequestRefusedException}; and with
     *     {@link ClientClosedException} if the listener has failed, so that no report comes: the request is sent all
     *     the same
     * @throws IllegalStateException if the client has no listener, because the result is a report; or is read-only
     * @throws IllegalArgumentException if a mass cancel of this id has no result yet
     * @throws InvalidOrderException if the present configuration says that it will be refused
     * @throws BackPressureException if no room came within the submit timeout
     * @throws ClientClosedException if the client is closed
     */
    public CompletableFuture<Long> massCancel(long clOrdId, MassCancelFilter filter) {
        MassCancelResults results = massCancels.orElseThrow(
                () -> new IllegalStateException("the result of a mass cancel is a report: use executionReports"));
        checkMaySubmit();
        Order request = Order.massCancel(
                clOrdId,
                filter.isOfOwnSession() ? filter.ofSession(firstPosition().session()) : filter);
        CompletableFuture<Long> result = results.expect(clOrdId);
        try {
            submit(List.of(request)).whenComplete((receipt, failure) -> {
                if (failure != null) {
                    results.fail(clOrdId, failure);
                }
            });
        } catch (BrokerClientException e) {
            results.fail(clOrdId, e);
            throw e;
        }
        return result;
    }

    /**
     * Has the chain cancel the resting orders of this client's session if no batch of the session is executed for a
     * time, by the time of blocks: a dead man's switch, which no node can release. The first block after the time
     * begins with the cancels, before any order of it; on a quiet chain it may come later, and nothing trades before.
     * The client renews the time while it lives: by what is submitted, and by a small batch of its own if that is
     * nothing, or may come too late ({@link BrokerClientBuilder#validFor}). The batches of this method and of the
     * renewals never come too late, and renewals need no room. After it has run out the next batch begins it again.
     * {@link #close} switches it off; a client that could not say so in time leaves it on, as does a program that
     * crashes.
     *
     * <p>An order keeps the session in which it was entered, also after a replace in another one: after a rotation of
     * the key, the orders of the former session are not cancelled by the time of the new one. Cancel them, and enter
     * them again.
     *
     * @param time 1 s to 24 h in steps of 10 ms, longer than an outage of the connection that orders may outlive; zero
     *     switches it off
     * @return the receipt of the batch that sets it; if it fails, the client goes back to the last time that has a
     *     receipt, and submits that
     * @throws IllegalArgumentException if the time is another one
     * @throws BackPressureException if no room came within the submit timeout
     * @throws ClientClosedException if the client is closed
     * @throws IllegalStateException if the client is read-only
     */
    public CompletableFuture<Receipt> cancelAfter(Duration time) {
        return heartbeat.set(time, this::place);
    }

    /**
     * Fetches the proof that a batch stands where its receipt says, with its signed bytes, and verifies it: hashes,
     * Merkle path, and the signatures of a quorum of the nodes. Nodes are asked one after another until one has a proof
     * that holds; each has 10 s, twice as long after all were late, and at most half of what is left of the limit. It
     * exists with the next certificate: that of a multiple of the checkpoint interval, or a second after the last block
     * of a quiet chain.
     *
     * <p>The signatures of the nodes of that epoch count. After a change of the configuration that is not proven yet
     * the client fetches its membership proof first.
     *
     * @param receipt of a batch, of this client or another one of the chain
     * @param limit longest wait, some seconds
     * @return the proof; it fails with {@link io.sealbook.client.NoProofException} after the limit. Continuations run
     *     on one thread for all answers and should be short
     * @throws ClientClosedException if the client is closed
     */
    public CompletableFuture<BatchProof> prove(Receipt receipt, Duration limit) {
        checkOpen();
        return proofs.request(receipt, BoundedTime.of(limit));
    }

    /**
     * Fetches the best levels of a book. The engines of all nodes are asked at once, and the first state is returned
     * that f + 1 of them report of the same block: at least one of them is correct. It was the book after that block;
     * while orders are executed, later blocks have changed it.
     *
     * @param instrumentId of the genesis file, or added since
     * @param levels of each side, at least 1; engines answer at most 20 unless they are set otherwise
     * @param fromBlock the book of this block or a later one is wanted: with the block of a {@link Receipt} the orders
     *     of its batch on this instrument are in it, or have traded; 0 for the newest that engines agree on. A book is
     *     that of the last block that changed it: of a later block there is none
     * @param limit longest wait, some seconds
     * @return the book; it fails with {@link io.sealbook.client.NoAgreementException} after the limit. Continuations
     *     run on one thread for all answers and should be short
     * @throws IllegalArgumentException if {@code levels} is below 1 or {@code fromBlock} below 0
     * @throws ClientClosedException if the client is closed
     */
    public CompletableFuture<BookDepth> book(int instrumentId, int levels, long fromBlock, Duration limit) {
        checkOpen();
        requireBlock(fromBlock);
        if (levels < 1) {
            throw new IllegalArgumentException("levels " + levels + ", expected at least 1");
        }
        return books.request(instrumentId, levels, fromBlock, BoundedTime.of(limit));
    }

    /**
     * Fetches what became of an order of the broker: the signed entries that made, changed or cancelled it, and every
     * report, under whichever of its ClOrdIDs. {@link OrderTrace#status} is its state. The engines of all nodes are
     * asked, again and again, until f + 1 of them answer alike as of the same block. {@link #prove} proves an entry's
     * batch.
     *
     * @param clOrdId under which the broker entered, replaced or cancelled it, unsigned
     * @param fromBlock an answer as of this block or a later one is wanted, such as that of a {@link Receipt}; 0 for
     *     the newest that engines agree on
     * @param limit longest wait, some seconds
     * @return the trace, without steps if engines have no report on it; it fails with
     *     {@link io.sealbook.client.NoAgreementException} after the limit. Continuations run on one thread for all
     *     answers and should be short
     * @throws IllegalArgumentException if {@code fromBlock} is below 0
     * @throws ClientClosedException if the client is closed
     */
    public CompletableFuture<OrderTrace> trace(long clOrdId, long fromBlock, Duration limit) {
        return ask(EngineQuestion.trace(settings.brokerId, clOrdId), fromBlock, limit);
    }

    /**
     * Fetches the broker's orders that rest, of all its sessions; otherwise as {@link #trace}. Engines add up the
     * broker's reports for it, once: the first answer may take seconds.
     *
     * @param afterOrderId orders with greater OrderIDs are returned, at most 10,000; 0 for the first
     * @param fromBlock as of {@link #trace}
     * @param limit longest wait, some seconds
     */
    public CompletableFuture<OpenOrders> openOrders(long afterOrderId, long fromBlock, Duration limit) {
        return ask(EngineQuestion.openOrders(settings.brokerId, afterOrderId), fromBlock, limit);
    }

    /**
     * Fetches what an account has bought and sold by the broker's orders, since the first block; otherwise as
     * {@link #openOrders}.
     *
     * @param accountId of the account; one that has not traded has no positions
     * @param fromBlock as of {@link #trace}
     * @param limit longest wait, some seconds
     */
    public CompletableFuture<AccountPositions> positions(int accountId, long fromBlock, Duration limit) {
        return ask(EngineQuestion.positions(settings.brokerId, accountId), fromBlock, limit);
    }

    private <A, R> CompletableFuture<R> ask(EngineQuestion<A, R> question, long fromBlock, Duration limit) {
        checkOpen();
        requireBlock(fromBlock);
        return questions.request(question, fromBlock, BoundedTime.of(limit));
    }

    private static void requireBlock(long fromBlock) {
        if (fromBlock < 0) {
            throw new IllegalArgumentException("from block " + fromBlock);
        }
    }

    /**
     * Returns the present configuration of the chain as f + 1 nodes report it: the genesis file's content as
     * administrative transactions have changed it.
     */
    public Genesis terms() {
        return terms;
    }

    /** Returns the accounts that the broker's orders may name at present. */
    public AccountRanges accounts() {
        return validator.accounts();
    }

    /** Takes another configuration; loop thread. */
    private void onTerms(Genesis present) {
        SigningBroker signer = SigningBroker.of(present, settings.brokerId, settings.keyId, settings.signer);
        if (!signer.isKeyInEffect()) {
            log.log(
                    Level.WARNING,
                    "key {0} was revoked at block {1}: no engine executes what it signs",
                    settings.keyId,
                    signer.key().getUntilBlock());
        }
        validator = new OrderValidator(present, signer);
        terms = present;
    }

    private MembershipWatch.Listener followed() {
        return new MembershipWatch.Listener() {
            @Override
            public void onTerms(Genesis present) {
                BrokerClient.this.onTerms(present);
            }

            @Override
            public void onAddresses(List<Node> nodes) {
                links.follow(nodes);
            }
        };
    }

    /** Returns how many batches are without a result, 0..inFlightMax; renewals of {@link #cancelAfter} apart. */
    public int inFlight() {
        return submission.inFlight();
    }

    /**
     * Returns the height of the chain as far as the client can believe it: the highest block that at least f+1 nodes
     * report as delivered. The validity window of a batch is counted from here when the batch is signed.
     *
     * @return block sequence; 0 before block 1, -1 before f+1 nodes have answered
     */
    public long chainHeight() {
        return submission.chainHeight();
    }

    /** Returns where the client's first batch is in the session that it has taken; null if the client is read-only. */
    public BatchPosition firstPosition() {
        return submission.firstPosition();
    }

    /**
     * Returns the batches that an earlier run has left in the outbox and of which no block was known when the client
     * connected: they are sent again, before anything that is submitted now.
     */
    public List<ResentBatch> resent() {
        return submission.resent();
    }

    public ClientMetrics metrics() {
        return counters.snapshot();
    }

    /** Returns the state of each endpoint. For one that does not answer it tries name and port, at most 1 s each. */
    public ConnectionReport connectionReport() {
        return links.report();
    }

    /**
     * Takes no more orders, waits for results as long as the close timeout says, ends what is left with
     * {@link ClientClosedException}, delivers the reports that are agreed already, and stops all threads.
     */
    @Override
    public void close() {
        if (!isClosing.compareAndSet(false, true)) {
            awaitClosed();
            return;
        }
        long deadlineNs = System.nanoTime() + settings.closeTimeout.toNanos();
        boolean isInterrupted = false;
        try {
            heartbeat.end();
            await(submission.drain(), settings.closeTimeout.toNanos());
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        try {
            stop("client was closed before the result was known", deadlineNs);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        closed.countDown();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void stop(String fact, long deadlineNs) throws InterruptedException {
        CompletableFuture<Void> abandoned = new CompletableFuture<>();
        loop.execute(() -> {
            submission.abandonAll(fact, brokenBy);
            proofs.close(new ClientClosedException(true, fact, brokenBy));
            books.close(new ClientClosedException(true, fact, brokenBy));
            questions.close(new ClientClosedException(true, fact, brokenBy));
            engineChannels.close();
            links.close();
            abandoned.complete(null);
        });
        await(abandoned, STOP_TIMEOUT_NS);
        loop.stop();
        submission.close(STOP_TIMEOUT_NS);
        answers.close(STOP_TIMEOUT_NS);
        if (reports.isPresent()) {
            reports.get().close(Math.max(deadlineNs - System.nanoTime(), STOP_TIMEOUT_NS));
        }
        massCancels.ifPresent(results -> results.failAll(new ClientClosedException(true, fact, brokenBy)));
        links.awaitTermination(STOP_TIMEOUT_NS);
    }

    private ReportPipeline openReports(
            String name, AnswerQuorum quorum, MassCancelResults listener, boolean isOutboxUsed) {
        long first = settings.firstReport(isOutboxUsed);
        if (isOutboxUsed && first == 1) {
            log.log(
                    Level.WARNING,
                    "reports begin with 1, beside an outbox with batches of an earlier run; {0}",
                    CHECKPOINT_HINT);
        }
        ReportConfig config = new ReportConfig(
                settings.brokerId,
                first,
                settings.agreement.trustedNodeId().isPresent() ? () -> 1 : quorum::needed,
                quorum.capacity(),
                settings.reportQueueMax,
                settings.reportPatience.toNanos(),
                listener,
                Optional.ofNullable(settings.checkpointer));
        return new ReportPipeline(name, config, loop, counters);
    }

    /** A broken invariant on the loop: nothing more is sent, and each waiting call fails. Called on the loop thread. */
    private void onBroken(Throwable cause) {
        log.log(Level.ERROR, "client stops, its loop is broken", cause);
        brokenBy = cause;
        submission.abandonAll("client failed: " + cause, cause);
        massCancels.ifPresent(results -> answers.execute(
                () -> results.failAll(new ClientClosedException(true, "client failed: " + cause, cause))));
        proofs.close(new ClientClosedException(true, "client failed: " + cause, cause));
        books.close(new ClientClosedException(true, "client failed: " + cause, cause));
        questions.close(new ClientClosedException(true, "client failed: " + cause, cause));
        engineChannels.close();
        links.close();
    }

    private ConnectFailedException connectFailed(String fact) {
        ConnectFailedException failure = new ConnectFailedException(connectionReport(), fact);
        close();
        return failure;
    }

    private BackPressureException noRoom() {
        return new BackPressureException(settings.inFlightMax(), "no room for another");
    }

    private void checkMaySubmit() {
        if (settings.isReadOnly()) {
            throw new IllegalStateException("the client is read-only: it has no session");
        }
        checkOpen();
    }

    private void checkOpen() {
        if (isClosing.get() || brokenBy != null) {
            throw new ClientClosedException(false, "client is closed", brokenBy);
        }
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(Future<Void> future, long timeoutNs) throws InterruptedException {
        try {
            future.get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.log(Level.DEBUG, "deadline passed while closing; what is left is ended");
        } catch (ExecutionException e) {
            throw new IllegalStateException("never completed exceptionally", e);
        }
    }
}
