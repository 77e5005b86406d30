package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/**
 * Cancels many orders at once, in effect, and in bounded portions, in work. A request takes its orders when it is
 * executed. It cancels them there and then, as long as the block has visits left; a visit is a look at a resting order
 * or at a side of a book. If orders remain, the request is pending: each further block begins with a portion of a pass
 * over all books, by instrument, buys before sells, in priority order, which cancels each order that a pending request
 * has taken. An order that an entry meets before the pass does is cancelled first, so that no taken order trades and no
 * ClOrdID names one. A request is complete after the first pass that began no earlier than it.
 *
 * <p>Nothing is kept per order: an order is taken if it was accepted before a pending request whose filter it passes.
 */
final class MassCancels {
    /** Visits of a block: as many for the pass at its beginning, and as many for the requests in it. */
    static final int VISITS_MAX = 1 << 16;

    /** Looks in vain that each broker has in a block, however many brokers there are. */
    static final int LOOKS_MIN = 256;

    /** Pending requests of a broker, besides one for each session whose time has run out. */
    static final int PENDING_MAX = 16;

    private final OrderBooks books;
    private final OrderStore store;
    private final Instruments instruments;
    private final ReportWriter reports;
    private final int visitsMax;
    private final OrderState order = new OrderState();
    private final OrderState shown = new OrderState();

    /** By broker position; each list has one or more, in the order in which they began. */
    private final TreeMap<Integer, List<MassCancel>> pending = new TreeMap<>();

    /**
     * The side of a book in which the pass is: the position of the instrument, doubled, and 1 for sells. The marked
     * order of the books is the next one; without a mark, the first of the side is. 0 if no pass goes on.
     */
    private int ladder;

    /** Of requests in this block. */
    private int visitsLeft;

    /** Sides of books that were considered for requests when they came. */
    private long ladderCount;

    /** By broker position: looks in this block of orders that had to be filled whole and were not. */
    private final TreeMap<Integer, Integer> looksInVain = new TreeMap<>();

    /** @param visitsMax of a block; decides outputs */
    MassCancels(OrderBooks books, Instruments instruments, ReportWriter reports, int visitsMax) {
        this.books = books;
        this.store = books.orders();
        this.instruments = instruments;
        this.reports = reports;
        this.visitsMax = visitsMax;
    }

    /** Returns whether orders may be taken. */
    boolean isPending() {
        return !pending.isEmpty();
    }

    /** Returns whether the broker has as many pending requests as it may have. */
    boolean isFull(int broker) {
        List<MassCancel> own = pending.get(broker);
        return own != null
                && own.stream()
                                .filter(request -> request.reason == RejectReason.MASS_CANCEL)
                                .count()
                        >= PENDING_MAX;
    }

    /** Begins a block: carries the pass on. Sessions whose time has run out were taken before. */
    void beginBlock() {
        visitsLeft = visitsMax;
        looksInVain.clear();
        int left = visitsMax;
        while (isPending() && left > 0) {
            int mark = books.mark();
            int slot = mark == OrderStore.NONE ? books.firstOrder(ladder >>> 1, ladder & 1) : mark;
            slot = slot == OrderBooks.MARK_AT_END ? OrderStore.NONE : slot;
            while (slot != OrderStore.NONE && left > 0) {
                left--;
                int next = books.nextOrder(slot);
                cancelIfTaken(slot);
                slot = next;
            }
            books.mark(slot);
            if (slot == OrderStore.NONE) {
                left--;
                endLadder();
            }
        }
    }

    private void endLadder() {
        ladder++;
        if (ladder == 2 * instruments.count()) {
            ladder = 0;
            endPass();
        }
    }

    private void endPass() {
        Iterator<List<MassCancel>> brokers = pending.values().iterator();
        while (brokers.hasNext()) {
            List<MassCancel> own = brokers.next();
            Iterator<MassCancel> requests = own.iterator();
            while (requests.hasNext()) {
                MassCancel request = requests.next();
                request.passesLeft--;
                if (request.passesLeft == 0) {
                    requests.remove();
                    reportLater(request);
                }
            }
            if (own.isEmpty()) {
                brokers.remove();
            }
        }
    }

    private void reportLater(MassCancel request) {
        request.show(shown);
        RejectReason reason =
                request.reason == RejectReason.MASS_CANCEL ? RejectReason.NONE : RejectReason.CANCEL_AFTER;
        reports.earlierRequest(shown, reason);
    }

    /**
     * Executes the request of an entry, and reports what came of it.
     *
     * @param request just made
     * @param lastOrderId of the last order accepted before it
     */
    void execute(MassCancel request, long lastOrderId) {
        request.lastOrderId = lastOrderId;
        boolean isComplete = cancelNow(request) || books.liveOrderCount(request.broker) == 0;
        if (!isComplete) {
            add(request);
        }
        request.show(shown);
        reports.request(shown, isComplete ? 0 : books.liveOrderCount(request.broker), RejectReason.NONE);
    }

    /** Cancels its orders while visits are left; returns whether all of them are cancelled. */
    private boolean cancelNow(MassCancel request) {
        boolean isOfOneBook = request.book != MassCancel.ANY_BOOK;
        int first = isOfOneBook ? 2 * request.book : 0;
        int end = isOfOneBook ? first + 2 : 2 * instruments.count();
        for (int at = first; at < end && books.liveOrderCount(request.broker) != 0; at++) {
            ladderCount++;
            if (request.mayConcern(at) && !(visit() && cancelNow(request, books.firstOrder(at >>> 1, at & 1)))) {
                return false;
            }
        }
        return true;
    }

    private boolean cancelNow(MassCancel request, int first) {
        int slot = first;
        while (slot != OrderStore.NONE) {
            if (!visit()) {
                return false;
            }
            int next = books.nextOrder(slot);
            if (request.takes(books, slot)) {
                remove(slot, request);
                reports.canceled(order, request.reason);
            }
            slot = next;
        }
        return true;
    }

    private boolean visit() {
        if (visitsLeft == 0) {
            return false;
        }
        visitsLeft--;
        return true;
    }

    private void remove(int slot, MassCancel request) {
        order.load(books, instruments.ids(), slot);
        books.remove(slot);
        request.count++;
    }

    private void add(MassCancel request) {
        request.passesLeft = passesToCome();
        pending.computeIfAbsent(request.broker, broker -> new ArrayList<>()).add(request);
    }

    /** A pass that has begun counts for nothing: it may have gone past orders that are taken now. */
    private int passesToCome() {
        boolean isAtStart = ladder == 0 && books.mark() == OrderStore.NONE;
        return isAtStart ? 1 : 2;
    }

    /**
     * Takes all orders of a session whose time has run out; a further time before they are cancelled is one request
     * with the one before.
     *
     * @param broker its position
     * @param session of the broker
     * @param lastOrderId of the last accepted order
     */
    void takeSession(int broker, int session, long lastOrderId) {
        MassCancel request = pending.getOrDefault(broker, List.of()).stream()
                .filter(each -> each.isOnDisconnectOf(session))
                .findFirst()
                .orElse(null);
        if (request == null) {
            request = MassCancel.onDisconnect(broker, session);
            add(request);
        }
        request.lastOrderId = lastOrderId;
        request.passesLeft = passesToCome();
    }

    /** Returns whether a pending request has taken a resting order. */
    boolean isTaken(int slot) {
        return isPending() && takenBy(slot) != null;
    }

    /** Cancels an order if it is taken; it is not caused by the entry that meets it. Returns whether it was. */
    boolean cancelIfTaken(int slot) {
        if (pending.isEmpty()) {
            return false;
        }
        MassCancel request = takenBy(slot);
        if (request == null) {
            return false;
        }
        remove(slot, request);
        reports.canceledBefore(order, request.reason);
        return true;
    }

    /** Returns the first request that takes the order, or null. */
    private MassCancel takenBy(int slot) {
        List<MassCancel> own = pending.get(store.broker(slot));
        if (own == null) {
            return null;
        }
        for (MassCancel request : own) {
            if (request.takes(books, slot)) {
                return request;
            }
        }
        return null;
    }

    /**
     * Cancels the taken orders that an incoming order would meet: all of them in this block, however many. These
     * cancels are bounded by the live orders that brokers may have. Of the others it looks at those that it fills; an
     * order that is filled whole or not at all may look in vain, and its broker has a share of such looks in each
     * block, which no other broker uses.
     *
     * @param incoming not yet entered
     * @param limit worst price that it accepts
     * @param isWholeOnly whether it is filled whole or not at all
     * @return false if it is not to be filled, because too little is left for it, or the broker has no look left
     */
    boolean clearWay(OrderState incoming, long limit, boolean isWholeOnly) {
        int other = incoming.side() ^ 1;
        if (isWholeOnly && !mayConcern(2 * incoming.book + other)) {
            return true;
        }
        int looks = isWholeOnly ? looksInVain.getOrDefault(incoming.broker, 0) : 0;
        int looksMax = isWholeOnly ? looksMax() : Integer.MAX_VALUE;
        long left = incoming.leaves;
        int slot = books.firstOrder(incoming.book, other);
        while (left > 0 && slot != OrderStore.NONE && isWithin(incoming, limit, slot)) {
            int next = books.nextOrder(slot);
            if (!cancelIfTaken(slot)) {
                if (looks == looksMax) {
                    break;
                }
                looks++;
                left -= store.leaves(slot);
            }
            slot = next;
        }
        if (!isWholeOnly || left <= 0) {
            return true;
        }
        looksInVain.put(incoming.broker, looks);
        return false;
    }

    private int looksMax() {
        return Math.max(LOOKS_MIN, visitsMax / books.brokerCount());
    }

    /** Returns whether a ladder may have orders that a pending request has taken. */
    private boolean mayConcern(int opposite) {
        for (List<MassCancel> own : pending.values()) {
            for (MassCancel request : own) {
                if (request.mayConcern(opposite)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isWithin(OrderState incoming, long limit, int slot) {
        long price = books.price(slot);
        return incoming.side() == 0 ? price <= limit : price >= limit;
    }

    /** Returns how many sides of books were considered for requests when they came. */
    long ladderCount() {
        return ladderCount;
    }

    /** Returns the side of a book in which the pass is. */
    int ladder() {
        return ladder;
    }

    /** Returns all pending requests: by broker, in the order in which they began. */
    List<MassCancel> pending() {
        return pending.values().stream().flatMap(List::stream).toList();
    }

    /** Goes on with requests in the order of {@link #pending}, and with a pass whose next order the books mark. */
    void restore(int passLadder, List<MassCancel> requests) {
        ladder = passLadder;
        for (MassCancel request : requests) {
            pending.computeIfAbsent(request.broker, broker -> new ArrayList<>()).add(request);
        }
    }
}
