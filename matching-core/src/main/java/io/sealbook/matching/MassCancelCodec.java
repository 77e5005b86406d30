package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.protocol.sbe.RejectReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The part of a snapshot that has the pending mass cancels and the place of their pass; see {@link SnapshotCodec}. */
final class MassCancelCodec {
    private static final long FIRST_OF_SIDE = 0;
    private static final long AT_END = -1;

    private final MarketConfig config;
    private final OrderBooks books;
    private final MassCancels massCancels;
    /** With which the pass goes on. */
    private long nextOrderId;

    private int ladder;

    MassCancelCodec(MarketConfig config, OrderBooks books, MassCancels massCancels) {
        this.config = config;
        this.books = books;
        this.massCancels = massCancels;
    }

    void write(SnapshotOutput out) throws IOException {
        List<MassCancel> pending = massCancels.pending();
        out.putInt(pending.size());
        for (MassCancel request : pending) {
            out.putInt(request.broker);
            out.putInt(request.reason.value());
            out.putLong(request.clOrdId);
            out.putInt(request.kind);
            out.putInt(request.accountId);
            out.putInt(request.instrumentId);
            out.putLong(request.scope);
            out.putLong(request.session);
            out.putLong(request.lastOrderId);
            out.putLong(request.count);
            out.putInt(request.passesLeft);
        }
        out.putInt(massCancels.ladder());
        out.putLong(markedOrderId());
    }

    private long markedOrderId() {
        return switch (books.mark()) {
            case OrderStore.NONE -> FIRST_OF_SIDE;
            case OrderBooks.MARK_AT_END -> AT_END;
            default -> books.orders().orderId(books.mark());
        };
    }

    /** Reads the part; the orders are read after it. */
    void read(SnapshotInput in) throws IOException {
        int count = in.getInt();
        int countMax = config.brokers().size() * (config.sessionsPerBroker() + MassCancels.PENDING_MAX);
        SnapshotException.unless(0 <= count && count <= countMax, count + " pending mass cancels");
        List<MassCancel> pending = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pending.add(readRequest(in));
        }
        ladder = in.getInt();
        nextOrderId = in.getLong();
        SnapshotException.unless(
                0 <= ladder && ladder < 2 * config.instruments().size(), "a pass in side " + ladder + " of the books");
        massCancels.restore(ladder, pending);
    }

    private MassCancel readRequest(SnapshotInput in) throws IOException {
        int broker = in.getInt();
        SnapshotException.unless(
                0 <= broker && broker < config.brokers().size(), "mass cancel of broker position " + broker);
        RejectReason reason = reason(in.getInt());
        long clOrdId = in.getLong();
        int kind = in.getInt();
        int accountId = in.getInt();
        int instrumentId = in.getInt();
        long scope = in.getLong();
        long session = in.getLong();
        MassCancel request = new MassCancel(
                broker, reason, clOrdId, kind, accountId, instrumentId, book(instrumentId), scope, session);
        request.lastOrderId = in.getLong();
        request.count = in.getLong();
        request.passesLeft = in.getInt();
        return request;
    }

    private static RejectReason reason(int code) throws SnapshotException {
        if (code == RejectReason.MASS_CANCEL.value()) {
            return RejectReason.MASS_CANCEL;
        }
        SnapshotException.unless(code == RejectReason.CANCEL_AFTER.value(), "mass cancel for the reason " + code);
        return RejectReason.CANCEL_AFTER;
    }

    private int book(int instrumentId) throws SnapshotException {
        if (instrumentId == 0) {
            return MassCancel.ANY_BOOK;
        }
        for (int book = 0; book < config.instruments().size(); book++) {
            if (config.instruments().get(book).instrumentId() == instrumentId) {
                return book;
            }
        }
        throw new SnapshotException("mass cancel in instrument " + Integer.toUnsignedString(instrumentId));
    }

    /** Marks the order with which the pass goes on, after all orders are in the books. */
    void finish() throws SnapshotException {
        if (nextOrderId == AT_END) {
            books.mark(OrderBooks.MARK_AT_END);
        } else if (nextOrderId != FIRST_OF_SIDE) {
            int slot = books.firstOrder(ladder >>> 1, ladder & 1);
            while (slot != OrderStore.NONE && books.orders().orderId(slot) != nextOrderId) {
                slot = books.nextOrder(slot);
            }
            SnapshotException.unless(slot != OrderStore.NONE, "a pass goes on with an order that is none");
            books.mark(slot);
        }
    }
}
