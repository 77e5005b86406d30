package io.sealbook.engine.history;

import io.sealbook.access.HolderQuota;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Places for questions that are answered at a time. One question of each caller is answered or waits, and each role has
 * places to wait that no other one takes. Roles have their turns: a free place goes to the role whose last turn is the
 * longest ago, and in it to who came first. So brokers that ask without end keep neither auditors nor members from
 * theirs; more of them than the places that brokers share keep each other. Any thread; the lock is held while a place
 * is taken, awaited or released.
 */
final class QuestionPlaces {
    private final int answeredMax;
    private final long waitMs;
    /** Those that are answered, and those that wait. */
    private final HolderQuota askers;

    private final Lock lock = new ReentrantLock();
    private final Condition hasTurn = lock.newCondition();
    /** Who came first is first. */
    private final List<Waiting> line = new ArrayList<>();

    /** By role, empty for callers without one, the number of its last turn; none before its first. */
    private final Map<Optional<Role>, Long> lastTurns = new HashMap<>();

    private long turns;
    private int answered;

    private static final class Waiting {
        private final Optional<Role> role;
        private boolean isAdmitted;

        private Waiting(Optional<Role> role) {
            this.role = role;
        }
    }

    /**
     * @param answeredMax questions that are answered at a time
     * @param askersMax questions that are answered or wait, more than {@code answeredMax}: each holds a thread
     * @param waitMs time after which a question that has no place yet is refused
     */
    QuestionPlaces(int answeredMax, int askersMax, long waitMs) {
        this.answeredMax = answeredMax;
        this.waitMs = waitMs;
        this.askers = new HolderQuota(askersMax, 1);
    }

    /**
     * Takes a place, and waits for one if none is free.
     *
     * @param asker whose question it is
     * @return why there is none; empty if it is taken, and {@link #release} must follow
     */
    Optional<String> take(Object asker) {
        HolderQuota.Answer answer = askers.take(asker);
        if (answer == HolderQuota.Answer.HOLDER_HAS_ENOUGH) {
            return Optional.of("another question of " + HolderQuota.nameOf(asker) + " is being answered");
        }
        if (answer != HolderQuota.Answer.TAKEN) {
            return Optional.of(askers.describe(answer, asker, "questions to the blocks"));
        }
        if (awaitTurn(asker instanceof Caller caller ? Optional.of(caller.role()) : Optional.empty())) {
            return Optional.empty();
        }
        askers.release(asker);
        return Optional.of(answeredMax + " questions to the blocks are being answered");
    }

    private boolean awaitTurn(Optional<Role> role) {
        Waiting own = new Waiting(role);
        lock.lock();
        try {
            line.add(own);
            admit();
            long leftNs = TimeUnit.MILLISECONDS.toNanos(waitMs);
            while (!own.isAdmitted && leftNs > 0) {
                leftNs = hasTurn.awaitNanos(leftNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            line.remove(own);
            lock.unlock();
        }
        return own.isAdmitted;
    }

    /** Releases the place of a question that has been answered. */
    void release(Object asker) {
        lock.lock();
        try {
            answered--;
            admit();
        } finally {
            lock.unlock();
        }
        askers.release(asker);
    }

    private void admit() {
        while (answered < answeredMax && !line.isEmpty()) {
            Waiting next = next();
            line.remove(next);
            next.isAdmitted = true;
            lastTurns.put(next.role, ++turns);
            answered++;
            hasTurn.signalAll();
        }
    }

    private Waiting next() {
        Waiting next = line.getFirst();
        for (Waiting waiting : line) {
            if (lastTurn(waiting) < lastTurn(next)) {
                next = waiting;
            }
        }
        return next;
    }

    private long lastTurn(Waiting waiting) {
        return lastTurns.getOrDefault(waiting.role, 0L);
    }
}
