package io.sealbook.matching;

import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The rules of {@code doc/matching-rules.md} once more, in the plainest Java: sorted maps of queues, an object per
 * order, a list of values as output. What the core is compared with; shares no code with it beyond the configuration.
 */
final class ReferenceMarket {
    private static final long DAY_NS = 24L * 3600 * 1_000_000_000;
    private static final Side[] SIDES = {Side.BUY, Side.SELL};

    private record Key(int broker, long id) {}

    private MarketConfig config;
    private MarketConfig next;
    private final Map<Integer, InstrumentConfig> instruments = new HashMap<>();
    private final Map<Integer, BrokerConfig> brokers = new HashMap<>();
    private final Map<Integer, ReferenceBook> books = new HashMap<>();
    private final Map<Key, ReferenceOrder> live = new HashMap<>();
    /** By broker and session. */
    private final Map<Key, BigInteger> numbers = new HashMap<>();

    private final ReferenceRates rates = new ReferenceRates();
    private final ReferenceRequests requests = new ReferenceRequests(this);

    private final ReferenceOutput output = new ReferenceOutput();
    private long sequence;
    private long timeNs;
    private long orders;

    ReferenceMarket(MarketConfig config) {
        this.next = config;
        take(config);
    }

    private void take(MarketConfig taken) {
        config = taken;
        config.instruments().forEach(i -> instruments.put(i.instrumentId(), i));
        config.instruments().forEach(i -> books.putIfAbsent(i.instrumentId(), new ReferenceBook()));
        config.brokers().forEach(b -> brokers.put(b.brokerId(), b));
    }

    /** The blocks to come are executed under this configuration. */
    void reconfigure(MarketConfig other) {
        next = other;
    }

    /**
     * Executes a block.
     *
     * @param blockTimeNs the block's time, in nanoseconds since 1970
     * @param batches in the order of the block
     * @return its reports and trades
     */
    List<Object> block(long blockTimeNs, Batch... batches) {
        boolean isNewDay = sequence > 0 && Math.floorDiv(blockTimeNs, DAY_NS) != Math.floorDiv(timeNs, DAY_NS);
        sequence++;
        timeNs = blockTimeNs;
        output.startBlock(sequence, timeNs);
        take(next);
        cancelWhatCannotRest();
        requests.runOut(timeNs);
        if (isNewDay) {
            expire();
        }
        for (int i = 0; i < batches.length; i++) {
            batch(i, batches[i]);
        }
        return output.records();
    }

    List<String> depth(int instrument, Side side) {
        List<String> levels = new ArrayList<>();
        books.get(instrument)
                .side(side)
                .forEach((price, queue) -> levels.add(
                        queue.stream().mapToLong(ReferenceOrder::leaves).sum() + "@" + price));
        return levels;
    }

    /** Returns the number of orders of each level, bids from the best on, then asks. */
    List<Integer> orderCounts(int instrument) {
        List<Integer> counts = new ArrayList<>();
        for (Side side : SIDES) {
            books.get(instrument).side(side).values().forEach(queue -> counts.add(queue.size()));
        }
        return counts;
    }

    /** Looks at every order before every block. */
    private void cancelWhatCannotRest() {
        for (InstrumentConfig instrument : config.instruments()) {
            for (Side side : SIDES) {
                for (ReferenceOrder order : books.get(instrument.instrumentId()).orders(side)) {
                    RejectReason reason = RejectReason.NONE;
                    if (brokers.get(order.broker).status() == BrokerStatus.REMOVED) {
                        reason = RejectReason.BROKER_REMOVED;
                    } else if (!owns(order.broker, order.account)) {
                        reason = RejectReason.UNKNOWN_ACCOUNT;
                    } else if (!isPrice(instrument, order.price) || order.quantity > instrument.quantityMax()) {
                        reason = RejectReason.OUTSIDE_LIMITS;
                    }
                    if (reason != RejectReason.NONE) {
                        drop(order);
                        output.ended(order, reason);
                    }
                }
            }
        }
    }

    private void expire() {
        for (InstrumentConfig instrument : config.instruments()) {
            for (Side side : SIDES) {
                for (ReferenceOrder order : books.get(instrument.instrumentId()).orders(side)) {
                    if (order.tif == TimeInForce.DAY) {
                        drop(order);
                        output.expired(order);
                    }
                }
            }
        }
    }

    private void batch(int index, Batch batch) {
        if (!brokers.containsKey(batch.brokerId())) {
            return;
        }
        RejectReason reason = RejectReason.NONE;
        if (batch.validUntilBlock() < sequence || batch.validUntilBlock() > sequence + config.validityBlocksMax()) {
            reason = RejectReason.BATCH_EXPIRED;
        } else if (number(batch).compareTo(numbers.getOrDefault(session(batch), BigInteger.ZERO)) <= 0) {
            reason = RejectReason.BATCH_DUPLICATE;
        } else {
            numbers.put(session(batch), number(batch));
            reason = standing(batch);
            if (reason == RejectReason.NONE && isLate(batch)) {
                reason = RejectReason.TIME_TO_LIVE;
            }
            if (reason == RejectReason.NONE && !rates.take(brokers.get(batch.brokerId()), batch, timeNs)) {
                reason = RejectReason.RATE_QUOTA;
            }
            if (reason == RejectReason.NONE
                    || reason == RejectReason.BROKER_SUSPENDED
                    || reason == RejectReason.RATE_QUOTA) {
                requests.heard(batch.brokerId(), batch.session(), timeNs);
            }
        }
        for (int i = 0; i < batch.requests().size(); i++) {
            output.startEntry(index, i);
            Batch.Request request = batch.requests().get(i);
            boolean isCancel = switch (request.action()) {
                case CANCEL, MASS_CANCEL ->
                    reason == RejectReason.BROKER_SUSPENDED
                            || reason == RejectReason.RATE_QUOTA
                            || reason == RejectReason.TIME_TO_LIVE;
                case CANCEL_AFTER -> reason == RejectReason.BROKER_SUSPENDED || reason == RejectReason.RATE_QUOTA;
                default -> false;
            };
            if (reason != RejectReason.NONE && !isCancel) {
                output.refused(batch.brokerId(), request, reason);
            } else {
                request(batch.brokerId(), batch.session(), request);
            }
        }
    }

    private boolean isLate(Batch batch) {
        BigInteger age = BigInteger.valueOf(timeNs).subtract(BigInteger.valueOf(batch.sentTimeNs()));
        BigInteger limit = BigInteger.valueOf(10_000_000L * batch.timeToLive());
        return batch.timeToLive() != 0 && age.compareTo(limit) > 0;
    }

    private RejectReason standing(Batch batch) {
        BrokerConfig broker = brokers.get(batch.brokerId());
        boolean isKeyInEffect = broker.keys().equals(BrokerKeys.ALL)
                || broker.keys().terms().stream()
                        .anyMatch(term -> term.keyId() == batch.keyId()
                                && sequence >= term.fromBlock()
                                && (term.untilBlock() == 0 || sequence <= term.untilBlock()));
        if (!isKeyInEffect) {
            return RejectReason.KEY_NOT_IN_EFFECT;
        }
        return switch (broker.status()) {
            case ACTIVE -> RejectReason.NONE;
            case SUSPENDED -> RejectReason.BROKER_SUSPENDED;
            case REMOVED -> RejectReason.BROKER_REMOVED;
        };
    }

    private static Key session(Batch batch) {
        return new Key(batch.brokerId(), batch.session());
    }

    private static BigInteger number(Batch batch) {
        return new BigInteger(Long.toUnsignedString(batch.number()));
    }

    private void request(int broker, int session, Batch.Request request) {
        if (request.action() == Action.NULL_VAL) {
            output.refused(broker, request, RejectReason.INVALID_FIELD);
        } else if (request.action() == Action.MASS_CANCEL || request.action() == Action.CANCEL_AFTER) {
            requests.request(broker, session, request, timeNs);
        } else if (!instruments.containsKey(request.instrumentId())) {
            output.refused(broker, request, RejectReason.UNKNOWN_INSTRUMENT);
        } else if (!owns(broker, request.accountId())) {
            output.refused(broker, request, RejectReason.UNKNOWN_ACCOUNT);
        } else if (request.action() == Action.NEW) {
            enter(broker, session, request);
        } else {
            ReferenceOrder order = live.get(new Key(broker, request.origClOrdId()));
            if (order == null || order.instrument != request.instrumentId()) {
                output.refused(broker, request, RejectReason.UNKNOWN_ORDER);
            } else if (request.action() == Action.CANCEL) {
                drop(order);
                output.canceledBy(request, order);
            } else {
                replace(order, request);
            }
        }
    }

    /** Looks at one range after the other. */
    boolean owns(int broker, int account) {
        AccountRanges accounts = brokers.get(broker).accounts();
        long id = account & 0xFFFF_FFFFL;
        return IntStream.range(0, accounts.count())
                .anyMatch(range -> accounts.first(range) <= id && id <= accounts.last(range));
    }

    private void enter(int broker, int session, Batch.Request request) {
        RejectReason reason = ruleBrokenBy(broker, request);
        if (reason != RejectReason.NONE) {
            output.refused(broker, request, reason);
            return;
        }
        ReferenceOrder order = new ReferenceOrder(++orders, broker, session, request);
        output.accepted(order);
        execute(order);
    }

    private RejectReason ruleBrokenBy(int broker, Batch.Request request) {
        InstrumentConfig instrument = instruments.get(request.instrumentId());
        boolean isMarket = request.ordType() == OrdType.MARKET;
        if (request.side() == Side.NULL_VAL
                || request.ordType() == OrdType.NULL_VAL
                || request.timeInForce() == TimeInForce.NULL_VAL
                || request.clOrdId() == 0
                || request.origClOrdId() != 0) {
            return RejectReason.INVALID_FIELD;
        }
        if (instrument.isHalted()) {
            return RejectReason.INSTRUMENT_HALTED;
        }
        if (isMarket ? request.price() != 0 : !isPrice(instrument, request.price())) {
            return RejectReason.INVALID_PRICE;
        }
        if (request.quantity() <= 0 || request.quantity() > instrument.quantityMax()) {
            return RejectReason.INVALID_QUANTITY;
        }
        if (live.containsKey(new Key(broker, request.clOrdId()))) {
            return RejectReason.DUPLICATE_CL_ORD_ID;
        }
        boolean mayRest = !isMarket && isRestingTime(request.timeInForce());
        if (mayRest && liveOrders(broker) >= brokers.get(broker).liveOrderCountMax()) {
            return RejectReason.LIVE_ORDER_QUOTA;
        }
        return mayRest && live.size() == config.liveOrderCountMax() ? RejectReason.CAPACITY : RejectReason.NONE;
    }

    /** Counts them one by one. */
    private long liveOrders(int broker) {
        return live.keySet().stream().filter(key -> key.broker == broker).count();
    }

    private void replace(ReferenceOrder order, Batch.Request request) {
        RejectReason reason = ruleBrokenBy(order, request);
        if (reason != RejectReason.NONE) {
            output.replaceRejected(request, order, reason);
            return;
        }
        boolean keepsPriority = request.price() == order.price
                && request.quantity() <= order.quantity
                && instruments.get(order.instrument).reduceKeepsPriority();
        long origClOrdId = order.clOrdId;
        if (keepsPriority) {
            live.remove(new Key(order.broker, origClOrdId));
        } else {
            drop(order);
        }
        order.replaceBy(request);
        output.replaced(order, origClOrdId);
        if (keepsPriority) {
            live.put(new Key(order.broker, order.clOrdId), order);
        } else {
            execute(order);
        }
    }

    private RejectReason ruleBrokenBy(ReferenceOrder order, Batch.Request request) {
        InstrumentConfig instrument = instruments.get(order.instrument);
        if (request.side() != order.side
                || request.ordType() != OrdType.LIMIT
                || !isRestingTime(request.timeInForce())
                || request.clOrdId() == 0
                || request.accountId() != order.account) {
            return RejectReason.INVALID_FIELD;
        }
        if (instrument.isHalted()) {
            return RejectReason.INSTRUMENT_HALTED;
        }
        if (!isPrice(instrument, request.price())) {
            return RejectReason.INVALID_PRICE;
        }
        if (request.quantity() <= 0 || request.quantity() > instrument.quantityMax()) {
            return RejectReason.INVALID_QUANTITY;
        }
        if (live.containsKey(new Key(order.broker, request.clOrdId()))) {
            return RejectReason.DUPLICATE_CL_ORD_ID;
        }
        if (request.quantity() <= order.cum) {
            return RejectReason.TOO_LATE;
        }
        BigInteger valueMax = BigInteger.valueOf(request.quantity() - order.cum)
                .multiply(BigInteger.valueOf(instrument.priceMax()))
                .add(BigInteger.valueOf(order.value));
        return valueMax.bitLength() > 63 ? RejectReason.INVALID_QUANTITY : RejectReason.NONE;
    }

    private void execute(ReferenceOrder order) {
        ReferenceBook book = books.get(order.instrument);
        if (order.tif == TimeInForce.FILL_OR_KILL && book.available(order) < order.leaves()) {
            output.canceled(order);
            return;
        }
        TreeMap<Long, ArrayDeque<ReferenceOrder>> others = book.against(order.side);
        while (order.leaves() > 0 && !others.isEmpty() && order.accepts(others.firstKey())) {
            ReferenceOrder resting = others.firstEntry().getValue().peek();
            trade(order, resting);
            if (resting.leaves() == 0) {
                drop(resting);
            }
        }
        if (order.leaves() == 0) {
            return;
        }
        if (order.isRestingKind()) {
            book.add(order);
            live.put(new Key(order.broker, order.clOrdId), order);
        } else {
            output.canceled(order);
        }
    }

    private void trade(ReferenceOrder incoming, ReferenceOrder resting) {
        long quantity = Math.min(incoming.leaves(), resting.leaves());
        incoming.fill(resting.price, quantity);
        resting.fill(resting.price, quantity);
        output.traded(incoming, resting, quantity);
    }

    MarketConfig config() {
        return config;
    }

    ReferenceOutput output() {
        return output;
    }

    /** Returns all orders: by instrument, buys before sells, in priority. */
    List<ReferenceOrder> resting() {
        List<ReferenceOrder> all = new ArrayList<>();
        for (InstrumentConfig instrument : config.instruments()) {
            for (Side side : SIDES) {
                all.addAll(books.get(instrument.instrumentId()).orders(side));
            }
        }
        return all;
    }

    void drop(ReferenceOrder order) {
        live.remove(new Key(order.broker, order.clOrdId));
        books.get(order.instrument).remove(order);
    }

    private static boolean isPrice(InstrumentConfig instrument, long price) {
        return price >= instrument.priceMin() && price <= instrument.priceMax();
    }

    static boolean isRestingTime(TimeInForce time) {
        return time == TimeInForce.DAY || time == TimeInForce.GOOD_TILL_CANCEL;
    }
}
