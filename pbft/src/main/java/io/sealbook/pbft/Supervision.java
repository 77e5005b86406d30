package io.sealbook.pbft;

import java.util.TreeMap;

/**
 * Judges the primary by the batches that wait for it (pitfalls 4 and 5). It is suspected when
 *
 * <ul>
 *   <li>it is silent: nothing is delivered for the REQUEST timeout although a batch waits;
 *   <li>it passes a batch over: a broker's oldest batch stays the oldest for the cap of the timeouts;
 *   <li>it starves a broker: the broker's oldest batch has waited for the cap, counted from its arrival, and of what
 *       was delivered in the last half of the cap the broker got less than an eighth of an equal share; if less than
 *       one full block was delivered, the share is of one full block.
 * </ul>
 *
 * <p>An overloaded primary that serves the brokers in turn is safe however old the batches get: each broker that has
 * batches ready gets at least an equal share. The part of an eighth is for batches that are late at the primary because
 * their node did not spread them.
 *
 * <p>Ages are counted in STATUS periods in which the primary can be blamed, from the arrival here or from the start of
 * the view: a pause of this process or a jump of its clock makes no batch older, and no primary is blamed for its
 * predecessor.
 */
final class Supervision {
    private static final int SHARE_DIVISOR = 8;

    /** The waiting batches of one broker in the order of their arrival. */
    private static final class Backlog {
        PendingBatch oldest;
        PendingBatch newest;
        /** Period in which {@link #oldest} became the oldest. */
        long oldestSince;
        /** Batches delivered since the last judgement. */
        long servedCount;
    }

    private final Core core;
    private final Timers timers;
    /** Of the brokers with batches that wait, or were delivered since the last judgement. */
    private final TreeMap<Integer, Backlog> backlogs = new TreeMap<>();

    private final long capPeriods;
    private boolean isBlamable;
    /** STATUS periods in which the primary was to blame for what was not delivered. */
    private long period;

    private long viewSince;
    private long judgedAt;
    /** Batches delivered since the last judgement. */
    private long deliveredCount;

    Supervision(Core core, Timers timers) {
        this.core = core;
        this.timers = timers;
        long statusNs = core.config.statusIntervalNs();
        capPeriods = (core.config.viewChangeTimeoutMaxNs() + statusNs - 1) / statusNs;
    }

    void onArrival(PendingBatch batch) {
        Backlog backlog = backlogs.computeIfAbsent(batch.client, client -> new Backlog());
        batch.waitingSince = period;
        batch.earlier = backlog.newest;
        if (backlog.newest == null) {
            backlog.oldest = batch;
            backlog.oldestSince = period;
        } else {
            backlog.newest.later = batch;
        }
        backlog.newest = batch;
    }

    void onDelivered(PendingBatch batch) {
        deliveredCount++;
        remove(batch).servedCount++;
    }

    void onExpired(PendingBatch batch) {
        remove(batch);
    }

    private Backlog remove(PendingBatch batch) {
        Backlog backlog = backlogs.get(batch.client);
        if (batch.earlier == null) {
            backlog.oldest = batch.later;
            backlog.oldestSince = period;
        } else {
            batch.earlier.later = batch.later;
        }
        if (batch.later == null) {
            backlog.newest = batch.earlier;
        } else {
            batch.later.earlier = batch.earlier;
        }
        batch.earlier = null;
        batch.later = null;
        return backlog;
    }

    /** Starts again: the primary of another view is not blamed for its predecessor. */
    void enterView() {
        viewSince = period;
        restart();
    }

    /**
     * Keeps the REQUEST timer; after every input.
     *
     * @param isBlamable whether a batch waits that the primary could have had delivered
     * @param hasDelivered whether the input brought a delivery
     */
    void watch(boolean isBlamable, boolean hasDelivered) {
        this.isBlamable = isBlamable;
        if (!isBlamable) {
            timers.stop(Timer.REQUEST);
        } else if (hasDelivered || !timers.isRunning(Timer.REQUEST)) {
            timers.start(Timer.REQUEST, core.timeoutNs());
        }
    }

    /** A STATUS period is over. Returns whether the primary passes a batch over or starves a broker. */
    boolean isPrimaryUnfair() {
        if (!isBlamable) {
            return false;
        }
        period++;
        boolean isUnfair = backlogs.values().stream().anyMatch(this::isPassedOver);
        if (period - judgedAt >= (capPeriods + 1) / 2) {
            isUnfair |= backlogs.values().stream().anyMatch(this::isStarved);
            restart();
        }
        return isUnfair;
    }

    private boolean isPassedOver(Backlog backlog) {
        return backlog.oldest != null && age(backlog.oldestSince) >= capPeriods;
    }

    private boolean isStarved(Backlog backlog) {
        long deliveredMin = Math.max(deliveredCount, core.config.blockMaxBatches());
        return backlog.oldest != null
                && age(backlog.oldest.waitingSince) >= capPeriods
                && SHARE_DIVISOR * backlogs.size() * (backlog.servedCount + 1) < deliveredMin;
    }

    private long age(long since) {
        return period - Math.max(since, viewSince);
    }

    private void restart() {
        judgedAt = period;
        deliveredCount = 0;
        backlogs.values().removeIf(backlog -> backlog.oldest == null);
        backlogs.values().forEach(backlog -> backlog.servedCount = 0);
    }

    int entryCount() {
        return backlogs.size();
    }
}
