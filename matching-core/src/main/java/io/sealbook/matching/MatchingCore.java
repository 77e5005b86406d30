package io.sealbook.matching;

import io.sealbook.matching.book.LevelSink;
import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.matching.book.PriceRange;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * The matching engine as a function: committed blocks in, execution reports, trades and the result digest out. Equal
 * configurations and equal blocks give equal bytes on every machine. Block time is the only clock. One thread owns a
 * core; queries are answered between calls on that thread.
 *
 * <p>Life of a block: {@link #beginBlock}, {@link #onBatch} for each batch in order, {@link #endBlock}. Anything else
 * is a broken invariant and throws {@link BrokenInvariantException}; the core must not be used after one.
 */
public final class MatchingCore {
    private static final long NS_PER_DAY = 86_400_000_000_000L;
    /** From here on looking ahead gains more than it costs: 2 MiB of orders, and half as much beside them. */
    private static final int LOOK_AHEAD_ORDERS_MIN = 1 << 15;

    private MarketConfig config;
    private final Instruments instruments;
    private IdIndex brokers;
    private BrokerTerms brokerTerms;
    private final BrokerRates rates;
    private final OrderBooks books;
    private final SessionNumbers numbers;
    private final ResultDigest digest;
    private final ReportWriter reports;
    private final SessionRequests requests;
    private final EntryHandler handler;
    private final EntryLookAhead lookAhead;
    private final BatchReader reader;
    private final Entry entry = new Entry();
    /** Applied when the next block begins; null if nothing changes. */
    private Reconfiguration reconfiguration;
    /** The last one that was begun; null before. */
    private CoreSnapshot snapshot;

    /** Of the configuration under which the last begun block is the first; null if it is not. */
    private Digest boundConfiguration;

    private boolean isInBlock;
    private long lastSequence;
    private long lastBlockTimeNs = Long.MIN_VALUE;
    private long batchCount;
    private long ignoredBatchCount;
    private long entryCount;
    private long blockFirstEntry;
    private long blockFirstTrade;

    /** Makes an empty market before block 1. */
    public MatchingCore(MarketConfig config) {
        this(config, 0);
    }

    /**
     * Makes an empty market before block 1.
     *
     * @param config the agreed rules; equal on all replicas
     * @param hashSeed decides where ids lie in memory and nothing else: each replica may choose its own at random, so
     *     that no broker can choose ids that collide
     */
    public MatchingCore(MarketConfig config, long hashSeed) {
        this(config, hashSeed, LOOK_AHEAD_ORDERS_MIN);
    }

    /** @param lookAheadOrdersMin live orders from which on {@link EntryLookAhead} is used; changes no result */
    MatchingCore(MarketConfig config, long hashSeed, int lookAheadOrdersMin) {
        this(config, hashSeed, lookAheadOrdersMin, MassCancels.VISITS_MAX);
    }

    /** @param visitsMax of {@link MassCancels}; decides results */
    MatchingCore(MarketConfig config, long hashSeed, int lookAheadOrdersMin, int visitsMax) {
        this.config = config;
        this.instruments = new Instruments(config.instruments());
        int[] brokerIds = brokerIds(config);
        this.brokers = new IdIndex(brokerIds);
        this.brokerTerms = new BrokerTerms(config.brokers());
        this.rates = new BrokerRates(config.brokers());
        this.books = new OrderBooks(prices(config), brokerIds.length, config.liveOrderCountMax(), hashSeed);
        this.numbers = new SessionNumbers(brokerIds.length, config.sessionsPerBroker());
        this.digest = new ResultDigest();
        this.reports = new ReportWriter(digest, brokerIds);
        this.requests = new SessionRequests(instruments, books, reports, config, visitsMax);
        this.handler = new EntryHandler(instruments, config.brokers(), books, reports, requests);
        this.lookAhead = new EntryLookAhead(instruments, books, lookAheadOrdersMin);
        this.reader = new BatchReader(config.orderCountMax());
    }

    /** Returns the configuration of the last begun block. */
    public MarketConfig config() {
        return config;
    }

    /** Returns the digest of the configuration under which the last begun block is the first; empty if it is not. */
    public Optional<Digest> boundConfiguration() {
        return Optional.ofNullable(boundConfiguration);
    }

    /**
     * Has the next block, and those after it, executed under another configuration. Its first effects are reports of
     * that block: resting orders that it does not admit are cancelled. Until the block begins nothing changes, and no
     * snapshot can be written.
     *
     * @param next has the numbers of the market that the present one has, and all its brokers and instruments at their
     *     places; further ones follow
     * @throws BrokenInvariantException if a block is open, or {@code next} does not continue the present configuration
     */
    public void reconfigure(MarketConfig next) {
        checkBetweenBlocks();
        Reconfiguration change = Reconfiguration.between(config, next);
        reconfiguration = next.equals(config) ? null : change;
    }

    /**
     * Begins the next block. First it cancels orders of sessions that were silent too long, and orders that mass
     * cancels have taken; on the first block of a new trading day it expires those that were good for the day.
     *
     * @param sequence the last block's plus 1
     * @param blockTimeNs agreed time, ns since the epoch, not before the last block's
     * @param output receives the outputs of the block until {@link #endBlock} returns
     * @throws BrokenInvariantException if a block is open, the sequence has a gap or time goes backwards
     */
    public void beginBlock(long sequence, long blockTimeNs, MatchingOutput output) {
        checkBetweenBlocks();
        if (sequence != lastSequence + 1) {
            throw new BrokenInvariantException("block " + sequence + " follows block " + lastSequence);
        }
        if (blockTimeNs < lastBlockTimeNs) {
            throw new BrokenInvariantException("block " + sequence + ": time " + blockTimeNs
                    + " ns is before the last block's " + lastBlockTimeNs);
        }
        isInBlock = true;
        boolean isNewDay = lastSequence != 0 && tradingDay(blockTimeNs) != tradingDay(lastBlockTimeNs);
        lastSequence = sequence;
        lastBlockTimeNs = blockTimeNs;
        blockFirstEntry = entryCount;
        blockFirstTrade = reports.lastTradeId();
        reports.beginBlock(sequence, blockTimeNs, output);
        boundConfiguration = null;
        if (reconfiguration != null) {
            apply(reconfiguration);
        }
        handler.beginBlock(blockTimeNs);
        if (isNewDay) {
            handler.expireDayOrders();
        }
    }

    private void apply(Reconfiguration change) {
        MarketConfig next = change.to();
        if (snapshot != null) {
            snapshot.writeOrders();
        }
        if (change.isEffective()) {
            boundConfiguration = Digest.of(ConfigDigest.of(next));
            digest.configuration(boundConfiguration);
        }
        change.cancelUnfit(books, instruments.ids(), reports);
        int[] brokerIds = brokerIds(next);
        brokers = new IdIndex(brokerIds);
        brokerTerms = new BrokerTerms(next.brokers());
        rates.setBrokers(next.brokers());
        instruments.set(next.instruments());
        handler.setBrokers(next.brokers());
        books.reshape(prices(next), brokerIds.length);
        numbers.grow(brokerIds.length);
        requests.cancelAfter().grow(brokerIds.length);
        reports.grow(brokerIds);
        config = next;
        reconfiguration = null;
    }

    /**
     * Executes a batch of the open block. Bytes that are no batch, or whose broker is not in the configuration, are
     * counted and leave no other trace; every other refusal is a report.
     *
     * @param batchIndex position of the batch in its block, from 0
     * @param buffer holds the SBE OrderBatch, with or without the 65 bytes of its signature; read only during the call
     * @param offset where the batch begins in {@code buffer}
     * @param length bytes of the batch, with or without its signature
     */
    public void onBatch(int batchIndex, DirectBuffer buffer, int offset, int length) {
        checkInBlock();
        batchCount++;
        OrderBatchDecoder batch = reader.read(buffer, offset, length);
        int broker = batch == null ? IdIndex.MISSING : brokers.position((int) batch.brokerId());
        if (broker == IdIndex.MISSING) {
            ignoredBatchCount++;
            return;
        }
        int at = offset + SignedBatch.ORDERS_OFFSET;
        int count = batch.orders().count();
        RejectReason reason = admit(broker, batch);
        if (reason == RejectReason.NONE && !rates.take(broker, buffer, at, count, lastBlockTimeNs)) {
            reason = RejectReason.RATE_QUOTA;
        }
        beginBatch(broker, batch.session(), reason);
        for (int orderIndex = 0; orderIndex < count; orderIndex++, at += SignedBatch.ORDER_LENGTH) {
            if (orderIndex % EntryLookAhead.WINDOW == 0) {
                lookAhead.look(broker, buffer, at, Math.min(EntryLookAhead.WINDOW, count - orderIndex));
            }
            entry.read(buffer, at);
            entryCount++;
            reports.cause(batchIndex, orderIndex);
            if (reason == RejectReason.NONE || isExecutedAnyway(reason)) {
                handler.onEntry(broker, entry);
            } else {
                handler.refuse(broker, entry, reason);
            }
        }
    }

    /** A batch in time shows that the program of its session lives. */
    private void beginBatch(int broker, int session, RejectReason reason) {
        handler.beginBatch(session);
        if (reason == RejectReason.NONE || isOfLimitedBroker(reason)) {
            requests.cancelAfter().onBatch(broker * config.sessionsPerBroker() + session, lastBlockTimeNs);
        }
    }

    /** Such a broker may cancel, and set when its orders are cancelled; a cancel never comes too late. */
    private boolean isExecutedAnyway(RejectReason reason) {
        byte action = Kind.action(entry.kind);
        return Kind.isCancel(action)
                && (isOfLimitedBroker(reason) || reason == RejectReason.TIME_TO_LIVE && action != Kind.CANCEL_AFTER);
    }

    private static boolean isOfLimitedBroker(RejectReason reason) {
        return reason == RejectReason.BROKER_SUSPENDED || reason == RejectReason.RATE_QUOTA;
    }

    /** Decides whether a batch as a whole may be executed, and remembers its number if so. */
    private RejectReason admit(int broker, OrderBatchDecoder batch) {
        if (batch.chainId() != config.chainId()
                || batch.reserved() != 0
                || batch.session() >= config.sessionsPerBroker()) {
            return RejectReason.INVALID_FIELD;
        }
        long validUntilBlock = batch.validUntilBlock();
        if (validUntilBlock < lastSequence || validUntilBlock - lastSequence > config.validityBlocksMax()) {
            return RejectReason.BATCH_EXPIRED;
        }
        int session = broker * config.sessionsPerBroker() + batch.session();
        long number = batch.number();
        if (!numbers.isNext(session, number)) {
            return RejectReason.BATCH_DUPLICATE;
        }
        numbers.onExecuted(session, number);
        RejectReason reason = brokerTerms.judge(broker, batch.keyId(), lastSequence);
        return reason == RejectReason.NONE && isLate(batch) ? RejectReason.TIME_TO_LIVE : reason;
    }

    /** Returns whether the block's time is after the batch's time to live. */
    private boolean isLate(OrderBatchDecoder batch) {
        int timeToLive = batch.timeToLive();
        if (timeToLive == 0 || lastBlockTimeNs <= batch.sentTimeNs()) {
            return false;
        }
        // The difference is positive and may exceed 63 bits: the broker's clock is any number.
        long age = lastBlockTimeNs - batch.sentTimeNs();
        return Long.compareUnsigned(age, timeToLive * BatchView.TIME_TO_LIVE_UNIT_NS) > 0;
    }

    /**
     * Ends the block and moves the result digest on.
     *
     * @throws BrokenInvariantException if no block is open
     */
    public void endBlock() {
        checkInBlock();
        reports.endBlock();
        isInBlock = false;
    }

    /** Returns the result digest of the last ended block; {@link Digest#ZERO} before block 1. */
    public Digest resultDigest() {
        return digest.value();
    }

    /** Returns the last begun block's sequence, 0 before block 1. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Returns the last begun block's time, ns since the epoch; {@link Long#MIN_VALUE} before block 1. */
    public long lastBlockTimeNs() {
        return lastBlockTimeNs;
    }

    /** Returns how many batches came, ignored ones included. */
    public long batchCount() {
        return batchCount;
    }

    /** Returns how many batches were no batch or of an unknown broker. */
    public long ignoredBatchCount() {
        return ignoredBatchCount;
    }

    /** Returns how many entries of batches were handled, refused ones included. */
    public long entryCount() {
        return entryCount;
    }

    /** Returns how many entries were refused. */
    public long refusedEntryCount() {
        return handler.refusedCount();
    }

    /** Returns how many execution reports were made. */
    public long reportCount() {
        return reports.lastExecId();
    }

    /** Returns how many trades were made. */
    public long tradeCount() {
        return reports.lastTradeId();
    }

    /** Returns how many entries the last begun block has had. */
    public int blockEntryCount() {
        return (int) (entryCount - blockFirstEntry);
    }

    /** Returns how many trades the last begun block has made. */
    public int blockTradeCount() {
        return (int) (reports.lastTradeId() - blockFirstTrade);
    }

    /** Returns how many orders rest. */
    public int liveOrderCount() {
        return books.orders().count();
    }

    /**
     * Returns how many orders of a broker rest.
     *
     * @throws IllegalArgumentException if the broker is not in the configuration
     */
    public int liveOrderCount(int brokerId) {
        return books.liveOrderCount(brokerPosition(brokerId));
    }

    /**
     * Returns the number of the last executed batch of a session, unsigned; 0 before the first.
     *
     * @param brokerId as in the configuration
     * @param session 0..sessionsPerBroker - 1
     * @throws IllegalArgumentException if there is no such broker or session
     */
    public long lastNumber(int brokerId, int session) {
        Require.that(0 <= session && session < config.sessionsPerBroker(), "unknown session " + session);
        return numbers.last(brokerPosition(brokerId) * config.sessionsPerBroker() + session);
    }

    /**
     * Returns a broker's last report sequence, 0 when it has none.
     *
     * @throws IllegalArgumentException if the broker is not in the configuration
     */
    public long lastReportSequence(int brokerId) {
        return reports.reportSequence(brokerPosition(brokerId));
    }

    private int brokerPosition(int brokerId) {
        int broker = brokers.position(brokerId);
        Require.that(broker != IdIndex.MISSING, "unknown broker " + Integer.toUnsignedString(brokerId));
        return broker;
    }

    /**
     * Shows the best buy levels, best first.
     *
     * @param instrumentId as in the configuration
     * @param levelCountMax at least 1
     * @param sink called once per level, on this thread
     * @return how many were shown: at most {@code levelCountMax}, 0 for an unknown instrument
     */
    public int bids(int instrumentId, int levelCountMax, LevelSink sink) {
        return depth(instrumentId, 0, levelCountMax, sink);
    }

    /**
     * Shows the best sell levels, best first.
     *
     * @param instrumentId as in the configuration
     * @param levelCountMax at least 1
     * @param sink called once per level, on this thread
     * @return how many were shown: at most {@code levelCountMax}, 0 for an unknown instrument
     */
    public int asks(int instrumentId, int levelCountMax, LevelSink sink) {
        return depth(instrumentId, 1, levelCountMax, sink);
    }

    private int depth(int instrumentId, int side, int levelCountMax, LevelSink sink) {
        int book = instruments.position(instrumentId);
        return book == IdIndex.MISSING ? 0 : books.depth(book, side, levelCountMax, sink);
    }

    /**
     * Returns a broker's live order; empty if none has this ClOrdID, a mass cancel has taken it, or the broker is
     * unknown.
     *
     * @param brokerId as in the configuration
     * @param clOrdId the order's present one
     */
    public Optional<RestingOrder> findOrder(int brokerId, long clOrdId) {
        int broker = brokers.position(brokerId);
        if (broker == IdIndex.MISSING) {
            return Optional.empty();
        }
        int slot = books.find(broker, clOrdId);
        if (slot == OrderStore.NONE || requests.massCancels().isTaken(slot)) {
            return Optional.empty();
        }
        OrderState order = new OrderState();
        order.load(books, instruments.ids(), slot);
        Side side = Side.get(Kind.side(order.kind));
        return Optional.of(new RestingOrder(
                order.orderId,
                brokerId,
                clOrdId,
                order.account,
                order.instrumentId,
                side,
                TimeInForce.get(Kind.timeInForce(order.kind)),
                order.price,
                order.quantity,
                order.leaves,
                order.cumValue));
    }

    /**
     * Writes the state between two blocks; {@link SnapshotCodec} tables the bytes.
     *
     * @param stream stays open; needs no buffer, writes come in pieces of 64 KiB
     * @throws IOException if the stream fails
     * @throws BrokenInvariantException if a block is open, the next one is to have another configuration, or a snapshot
     *     is being written
     */
    public void writeSnapshot(OutputStream stream) throws IOException {
        CoreSnapshot whole = beginSnapshot(stream);
        try {
            whole.advance(Integer.MAX_VALUE);
        } finally {
            whole.abandon();
        }
    }

    /**
     * Begins to write the state of now, between two blocks; the core may go on before it is whole.
     *
     * @param stream as for {@link #writeSnapshot}; used until the snapshot is whole or given up
     * @throws IOException if the stream fails
     * @throws BrokenInvariantException as for {@link #writeSnapshot}
     */
    public CoreSnapshot beginSnapshot(OutputStream stream) throws IOException {
        checkMayBeWritten();
        snapshot = new CoreSnapshot(codec(), progress(), books, stream);
        return snapshot;
    }

    private void checkMayBeWritten() {
        checkBetweenBlocks();
        if (reconfiguration != null) {
            throw new BrokenInvariantException("the core was reconfigured after block " + lastSequence);
        }
    }

    /** Returns SHA-256 over the canonical bytes of the state; costs a pass over all live orders. */
    public byte[] stateDigest() {
        checkMayBeWritten();
        try {
            return codec().digest(progress());
        } catch (IOException e) {
            throw new UncheckedIOException("a stream that goes nowhere cannot fail", e);
        }
    }

    /**
     * Restores a core that continues exactly as the written one would.
     *
     * @param config equal to the one it was written under
     * @param stream stays open; read to the end of the snapshot and not beyond; should be buffered
     * @throws SnapshotException if the bytes are damaged, cut, or of another configuration
     * @throws IOException if the stream fails
     */
    public static MatchingCore readSnapshot(MarketConfig config, InputStream stream) throws IOException {
        return readSnapshot(config, stream, 0);
    }

    /**
     * Restores a core as {@link #readSnapshot(MarketConfig, InputStream)} does, with its own hash seed.
     *
     * @param config equal to the one it was written under
     * @param stream as there
     * @param hashSeed as for the constructor; need not be the one of the writer
     */
    public static MatchingCore readSnapshot(MarketConfig config, InputStream stream, long hashSeed) throws IOException {
        return readSnapshot(config, stream, hashSeed, MassCancels.VISITS_MAX);
    }

    static MatchingCore readSnapshot(MarketConfig config, InputStream stream, long hashSeed, int visitsMax)
            throws IOException {
        MatchingCore core = new MatchingCore(config, hashSeed, LOOK_AHEAD_ORDERS_MIN, visitsMax);
        core.restore(core.codec().read(stream));
        return core;
    }

    private static int[] brokerIds(MarketConfig config) {
        return config.brokers().stream().mapToInt(BrokerConfig::brokerId).toArray();
    }

    private static List<PriceRange> prices(MarketConfig config) {
        return config.instruments().stream().map(InstrumentConfig::prices).toList();
    }

    private SnapshotCodec codec() {
        return new SnapshotCodec(config, books, numbers, digest, reports, handler, requests, rates);
    }

    private SnapshotCodec.Progress progress() {
        return new SnapshotCodec.Progress(lastSequence, lastBlockTimeNs, batchCount, ignoredBatchCount, entryCount);
    }

    private void restore(SnapshotCodec.Progress progress) {
        lastSequence = progress.sequence();
        lastBlockTimeNs = progress.blockTimeNs();
        batchCount = progress.batchCount();
        ignoredBatchCount = progress.ignoredBatchCount();
        entryCount = progress.entryCount();
        blockFirstEntry = entryCount;
        blockFirstTrade = reports.lastTradeId();
    }

    private long tradingDay(long timeNs) {
        return Math.floorDiv(timeNs + config.tradingDayOffsetNs(), NS_PER_DAY);
    }

    private void checkInBlock() {
        if (!isInBlock) {
            throw new BrokenInvariantException("no block is open after block " + lastSequence);
        }
    }

    private void checkBetweenBlocks() {
        if (isInBlock) {
            throw new BrokenInvariantException("block " + lastSequence + " is open");
        }
    }
}
