package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rules of {@code doc/matching-rules.md} once more, in the plainest Java: sorted maps of queues, an object per
 * order, a list of values as output. What the core is compared with; shares no code with it beyond the configuration.
 */
final class ReferenceMarket {
    private static final long DAY_NS = 24L * 3600 * 1_000_000_000;

    private static final class Order {
        long orderId;
        int broker;
        long clOrdId;
        int account;
        int instrument;
        Side side;
        OrdType type;
        TimeInForce tif;
        Action action;
        long price;
        long quantity;
        long cum;
        long value;

        long leaves() {
            return quantity - cum;
        }

        OrdStatus status() {
            return leaves() == 0 ? OrdStatus.FILLED : cum == 0 ? OrdStatus.NEW : OrdStatus.PARTIALLY_FILLED;
        }
    }

    private record Key(int broker, long id) {}

    private static final class Book {
        final TreeMap<Long, ArrayDeque<Order>> bids = new TreeMap<>(Comparator.reverseOrder());
        final TreeMap<Long, ArrayDeque<Order>> asks = new TreeMap<>();

        TreeMap<Long, ArrayDeque<Order>> side(Side side) {
            return side == Side.BUY ? bids : asks;
        }
    }

    private final MarketConfig config;
    private final Map<Integer, InstrumentConfig> instruments = new HashMap<>();
    private final Map<Integer, BrokerConfig> brokers = new HashMap<>();
    private final Map<Integer, Book> books = new HashMap<>();
    private final Map<Key, Order> live = new HashMap<>();
    private final Map<Key, Long> numbers = new HashMap<>();
    private final Map<Integer, Long> reportSequences = new HashMap<>();
    private List<Object> out;
    private long sequence;
    private long timeNs;
    private long batchIndex;
    private int orderIndex;
    private long orders;
    private long execs;
    private long tradeCount;

    ReferenceMarket(MarketConfig config) {
        this.config = config;
        config.instruments().forEach(i -> instruments.put(i.instrumentId(), i));
        config.instruments().forEach(i -> books.put(i.instrumentId(), new Book()));
        config.brokers().forEach(b -> brokers.put(b.brokerId(), b));
    }

    /** Executes a block and returns its reports and trades. */
    List<Object> block(long blockTimeNs, Batch... batches) {
        out = new ArrayList<>();
        boolean isNewDay = sequence > 0 && Math.floorDiv(blockTimeNs, DAY_NS) != Math.floorDiv(timeNs, DAY_NS);
        sequence++;
        timeNs = blockTimeNs;
        batchIndex = 0xFFFF_FFFFL;
        orderIndex = 0xFFFF;
        if (isNewDay) {
            expire();
        }
        for (int i = 0; i < batches.length; i++) {
            batchIndex = i;
            batch(batches[i]);
        }
        return out;
    }

    List<String> depth(int instrument, Side side) {
        List<String> levels = new ArrayList<>();
        books.get(instrument)
                .side(side)
                .forEach((price, queue) ->
                        levels.add(queue.stream().mapToLong(Order::leaves).sum() + "@" + price));
        return levels;
    }

    /** Returns the number of orders of each level, bids from the best on, then asks. */
    List<Integer> orderCounts(int instrument) {
        List<Integer> counts = new ArrayList<>();
        for (Side side : new Side[] {Side.BUY, Side.SELL}) {
            books.get(instrument).side(side).values().forEach(queue -> counts.add(queue.size()));
        }
        return counts;
    }

    private void expire() {
        for (InstrumentConfig instrument : config.instruments()) {
            for (Side side : new Side[] {Side.BUY, Side.SELL}) {
                List<Order> all = new ArrayList<>();
                books.get(instrument.instrumentId()).side(side).values().forEach(all::addAll);
                for (Order order : all) {
                    if (order.tif == TimeInForce.DAY) {
                        drop(order);
                        report(order, order.action, ExecType.EXPIRED, OrdStatus.EXPIRED, order.clOrdId, 0, 0);
                    }
                }
            }
        }
    }

    private void batch(Batch batch) {
        if (!brokers.containsKey(batch.brokerId())) {
            return;
        }
        RejectReason reason = RejectReason.NONE;
        if (batch.validUntilBlock() < sequence || batch.validUntilBlock() > sequence + config.validityBlocksMax()) {
            reason = RejectReason.BATCH_EXPIRED;
        } else if (numbers.getOrDefault(new Key(batch.brokerId(), batch.number()), 0L) >= sequence) {
            reason = RejectReason.BATCH_DUPLICATE;
        } else {
            numbers.put(new Key(batch.brokerId(), batch.number()), batch.validUntilBlock());
        }
        for (orderIndex = 0; orderIndex < batch.requests().size(); orderIndex++) {
            Batch.Request request = batch.requests().get(orderIndex);
            if (reason != RejectReason.NONE) {
                refuse(batch.brokerId(), request, reason);
            } else {
                request(batch.brokerId(), request);
            }
        }
    }

    private void request(int broker, Batch.Request r) {
        if (r.action() == Action.NULL_VAL) {
            refuse(broker, r, RejectReason.INVALID_FIELD);
        } else if (!instruments.containsKey(r.instrumentId())) {
            refuse(broker, r, RejectReason.UNKNOWN_INSTRUMENT);
        } else if (r.action() == Action.NEW) {
            enter(broker, r);
        } else {
            Order order = live.get(new Key(broker, r.origClOrdId()));
            if (order == null || order.instrument != r.instrumentId()) {
                refuse(broker, r, RejectReason.UNKNOWN_ORDER);
            } else if (r.action() == Action.CANCEL) {
                drop(order);
                report(order, Action.CANCEL, ExecType.CANCELED, OrdStatus.CANCELED, r.clOrdId(), order.clOrdId, 0);
            } else {
                replace(order, r);
            }
        }
    }

    private void enter(int broker, Batch.Request r) {
        InstrumentConfig instrument = instruments.get(r.instrumentId());
        List<Integer> accounts = brokers.get(broker).accountIds();
        RejectReason reason = RejectReason.NONE;
        if (r.side() == Side.NULL_VAL
                || r.ordType() == OrdType.NULL_VAL
                || r.timeInForce() == TimeInForce.NULL_VAL
                || r.clOrdId() == 0
                || r.origClOrdId() != 0) {
            reason = RejectReason.INVALID_FIELD;
        } else if (!accounts.isEmpty() && !accounts.contains(r.accountId())) {
            reason = RejectReason.UNKNOWN_ACCOUNT;
        } else if (r.ordType() == OrdType.MARKET && r.price() != 0
                || r.ordType() == OrdType.LIMIT
                        && (r.price() < instrument.priceMin() || r.price() > instrument.priceMax())) {
            reason = RejectReason.INVALID_PRICE;
        } else if (r.quantity() <= 0 || r.quantity() > instrument.quantityMax()) {
            reason = RejectReason.INVALID_QUANTITY;
        } else if (live.containsKey(new Key(broker, r.clOrdId()))) {
            reason = RejectReason.DUPLICATE_CL_ORD_ID;
        } else if (live.size() == config.liveOrderCountMax()
                && r.ordType() == OrdType.LIMIT
                && (r.timeInForce() == TimeInForce.DAY || r.timeInForce() == TimeInForce.GOOD_TILL_CANCEL)) {
            reason = RejectReason.CAPACITY;
        }
        if (reason != RejectReason.NONE) {
            refuse(broker, r, reason);
            return;
        }
        Order order = new Order();
        order.orderId = ++orders;
        order.broker = broker;
        order.clOrdId = r.clOrdId();
        order.account = r.accountId();
        order.instrument = r.instrumentId();
        order.side = r.side();
        order.type = r.ordType();
        order.tif = r.timeInForce();
        order.action = Action.NEW;
        order.price = r.price();
        order.quantity = r.quantity();
        report(order, Action.NEW, ExecType.NEW, OrdStatus.NEW, order.clOrdId, 0, order.leaves());
        execute(order);
    }

    private void replace(Order order, Batch.Request r) {
        InstrumentConfig instrument = instruments.get(order.instrument);
        RejectReason reason = RejectReason.NONE;
        if (r.side() != order.side
                || r.ordType() != OrdType.LIMIT
                || r.timeInForce() != TimeInForce.DAY && r.timeInForce() != TimeInForce.GOOD_TILL_CANCEL
                || r.clOrdId() == 0
                || r.accountId() != order.account) {
            reason = RejectReason.INVALID_FIELD;
        } else if (r.price() < instrument.priceMin() || r.price() > instrument.priceMax()) {
            reason = RejectReason.INVALID_PRICE;
        } else if (r.quantity() <= 0 || r.quantity() > instrument.quantityMax()) {
            reason = RejectReason.INVALID_QUANTITY;
        } else if (live.containsKey(new Key(order.broker, r.clOrdId()))) {
            reason = RejectReason.DUPLICATE_CL_ORD_ID;
        } else if (r.quantity() <= order.cum) {
            reason = RejectReason.TOO_LATE;
        }
        if (reason != RejectReason.NONE) {
            emit(
                    order.broker,
                    order.orderId,
                    0,
                    r.clOrdId(),
                    r.origClOrdId(),
                    order.price,
                    order.quantity,
                    0,
                    0,
                    order.leaves(),
                    order.cum,
                    order.value,
                    order.account,
                    order.instrument,
                    Action.REPLACE,
                    order.side,
                    order.type,
                    order.tif,
                    ExecType.CANCEL_REJECT,
                    order.status(),
                    reason);
            return;
        }
        boolean stays = r.price() == order.price && r.quantity() <= order.quantity && instrument.reduceKeepsPriority();
        long old = order.clOrdId;
        if (stays) {
            live.remove(new Key(order.broker, old));
        } else {
            drop(order);
        }
        order.clOrdId = r.clOrdId();
        order.price = r.price();
        order.quantity = r.quantity();
        order.tif = r.timeInForce();
        order.action = Action.REPLACE;
        if (stays) {
            live.put(new Key(order.broker, order.clOrdId), order);
        }
        report(order, Action.REPLACE, ExecType.REPLACED, order.status(), order.clOrdId, old, order.leaves());
        if (!stays) {
            execute(order);
        }
    }

    private void execute(Order order) {
        Book book = books.get(order.instrument);
        TreeMap<Long, ArrayDeque<Order>> other = book.side(order.side == Side.BUY ? Side.SELL : Side.BUY);
        if (order.tif == TimeInForce.FILL_OR_KILL) {
            long there = other.entrySet().stream()
                    .filter(level -> accepts(order, level.getKey()))
                    .flatMap(level -> level.getValue().stream())
                    .mapToLong(Order::leaves)
                    .sum();
            if (there < order.leaves()) {
                report(order, order.action, ExecType.CANCELED, OrdStatus.CANCELED, order.clOrdId, 0, 0);
                return;
            }
        }
        while (order.leaves() > 0 && !other.isEmpty() && accepts(order, other.firstKey())) {
            Order resting = other.firstEntry().getValue().peek();
            trade(order, resting, Math.min(order.leaves(), resting.leaves()));
            if (resting.leaves() == 0) {
                drop(resting);
            }
        }
        if (order.leaves() == 0) {
            return;
        }
        boolean rests = order.type == OrdType.LIMIT
                && (order.tif == TimeInForce.DAY || order.tif == TimeInForce.GOOD_TILL_CANCEL);
        if (rests) {
            book.side(order.side)
                    .computeIfAbsent(order.price, p -> new ArrayDeque<>())
                    .add(order);
            live.put(new Key(order.broker, order.clOrdId), order);
        } else {
            report(order, order.action, ExecType.CANCELED, OrdStatus.CANCELED, order.clOrdId, 0, 0);
        }
    }

    private static boolean accepts(Order order, long price) {
        return order.type == OrdType.MARKET || (order.side == Side.BUY ? price <= order.price : price >= order.price);
    }

    private void trade(Order incoming, Order resting, long quantity) {
        long price = resting.price;
        tradeCount++;
        for (Order order : new Order[] {incoming, resting}) {
            order.cum += quantity;
            order.value += price * quantity;
        }
        for (Order order : new Order[] {incoming, resting}) {
            emit(
                    order.broker,
                    order.orderId,
                    tradeCount,
                    order.clOrdId,
                    0,
                    order.price,
                    order.quantity,
                    price,
                    quantity,
                    order.leaves(),
                    order.cum,
                    order.value,
                    order.account,
                    order.instrument,
                    order.action,
                    order.side,
                    order.type,
                    order.tif,
                    ExecType.TRADE,
                    order.status(),
                    RejectReason.NONE);
        }
        Order buy = incoming.side == Side.BUY ? incoming : resting;
        Order sell = incoming.side == Side.BUY ? resting : incoming;
        out.add(new TradeRecord(
                tradeCount,
                sequence,
                buy.orderId,
                sell.orderId,
                buy.clOrdId,
                sell.clOrdId,
                price,
                quantity,
                timeNs,
                incoming.instrument,
                buy.broker,
                sell.broker,
                buy.account,
                sell.account,
                incoming.side == Side.BUY ? AggressorSide.BUY : AggressorSide.SELL));
    }

    private void drop(Order order) {
        live.remove(new Key(order.broker, order.clOrdId));
        TreeMap<Long, ArrayDeque<Order>> side = books.get(order.instrument).side(order.side);
        ArrayDeque<Order> queue = side.get(order.price);
        queue.remove(order);
        if (queue.isEmpty()) {
            side.remove(order.price);
        }
    }

    private void report(
            Order order, Action action, ExecType type, OrdStatus status, long clOrdId, long orig, long leaves) {
        emit(
                order.broker,
                order.orderId,
                0,
                clOrdId,
                orig,
                order.price,
                order.quantity,
                0,
                0,
                leaves,
                order.cum,
                order.value,
                order.account,
                order.instrument,
                action,
                order.side,
                order.type,
                order.tif,
                type,
                status,
                RejectReason.NONE);
    }

    private void refuse(int broker, Batch.Request r, RejectReason reason) {
        boolean isRequest = r.action() == Action.CANCEL || r.action() == Action.REPLACE;
        emit(
                broker,
                0,
                0,
                r.clOrdId(),
                r.origClOrdId(),
                r.price(),
                r.quantity(),
                0,
                0,
                0,
                0,
                0,
                r.accountId(),
                r.instrumentId(),
                r.action(),
                r.side(),
                r.ordType(),
                r.timeInForce(),
                isRequest ? ExecType.CANCEL_REJECT : ExecType.REJECTED,
                OrdStatus.REJECTED,
                reason);
    }

    private void emit(
            int broker,
            long orderId,
            long tradeId,
            long clOrdId,
            long origClOrdId,
            long price,
            long quantity,
            long lastPx,
            long lastQty,
            long leaves,
            long cum,
            long value,
            int account,
            int instrument,
            Action action,
            Side side,
            OrdType type,
            TimeInForce tif,
            ExecType execType,
            OrdStatus status,
            RejectReason reason) {
        out.add(new Report(
                reportSequences.merge(broker, 1L, Long::sum),
                sequence,
                orderId,
                ++execs,
                tradeId,
                clOrdId,
                origClOrdId,
                price,
                quantity,
                lastPx,
                lastQty,
                leaves,
                cum,
                value,
                timeNs,
                broker,
                account,
                instrument,
                batchIndex,
                orderIndex,
                action,
                side,
                type,
                tif,
                execType,
                status,
                reason));
    }
}
