package io.sealbook.matching;

import io.sealbook.matching.book.FillSink;
import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.List;

/**
 * Carries out the entries of a batch: checks each, then enters, matches, cancels or replaces, and has every consequence
 * reported. {@code doc/matching-rules.md} is the same in prose.
 */
final class EntryHandler implements FillSink {
    private final Instruments instruments;
    /** By broker position. */
    private AccountRanges[] accounts;

    /** Live orders that each broker may have, by its position. */
    private int[] quotas;

    private final OrderBooks books;
    private final OrderStore store;
    private final ReportWriter reports;
    private final SessionRequests requests;
    private final MassCancels massCancels;
    private final OrderState incoming = new OrderState();
    private final OrderState resting = new OrderState();
    /** Of the batch in hand. */
    private int session;
    /** Of the block in hand. */
    private long blockTimeNs;

    private long lastOrderId;
    private long refusedCount;

    EntryHandler(
            Instruments instruments,
            List<BrokerConfig> brokers,
            OrderBooks books,
            ReportWriter reports,
            SessionRequests requests) {
        this.instruments = instruments;
        this.books = books;
        this.store = books.orders();
        this.reports = reports;
        this.requests = requests;
        this.massCancels = requests.massCancels();
        setBrokers(brokers);
    }

    /** Goes on with other accounts and quotas, and with further brokers at the end. */
    void setBrokers(List<BrokerConfig> brokers) {
        accounts = brokers.stream().map(BrokerConfig::accounts).toArray(AccountRanges[]::new);
        quotas = brokers.stream().mapToInt(BrokerConfig::liveOrderCountMax).toArray();
    }

    long lastOrderId() {
        return lastOrderId;
    }

    /** Returns how many entries were refused, for whatever reason. */
    long refusedCount() {
        return refusedCount;
    }

    void restore(long orderId, long refused) {
        lastOrderId = orderId;
        refusedCount = refused;
    }

    /** Begins a block of this time: carries on what was requested before it. */
    void beginBlock(long timeNs) {
        blockTimeNs = timeNs;
        requests.beginBlock(timeNs, lastOrderId);
    }

    /** The entries to come are of this session of their broker. */
    void beginBatch(int batchSession) {
        session = batchSession;
    }

    void refuse(int broker, Entry entry, RejectReason reason) {
        refusedCount++;
        reports.refusal(broker, entry, reason);
    }

    void onEntry(int broker, Entry entry) {
        if (!entry.isKnown) {
            refuse(broker, entry, RejectReason.INVALID_FIELD);
            return;
        }
        byte action = Kind.action(entry.kind);
        if (action == Kind.MASS_CANCEL || action == Kind.CANCEL_AFTER) {
            onRequest(broker, entry);
            return;
        }
        int book = instruments.position(entry.instrumentId);
        if (book == IdIndex.MISSING) {
            refuse(broker, entry, RejectReason.UNKNOWN_INSTRUMENT);
            return;
        }
        if (!accounts[broker].contains(entry.accountId)) {
            refuse(broker, entry, RejectReason.UNKNOWN_ACCOUNT);
            return;
        }
        if (action == Kind.NEW) {
            onNew(broker, book, entry);
            return;
        }
        int slot = find(broker, entry.origClOrdId);
        if (slot == OrderStore.NONE || books.book(slot) != book) {
            refuse(broker, entry, RejectReason.UNKNOWN_ORDER);
            return;
        }
        if (action == Kind.CANCEL) {
            onCancel(slot, entry);
        } else {
            onReplace(slot, entry);
        }
    }

    private void onRequest(int broker, Entry entry) {
        RejectReason reason = Kind.action(entry.kind) == Kind.MASS_CANCEL
                ? requests.massCancel(broker, entry, accounts[broker], lastOrderId)
                : requests.cancelAfter(broker, session, entry, blockTimeNs);
        if (reason != RejectReason.NONE) {
            refuse(broker, entry, reason);
        }
    }

    /** Returns the slot of a live order that no mass cancel has taken, or none. */
    private int find(int broker, long clOrdId) {
        int slot = books.find(broker, clOrdId);
        return slot != OrderStore.NONE && massCancels.cancelIfTaken(slot) ? OrderStore.NONE : slot;
    }

    private void onNew(int broker, int book, Entry entry) {
        RejectReason reason = checkNew(broker, book, entry);
        if (reason != RejectReason.NONE) {
            refuse(broker, entry, reason);
            return;
        }
        OrderState order = incoming;
        order.orderId = ++lastOrderId;
        order.clOrdId = entry.clOrdId;
        order.price = entry.price;
        order.quantity = entry.quantity;
        order.leaves = entry.quantity;
        order.cumQty = 0;
        order.cumValue = 0;
        order.book = book;
        order.instrumentId = entry.instrumentId;
        order.broker = broker;
        order.session = session;
        order.account = entry.accountId;
        order.attributes = attributes(entry.kind);
        order.kind = entry.kind;
        boolean isWayClear = clearWay(order);
        reports.state(order, ExecType.NEW, OrdStatus.NEW);
        execute(order, isWayClear);
    }

    private RejectReason checkNew(int broker, int book, Entry entry) {
        if (!Kind.isComplete(entry.kind) || entry.clOrdId == 0 || entry.origClOrdId != 0) {
            return RejectReason.INVALID_FIELD;
        }
        boolean isPriceValid =
                Kind.ordType(entry.kind) == Kind.MARKET ? entry.price == 0 : instruments.isPrice(book, entry.price);
        if (!isPriceValid) {
            return haltedOr(book, RejectReason.INVALID_PRICE);
        }
        if (!instruments.isQuantity(book, entry.quantity)) {
            return haltedOr(book, RejectReason.INVALID_QUANTITY);
        }
        if (find(broker, entry.clOrdId) != OrderStore.NONE) {
            return RejectReason.DUPLICATE_CL_ORD_ID;
        }
        return Kind.mayRest(entry.kind) ? checkRoom(broker) : RejectReason.NONE;
    }

    /** A halted instrument admits no quantity, so that every order comes here. */
    private RejectReason haltedOr(int book, RejectReason otherwise) {
        return instruments.isHalted(book) ? RejectReason.INSTRUMENT_HALTED : otherwise;
    }

    /** Judges before the order is matched, so that the answer does not depend on what it would meet. */
    private RejectReason checkRoom(int broker) {
        if (books.liveOrderCount(broker) >= quotas[broker]) {
            return RejectReason.LIVE_ORDER_QUOTA;
        }
        return store.isFull() ? RejectReason.CAPACITY : RejectReason.NONE;
    }

    private void onCancel(int slot, Entry entry) {
        OrderState order = resting;
        order.load(books, instruments.ids(), slot);
        books.remove(slot);
        order.kind = Kind.withAction(order.kind, Kind.CANCEL);
        reports.state(order, ExecType.CANCELED, OrdStatus.CANCELED, entry.clOrdId, order.clOrdId, RejectReason.NONE);
    }

    private void onReplace(int slot, Entry entry) {
        OrderState order = incoming;
        order.load(books, instruments.ids(), slot);
        RejectReason reason = checkReplace(order, entry);
        if (reason != RejectReason.NONE) {
            refusedCount++;
            order.kind = Kind.withAction(order.kind, Kind.REPLACE);
            reports.state(order, ExecType.CANCEL_REJECT, order.liveStatus(), entry.clOrdId, entry.origClOrdId, reason);
            return;
        }
        boolean keepsPlace = entry.price == order.price
                && entry.quantity <= order.quantity
                && instruments.reduceKeepsPriority(order.book);
        long origClOrdId = order.clOrdId;
        order.clOrdId = entry.clOrdId;
        order.price = entry.price;
        order.quantity = entry.quantity;
        order.leaves = entry.quantity - order.cumQty;
        order.attributes = attributes(entry.kind) | OrderStore.REPLACED;
        order.kind = entry.kind;
        if (keepsPlace) {
            books.reduce(slot, order.clOrdId, order.quantity, order.attributes);
        } else {
            books.remove(slot);
            clearWay(order);
        }
        reports.state(order, ExecType.REPLACED, order.liveStatus(), order.clOrdId, origClOrdId, RejectReason.NONE);
        if (!keepsPlace) {
            execute(order, true);
        }
    }

    private RejectReason checkReplace(OrderState order, Entry entry) {
        if (Kind.side(entry.kind) != Kind.side(order.kind)
                || !Kind.mayRest(entry.kind)
                || entry.clOrdId == 0
                || entry.accountId != order.account) {
            return RejectReason.INVALID_FIELD;
        }
        if (!instruments.isPrice(order.book, entry.price)) {
            return haltedOr(order.book, RejectReason.INVALID_PRICE);
        }
        if (!instruments.isQuantity(order.book, entry.quantity)) {
            return haltedOr(order.book, RejectReason.INVALID_QUANTITY);
        }
        if (find(order.broker, entry.clOrdId) != OrderStore.NONE) {
            return RejectReason.DUPLICATE_CL_ORD_ID;
        }
        if (entry.quantity <= order.cumQty) {
            return RejectReason.TOO_LATE;
        }
        return isValueInRange(order, entry) ? RejectReason.NONE : RejectReason.INVALID_QUANTITY;
    }

    /**
     * Returns whether the value of all fills fits in 63 bits. Only an order that was filled under higher limits than
     * those of now can break it.
     */
    private boolean isValueInRange(OrderState order, Entry entry) {
        long further = (entry.quantity - order.cumQty) * instruments.priceMax(order.book);
        return order.cumValue <= Long.MAX_VALUE - further;
    }

    /**
     * Cancels what mass cancels have taken and the order would meet; before the order is reported, because it is not
     * the cause.
     *
     * @return false if an order that must be filled whole is not to be filled
     */
    private boolean clearWay(OrderState order) {
        if (!massCancels.isPending()) {
            return true;
        }
        long limit = limit(order);
        boolean isWholeOnly = Kind.timeInForce(order.kind) == Kind.FILL_OR_KILL;
        if (isWholeOnly && !books.canFill(order.book, order.side(), limit, order.leaves)) {
            return true;
        }
        return massCancels.clearWay(order, limit, isWholeOnly);
    }

    /** Returns the worst price that an order accepts. */
    private long limit(OrderState order) {
        return Kind.ordType(order.kind) == Kind.MARKET ? instruments.worstPrice(order.book, order.side()) : order.price;
    }

    /** Matches an accepted order, then rests or cancels the unfilled part. */
    private void execute(OrderState order, boolean isWayClear) {
        long limit = limit(order);
        boolean isKilled = Kind.timeInForce(order.kind) == Kind.FILL_OR_KILL
                && !(isWayClear && books.canFill(order.book, order.side(), limit, order.leaves));
        if (!isKilled) {
            books.match(order.book, order.side(), limit, order.leaves, this);
        }
        if (order.leaves == 0) {
            return;
        }
        if (Kind.mayRest(order.kind)) {
            books.enter(order);
        } else {
            reports.state(order, ExecType.CANCELED, OrdStatus.CANCELED);
        }
    }

    @Override
    public void onFill(int slot, long price, long quantity) {
        resting.load(books, instruments.ids(), slot);
        incoming.fill(price, quantity);
        reports.fill(incoming, resting, price, quantity);
    }

    /** Ends every order that was good for the day: by instrument, buys before sells, in priority order. */
    void expireDayOrders() {
        for (int book = 0; book < instruments.count(); book++) {
            expireDayOrders(book, 0);
            expireDayOrders(book, 1);
        }
    }

    private void expireDayOrders(int book, int side) {
        int slot = books.firstOrder(book, side);
        while (slot != OrderStore.NONE) {
            int next = books.nextOrder(slot);
            if ((store.attributes(slot) & OrderStore.GOOD_TILL_CANCEL) == 0 && !massCancels.cancelIfTaken(slot)) {
                resting.load(books, instruments.ids(), slot);
                books.remove(slot);
                reports.state(resting, ExecType.EXPIRED, OrdStatus.EXPIRED);
            }
            slot = next;
        }
    }

    private static int attributes(int kind) {
        int side = Kind.side(kind) == Kind.SELL ? OrderStore.SELL : 0;
        return Kind.timeInForce(kind) == Kind.GOOD_TILL_CANCEL ? side | OrderStore.GOOD_TILL_CANCEL : side;
    }
}
