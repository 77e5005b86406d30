package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.protocol.sbe.RejectReason;

/**
 * A request that takes many resting orders of a broker: those that rest when it is executed, and pass its filter. An
 * order that is taken trades no more; it is cancelled when it is met, see {@link MassCancels}.
 */
final class MassCancel {
    /** Bit of a scope: accountId is part of the filter. */
    static final int OF_ACCOUNT = 1;
    /** Bit of a scope: session is part of the filter. */
    static final int OF_SESSION = 2;

    /** In place of a book: of any. */
    static final int ANY_BOOK = -1;

    /** Position of the broker in the configuration. */
    final int broker;

    final RejectReason reason;
    /** Of the request; 0 of a cancel on disconnect. */
    final long clOrdId;
    /** See {@link Kind}. */
    final int kind;

    final int accountId;
    /** 0 of a request for all instruments. */
    final int instrumentId;
    /** Position of the instrument, or {@link #ANY_BOOK}. */
    final int book;
    /** See {@link #OF_ACCOUNT} and {@link #OF_SESSION}. */
    final long scope;

    final long session;
    /** The last order that was accepted before it. */
    long lastOrderId;
    /** Orders cancelled so far. */
    long count;
    /** Passes over all books after whose end it is complete; 0 while it is not pending. */
    int passesLeft;

    MassCancel(
            int broker,
            RejectReason reason,
            long clOrdId,
            int kind,
            int accountId,
            int instrumentId,
            int book,
            long scope,
            long session) {
        this.broker = broker;
        this.reason = reason;
        this.clOrdId = clOrdId;
        this.kind = kind;
        this.accountId = accountId;
        this.instrumentId = instrumentId;
        this.book = book;
        this.scope = scope;
        this.session = session;
    }

    /** Returns the request of an entry, whose fields were checked. */
    static MassCancel of(int broker, Entry entry, int book) {
        return new MassCancel(
                broker,
                RejectReason.MASS_CANCEL,
                entry.clOrdId,
                entry.kind,
                entry.accountId,
                entry.instrumentId,
                book,
                entry.quantity,
                entry.price);
    }

    /** Returns the cancel of all orders of a session whose time has run out. */
    static MassCancel onDisconnect(int broker, int session) {
        int kind = Kind.of(Kind.CANCEL_AFTER, Kind.ABSENT, Kind.ABSENT, Kind.ABSENT);
        return new MassCancel(broker, RejectReason.CANCEL_AFTER, 0, kind, 0, 0, ANY_BOOK, OF_SESSION, session);
    }

    boolean isOnDisconnectOf(int otherSession) {
        return reason == RejectReason.CANCEL_AFTER && session == otherSession;
    }

    /** Returns whether a ladder, the orders of a side of a book, may have orders that it takes. */
    boolean mayConcern(int ladder) {
        return (book == ANY_BOOK || book == ladder >>> 1) && isOfSide(ladder & 1);
    }

    private boolean isOfSide(int side) {
        byte filter = Kind.side(kind);
        return filter == Kind.ABSENT || (filter == Kind.SELL) == (side == OrderStore.SELL);
    }

    /** Returns whether it takes a resting order. */
    boolean takes(OrderBooks books, int slot) {
        OrderStore store = books.orders();
        return store.broker(slot) == broker
                && store.orderId(slot) <= lastOrderId
                && ((scope & OF_SESSION) == 0 || store.session(slot) == session)
                && ((scope & OF_ACCOUNT) == 0 || store.account(slot) == accountId)
                && isOfSide(store.side(slot))
                && (book == ANY_BOOK || books.book(slot) == book);
    }

    /** Writes the fields that its report has. */
    void show(OrderState as) {
        as.broker = broker;
        as.clOrdId = clOrdId;
        as.price = session;
        as.quantity = scope;
        as.cumQty = count;
        as.account = accountId;
        as.instrumentId = instrumentId;
        as.kind = kind;
    }
}
