package io.sealbook.pbft;

import io.sealbook.vocabulary.SessionKey;
import java.util.TreeMap;

/**
 * Judges the primary by the batches that wait for it (pitfalls 4 and 5). It is suspected when
 *
 * <ul>
 *   <li>it is silent: nothing is delivered for the REQUEST timeout although a batch waits;
 *   <li>it passes a session over: the session's oldest batch stays the oldest for the cap of the timeouts;
 *   <li>it starves a broker: a batch of the broker has waited for the cap, counted from its arrival, and of what was
 *       delivered in the last half of the cap the broker got less than an eighth of an equal share; if less than one
 *       full block was delivered, the share is of one full block.
 * </ul>
 *
 * <p>A primary judges itself, too, but for silence: it gives its view up when others cannot follow it.
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

    /** What waits of one session. */
    private static final class Backlog {
        final SessionAge age;
        /** Period in which the session's oldest batch became the oldest. */
        long oldestSince;

        boolean isWaiting;

        Backlog(int periodsMax) {
            age = new SessionAge(periodsMax);
        }
    }

    private final Core core;
    private final Timers timers;
    /** Of the sessions that had batches waiting when a period ended, and since. */
    private final TreeMap<Long, Backlog> backlogs = new TreeMap<>();
    /** Batches delivered since the last judgement, by the brokers that wait or were served. */
    private final TreeMap<Integer, Long> served = new TreeMap<>();

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

    /**
     * Batches of a session are in the chain.
     *
     * @param sessionKey of the session
     * @param count how many batches, 0 if they were in the chain before
     */
    void onDelivered(long sessionKey, long count) {
        deliveredCount += count;
        served.merge(SessionKey.brokerId(sessionKey), count, Long::sum);
        Backlog backlog = backlogs.get(sessionKey);
        if (backlog != null && count > 0) {
            backlog.oldestSince = period;
        }
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
        if (!isBlamable || core.isPrimary()) {
            timers.stop(Timer.REQUEST);
        } else if (hasDelivered || !timers.isRunning(Timer.REQUEST)) {
            timers.start(Timer.REQUEST, core.requestTimeoutNs());
        }
    }

    /** Returns whether a batch waited after the last input that the primary could have had delivered. */
    boolean isBlamable() {
        return isBlamable;
    }

    /** A STATUS period is over. Returns whether the primary passes a session over or starves a broker. */
    boolean isPrimaryUnfair() {
        if (!isBlamable) {
            return false;
        }
        note();
        period++;
        boolean isUnfair = backlogs.values().stream().anyMatch(this::isPassedOver);
        if (period - judgedAt >= (capPeriods + 1) / 2) {
            isUnfair |= backlogs.entrySet().stream()
                    .anyMatch(entry -> isStarved(SessionKey.brokerId(entry.getKey()), entry.getValue()));
            restart();
        }
        return isUnfair;
    }

    /** Notes how far each session that is waited for had come in the period that is over. */
    private void note() {
        for (SessionLine line : core.batches.lines()) {
            boolean isWaiting = line.heldCount() > 0 && !line.isWithdrawn();
            Backlog backlog = backlogs.get(line.sessionKey());
            if (backlog == null && isWaiting) {
                backlog = new Backlog((int) capPeriods);
                backlogs.put(line.sessionKey(), backlog);
                served.putIfAbsent(SessionKey.brokerId(line.sessionKey()), 0L);
            }
            if (backlog != null) {
                backlog.oldestSince = isWaiting && !backlog.isWaiting ? period : backlog.oldestSince;
                backlog.isWaiting = isWaiting;
                backlog.age.onPeriod(period, line.delivered(), isWaiting ? line.held() : line.delivered());
            }
        }
        backlogs.values().removeIf(backlog -> !backlog.isWaiting);
    }

    private boolean isPassedOver(Backlog backlog) {
        return period - Math.max(backlog.oldestSince, viewSince) >= capPeriods;
    }

    private boolean isStarved(int broker, Backlog backlog) {
        long deliveredMin = Math.max(deliveredCount, core.config.blockMaxBatches());
        return backlog.age.of(period, viewSince) >= capPeriods
                && SHARE_DIVISOR * served.size() * (served.get(broker) + 1) < deliveredMin;
    }

    private void restart() {
        judgedAt = period;
        deliveredCount = 0;
        served.clear();
        backlogs.keySet().forEach(sessionKey -> served.put(SessionKey.brokerId(sessionKey), 0L));
    }

    int entryCount() {
        return backlogs.size() + served.size();
    }
}
