package io.sealbook.client;

import io.sealbook.client.TrackedOrder.Stage;
import io.sealbook.client.expiry.ExpiredBatches;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * The state of a broker's orders by ClOrdID(11), from its execution reports. It is complete if it has seen all reports
 * from the first one on, or from one before which no order was live. Any thread.
 *
 * <pre>{@code
 * OrderTracker orders = new OrderTracker(report -> log(report), 10_000);
 * client = BrokerClient.builder().directory(broker).executionReports(orders).connect();
 * }</pre>
 */
public final class OrderTracker implements ExecutionReportListener {
    /** ClOrdIDs by which a replaced order is found, beside its first one: the last ones. */
    public static final int LAST_IDS_MAX = 64;

    /**
     * Orders that are awaited and not known, if {@code doneMax} is not greater: a program may await what it submits.
     */
    static final int UNKNOWN_MAX = 10_000;

    private final ExecutionReportListener next;
    private final int doneMax;
    /** By the ClOrdIDs of the entries, unless a later order has one of them. */
    private final Map<Long, Entry> byId = new HashMap<>();
    /** In the order in which they became known. */
    private final Set<Entry> open = new LinkedHashSet<>();
    /** In the order of their ends. */
    private final Deque<Entry> done = new ArrayDeque<>();
    /** Awaited and not submitted, in the order of their refusals. */
    private final Set<Entry> refused = new LinkedHashSet<>();
    /** Awaited, and named by no report and no submission so far, in the order in which they were asked for. */
    private final Set<Entry> unknown = new LinkedHashSet<>();
    /** Submissions of an earlier run without a report, by ClOrdID, as long as the order is not pending. */
    private final Map<Long, Integer> resent = new HashMap<>();
    /** The one with the lowest block first. */
    private final Queue<Undecided> undecided =
            new PriorityQueue<>(Comparator.comparingLong(Undecided::validUntilBlock));
    /** Also those of orders that are forgotten, and may be submitted again. */
    private final ExpiredBatches expired;
    /** Block of the last report. */
    private long lastBlock;

    /**
     * An order whose batch has expired with an unknown outcome: a block up to the last valid one may have executed it.
     */
    private record Undecided(Entry entry, long validUntilBlock) {}

    /** An order under its first id and its last ones. */
    private static final class Entry {
        final List<Long> ids = new ArrayList<>();
        final CompletableFuture<TrackedOrder> end = new CompletableFuture<>();
        /** Null as long as the order is awaited and not known. */
        TrackedOrder order;
        /** Submissions that have no report yet and are not known to have expired, while the order is pending. */
        int submissions;
    }

    /**
     * Makes a tracker that has seen nothing.
     *
     * @param next gets each report after the tracker has taken it
     * @param doneMax ended orders that are remembered, at least 0; the oldest are forgotten. The number of orders that
     *     are awaited after {@link #notSubmitted} has the same bound, that of orders that are awaited and not known and
     *     that of ids of which expired batches are remembered too, if it is at least 10,000
     */
    public OrderTracker(ExecutionReportListener next, int doneMax) {
        if (doneMax < 0) {
            throw new IllegalArgumentException("doneMax " + doneMax);
        }
        this.next = Objects.requireNonNull(next, "next");
        this.doneMax = doneMax;
        this.expired = new ExpiredBatches(Math.max(doneMax, UNKNOWN_MAX), id -> {
            Entry known = byId.get(id);
            return known != null && isOpen(known);
        });
    }

    /**
     * Notes new orders that are about to be submitted; call it before the submission, and again before the same orders
     * are submitted after an {@link ExpiredException}, before {@link #expired}: the report that refuses the expired
     * batch then ends none of them. Cancels and replaces are not noted: they become known with their reports.
     */
    public synchronized void submitting(List<Order> orders) {
        for (Order order : orders) {
            if (order.action() == Action.NEW && !isOpen(order.clOrdId(), Stage.LIVE)) {
                Entry entry = awaited(order.clOrdId());
                int before = isOpen(entry) ? entry.submissions : 0;
                entry.submissions = 1 + before + Objects.requireNonNullElse(resent.remove(order.clOrdId()), 0);
                entry.order = new TrackedOrder(order, Stage.PENDING_NEW, Optional.empty());
                open.add(entry);
            }
        }
    }

    /**
     * Notes that a batch with noted orders has expired: call it once after each {@link ExpiredException}, and if the
     * outcome is {@link ExpiredException.Outcome#NOT_EXECUTED} and the orders are submitted again, after
     * {@link #submitting}. An order that is not submitted again ends, as refused with
     * {@link RejectReason#BATCH_EXPIRED}, and what {@link #whenDone} has returned completes on this thread. The report
     * that refuses the batch may have come before, or come later. If the session of the batch has ended, none comes:
     * without this call the order stays pending.
     *
     * <p>After {@link ExpiredException.Outcome#UNKNOWN} call it before the orders are submitted again. An order ends,
     * as refused, once a report of any order has come with a later block than the last that could contain the batch: a
     * batch that was executed has its reports before.
     *
     * @param orders those of the batch
     * @param failure what its futures failed with
     */
    public void expired(List<Order> orders, ExpiredException failure) {
        for (Entry ended : endExpired(orders, failure)) {
            ended.end.complete(ended.order);
        }
    }

    private synchronized List<Entry> endExpired(List<Order> orders, ExpiredException failure) {
        List<Entry> ended = new ArrayList<>();
        for (Order order : orders) {
            Entry known = order.action() == Action.NEW ? byId.get(order.clOrdId()) : null;
            if (known == null) {
                continue;
            }
            if (failure.outcome() == ExpiredException.Outcome.NOT_EXECUTED) {
                notExecuted(known, order.clOrdId(), failure.validUntilBlock()).ifPresent(ended::add);
            } else if (isPending(known)) {
                undecided.add(new Undecided(known, failure.validUntilBlock()));
            }
        }
        ended.addAll(endUndecided());
        return ended;
    }

    /** Returns the orders that end because a report has come with a later block than any that could execute them. */
    private List<Entry> endUndecided() {
        List<Entry> ended = new ArrayList<>();
        while (!undecided.isEmpty() && undecided.peek().validUntilBlock() < lastBlock) {
            Undecided passed = undecided.remove();
            Entry entry = passed.entry();
            if (isPending(entry)) {
                notExecuted(entry, entry.order.order().clOrdId(), passed.validUntilBlock())
                        .ifPresent(ended::add);
            }
        }
        return ended;
    }

    /** Returns the order if no other submission of it is awaited. */
    private Optional<Entry> notExecuted(Entry entry, long clOrdId, long validUntilBlock) {
        boolean isFirst = expired.note(clOrdId, validUntilBlock);
        return isFirst && isPending(entry) && --entry.submissions == 0
                ? Optional.of(end(entry, Optional.empty()))
                : Optional.empty();
    }

    /**
     * Notes the orders of batches that the client sends again for an earlier run ({@code BrokerClient.resent()}); call
     * it after the client has connected, before {@link #submitting} of one of them: if the batch expires, and the
     * program submits the order again, the report that refuses the batch does not end the order. They are pending only
     * once the program submits them; before, their reports make them known.
     */
    public synchronized void resent(List<ResentBatch> batches) {
        for (ResentBatch batch : batches) {
            for (long clOrdId : batch.clOrdIds()) {
                Entry known = byId.get(clOrdId);
                if (known == null || known.order == null) {
                    resent.merge(clOrdId, 1, Integer::sum);
                }
            }
        }
    }

    /**
     * Forgets noted orders of which no report will come, because their submission was refused. What {@link #whenDone}
     * has returned for one waits until an order is submitted under its id again, and ends. An order that was submitted
     * before and has no report stays. At most {@code doneMax} such orders are awaited; the futures of the oldest fail
     * with a {@link CancellationException}, on this thread.
     */
    public void notSubmitted(List<Order> orders) {
        for (Entry oldest : refuse(orders)) {
            oldest.end.completeExceptionally(new CancellationException("order "
                    + Long.toUnsignedString(oldest.ids.get(0)) + " was not submitted, nor were the " + doneMax
                    + " that are awaited after it"));
        }
    }

    /** Returns the entries that are not awaited any more. */
    private synchronized List<Entry> refuse(List<Order> orders) {
        for (Order order : orders) {
            Entry known = byId.get(order.clOrdId());
            if (isOpen(order.clOrdId(), Stage.PENDING_NEW) && --known.submissions == 0) {
                open.remove(known);
                if (known.end.getNumberOfDependents() == 0) {
                    byId.remove(order.clOrdId());
                } else {
                    known.order = null;
                    refused.add(known);
                }
            }
        }
        return forget(refused, doneMax);
    }

    /** Forgets the oldest entries beyond a bound, and returns them. */
    private List<Entry> forget(Set<Entry> entries, int max) {
        List<Entry> forgotten =
                entries.stream().limit(Math.max(0, entries.size() - max)).toList();
        for (Entry oldest : forgotten) {
            entries.remove(oldest);
            oldest.ids.forEach(id -> byId.remove(id, oldest));
        }
        return forgotten;
    }

    @Override
    public void onReport(ExecutionReport report) {
        List<Entry> ended = take(report);
        next.onReport(report);
        ended.forEach(entry -> entry.end.complete(entry.order));
    }

    @Override
    public void onStopped(ExecutionReport unhandled, RuntimeException cause) {
        next.onStopped(unhandled, cause);
    }

    @Override
    public void onLost(long reportSequence, String why) {
        next.onLost(reportSequence, why);
    }

    /** Returns the orders that the report has ended. */
    private synchronized List<Entry> take(ExecutionReport report) {
        lastBlock = report.blockSequence();
        List<Entry> ended = endUndecided();
        apply(report).ifPresent(ended::add);
        return ended;
    }

    /** Returns the order that the report is about, if it has ended. */
    private Optional<Entry> apply(ExecutionReport report) {
        resent.computeIfPresent(report.clOrdId(), (id, count) -> count == 1 ? null : count - 1);
        return switch (report.execType()) {
            case NEW -> live(awaited(report.clOrdId()), orderOf(report), report);
            case TRADE -> {
                Entry entry = knownOrNew(report.clOrdId(), report);
                yield report.leavesQty() == 0 ? end(entry, report) : live(entry, entry.order.order(), report);
            }
            case REPLACED -> {
                Entry entry = knownOrNew(report.origClOrdId(), report);
                name(entry, report.clOrdId());
                yield live(entry, orderOf(report), report);
            }
            case CANCELED -> {
                long clOrdId = report.action() == Action.CANCEL ? report.origClOrdId() : report.clOrdId();
                yield end(knownOrNew(clOrdId, report), report);
            }
            case EXPIRED -> end(knownOrNew(report.clOrdId(), report), report);
            case REJECTED -> onRejected(report);
            // A refused cancel or replace leaves its order as it is.
            default -> Optional.empty();
        };
    }

    /** A ClOrdID that is refused as a duplicate belongs to another order, which goes on. */
    private Optional<Entry> onRejected(ExecutionReport report) {
        if (report.rejectReason() == RejectReason.BATCH_EXPIRED) {
            return onExpired(report);
        }
        return isOpen(report.clOrdId(), Stage.LIVE)
                ? Optional.empty()
                : end(knownOrNew(report.clOrdId(), report), report);
    }

    /** The batch of an order may have expired before the order was submitted again. */
    private Optional<Entry> onExpired(ExecutionReport report) {
        Entry known = byId.get(report.clOrdId());
        boolean isFirst = expired.refuse(report.clOrdId(), report.blockSequence());
        if (!isFirst || isOpen(report.clOrdId(), Stage.LIVE)) {
            if (known != null && known.order != null && known.order.isEndedWithoutReport()) {
                known.order = new TrackedOrder(known.order.order(), Stage.DONE, Optional.of(report));
            }
            return Optional.empty();
        }
        Entry entry = knownOrNew(report.clOrdId(), report);
        if (entry.submissions > 1) {
            entry.submissions--;
            return Optional.empty();
        }
        return end(entry, report);
    }

    private Optional<Entry> live(Entry entry, Order order, ExecutionReport report) {
        entry.order = new TrackedOrder(order, Stage.LIVE, Optional.of(report));
        open.add(entry);
        return Optional.empty();
    }

    private Optional<Entry> end(Entry entry, ExecutionReport report) {
        return Optional.of(end(entry, Optional.of(report)));
    }

    private Entry end(Entry entry, Optional<ExecutionReport> report) {
        entry.order = new TrackedOrder(entry.order.order(), Stage.DONE, report);
        open.remove(entry);
        done.add(entry);
        while (done.size() > doneMax) {
            Entry oldest = done.remove();
            oldest.ids.forEach(id -> byId.remove(id, oldest));
        }
        return entry;
    }

    /**
     * Returns the entry of the order that has an id at present, or is awaited under it. If there is none, because the
     * order has ended or has another id since a replace, what comes now is another order, and its entry is a new one.
     */
    private Entry awaited(long clOrdId) {
        Entry known = byId.get(clOrdId);
        if (known != null && (known.order == null || isOpen(known) && hasNow(known, clOrdId))) {
            found(known);
            return known;
        }
        Entry entry = new Entry();
        name(entry, clOrdId);
        return entry;
    }

    /** An order comes under the id of an entry: no bound is on it. */
    private void found(Entry entry) {
        refused.remove(entry);
        unknown.remove(entry);
    }

    private Entry knownOrNew(long clOrdId, ExecutionReport report) {
        Entry entry = awaited(clOrdId);
        if (entry.order == null) {
            entry.order = new TrackedOrder(orderOf(report), Stage.LIVE, Optional.empty());
        }
        return entry;
    }

    private void name(Entry entry, long clOrdId) {
        Entry before = byId.put(clOrdId, entry);
        entry.ids.add(clOrdId);
        if (entry.ids.size() > 1 + LAST_IDS_MAX) {
            long oldest = entry.ids.remove(1);
            if (!entry.ids.contains(oldest)) {
                byId.remove(oldest, entry);
            }
        }
        if (before != null && before.order == null) {
            // Awaited under an id that a replace gives to an order.
            found(before);
            entry.end.thenAccept(before.end::complete);
        }
    }

    private boolean isOpen(Entry entry) {
        return open.contains(entry);
    }

    private boolean isPending(Entry entry) {
        return isOpen(entry) && entry.order.stage() == Stage.PENDING_NEW;
    }

    /** Returns whether an open order in a stage has an id at present: a replace has not given it another one. */
    private boolean isOpen(long clOrdId, Stage stage) {
        Entry known = byId.get(clOrdId);
        return known != null && isOpen(known) && known.order.stage() == stage && hasNow(known, clOrdId);
    }

    private static boolean hasNow(Entry known, long clOrdId) {
        return known.order.order().clOrdId() == clOrdId;
    }

    private static Order orderOf(ExecutionReport report) {
        return new Order(
                report.action(),
                report.clOrdId(),
                report.origClOrdId(),
                report.accountId(),
                report.instrumentId(),
                report.side(),
                report.ordType(),
                report.timeInForce(),
                report.price(),
                report.quantity());
    }

    /**
     * Returns an order by its first ClOrdID or one of its last {@link #LAST_IDS_MAX}: the latest one that has had it.
     *
     * @return empty if it is not known, or was forgotten after its end
     */
    public synchronized Optional<TrackedOrder> find(long clOrdId) {
        return Optional.ofNullable(byId.get(clOrdId)).map(entry -> entry.order);
    }

    /**
     * Returns an order after its end, whatever ids replaces give it until then.
     *
     * @param clOrdId its first ClOrdID or one of its last {@link #LAST_IDS_MAX}; of an order that is not known yet, one
     *     that it will have
     * @return completed on the thread of the reports, after the next listener, and as refused if a batch with the order
     *     has expired and no other one was noted by {@link #submitting}; never if neither a report nor {@link #expired}
     *     says how the order ended; fails if the order is forgotten after {@link #notSubmitted}. Of orders that are not
     *     known {@code doneMax} are awaited, or 10,000 if that is more; the futures of the oldest fail with a
     *     {@link CancellationException}, on this thread
     */
    public CompletableFuture<TrackedOrder> whenDone(long clOrdId) {
        CompletableFuture<TrackedOrder> end;
        List<Entry> forgotten;
        synchronized (this) {
            Entry entry = byId.get(clOrdId);
            if (entry == null) {
                entry = awaited(clOrdId);
                unknown.add(entry);
            }
            end = entry.end.copy();
            forgotten = forget(unknown, Math.max(doneMax, UNKNOWN_MAX));
        }
        for (Entry oldest : forgotten) {
            oldest.end.completeExceptionally(new CancellationException("order "
                    + Long.toUnsignedString(oldest.ids.get(0)) + " is not known, and many are awaited after it"));
        }
        return end;
    }

    /** Returns the number of ids by which an order is found or awaited. */
    synchronized int idCount() {
        return byId.size();
    }

    /** Returns the orders that have not ended, in the order in which they became known. */
    public synchronized List<TrackedOrder> open() {
        return open.stream().map(entry -> entry.order).toList();
    }

    /**
     * Returns cancels of all live orders, to be submitted in lists of at most the genesis file's {@code orderCountMax}.
     *
     * @param clOrdIds gives each cancel its own id
     */
    public synchronized List<Order> cancels(LongSupplier clOrdIds) {
        List<Order> cancels = new ArrayList<>();
        for (Entry entry : open) {
            if (entry.order.stage() == Stage.LIVE) {
                Order order = entry.order.order();
                cancels.add(Order.cancel(
                        clOrdIds.getAsLong(), order.clOrdId(), order.accountId(), order.instrumentId(), order.side()));
            }
        }
        return cancels;
    }
}
