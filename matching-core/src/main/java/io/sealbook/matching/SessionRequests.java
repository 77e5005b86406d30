package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.RejectReason;

/**
 * Carries out the entries that are about no single order: mass cancels, and the time after which a session that is
 * silent has its orders cancelled.
 */
final class SessionRequests {
    private static final long SCOPES = MassCancel.OF_ACCOUNT | MassCancel.OF_SESSION;

    private final Instruments instruments;
    private final ReportWriter reports;
    private final int sessionsPerBroker;
    private final MassCancels massCancels;
    private final CancelAfter cancelAfter;
    private final OrderState shown = new OrderState();

    SessionRequests(
            Instruments instruments, OrderBooks books, ReportWriter reports, MarketConfig config, int visitsMax) {
        this.instruments = instruments;
        this.reports = reports;
        this.sessionsPerBroker = config.sessionsPerBroker();
        this.massCancels = new MassCancels(books, instruments, reports, visitsMax);
        this.cancelAfter = new CancelAfter(config.brokers().size(), sessionsPerBroker);
    }

    MassCancels massCancels() {
        return massCancels;
    }

    CancelAfter cancelAfter() {
        return cancelAfter;
    }

    /** Begins a block: takes the orders of sessions that were silent too long, then cancels a portion of all taken. */
    void beginBlock(long blockTimeNs, long lastOrderId) {
        cancelAfter.runOut(
                blockTimeNs,
                session ->
                        massCancels.takeSession(session / sessionsPerBroker, session % sessionsPerBroker, lastOrderId));
        massCancels.beginBlock();
    }

    /**
     * Executes a mass cancel.
     *
     * @param accounts of the broker
     * @param lastOrderId of the last accepted order
     * @return why it was refused, or NONE
     */
    RejectReason massCancel(int broker, Entry entry, AccountRanges accounts, long lastOrderId) {
        if (!isSound(entry)) {
            return RejectReason.INVALID_FIELD;
        }
        int book = entry.instrumentId == 0 ? MassCancel.ANY_BOOK : instruments.position(entry.instrumentId);
        if (entry.instrumentId != 0 && book == IdIndex.MISSING) {
            return RejectReason.UNKNOWN_INSTRUMENT;
        }
        if ((entry.quantity & MassCancel.OF_ACCOUNT) != 0 && !accounts.contains(entry.accountId)) {
            return RejectReason.UNKNOWN_ACCOUNT;
        }
        if (massCancels.isFull(broker)) {
            return RejectReason.MASS_CANCEL_LIMIT;
        }
        massCancels.execute(MassCancel.of(broker, entry, book), lastOrderId);
        return RejectReason.NONE;
    }

    private boolean isSound(Entry entry) {
        long scope = entry.quantity;
        boolean isSession = (scope & MassCancel.OF_SESSION) != 0
                ? 0 <= entry.price && entry.price < sessionsPerBroker
                : entry.price == 0;
        boolean isAccount = (scope & MassCancel.OF_ACCOUNT) != 0 || entry.accountId == 0;
        return (scope & ~SCOPES) == 0 && isSession && isAccount && isRequest(entry);
    }

    private static boolean isRequest(Entry entry) {
        return entry.clOrdId != 0
                && entry.origClOrdId == 0
                && Kind.ordType(entry.kind) == Kind.ABSENT
                && Kind.timeInForce(entry.kind) == Kind.ABSENT;
    }

    /**
     * Sets the time of a session.
     *
     * @param session of the broker
     * @param blockTimeNs of the block in hand
     * @return why it was refused, or NONE
     */
    RejectReason cancelAfter(int broker, int session, Entry entry, long blockTimeNs) {
        if (!isRequest(entry)
                || entry.price != 0
                || entry.accountId != 0
                || entry.instrumentId != 0
                || Kind.side(entry.kind) != Kind.ABSENT) {
            return RejectReason.INVALID_FIELD;
        }
        if (!CancelAfter.isTime(entry.quantity)) {
            return RejectReason.INVALID_QUANTITY;
        }
        cancelAfter.set(broker * sessionsPerBroker + session, (int) entry.quantity, blockTimeNs);
        shown.broker = broker;
        shown.clOrdId = entry.clOrdId;
        shown.quantity = entry.quantity;
        shown.kind = entry.kind;
        reports.request(shown, entry.quantity, RejectReason.NONE);
        return RejectReason.NONE;
    }
}
