package io.sealbook.consensus.repair;

import io.sealbook.node.transfer.ExpectedBlocks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What members send to a node that repairs its archive before it takes part, on its way to the thread that repairs: the
 * answers that it waits for, which come first, and one request of each member, which are served in turn. So a member
 * that asks without end, or sends what nobody asked for, keeps no answer of another one away. Any thread puts, one
 * takes.
 */
final class RepairInbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isNew = lock.newCondition();
    private final ExpectedBlocks expected = new ExpectedBlocks();
    private final Deque<Runnable> answers = new ArrayDeque<>();
    /** By member, in the order in which they came. */
    private final LinkedHashMap<Integer, Runnable> requests = new LinkedHashMap<>();

    /** Notes that blocks are asked of a member; see {@link ExpectedBlocks#expect}. */
    void expect(int peer, long from) {
        expected.expect(peer, from);
    }

    /**
     * Puts an answer in.
     *
     * @return false if this member was not asked for blocks from there, or has answered
     */
    boolean answer(int peer, long from, Runnable task) {
        if (!expected.take(peer, from)) {
            return false;
        }
        lock.lock();
        try {
            answers.add(task);
            isNew.signal();
        } finally {
            lock.unlock();
        }
        return true;
    }

    /**
     * Puts a request in.
     *
     * @return false if one of this member waits
     */
    boolean request(int peer, Runnable task) {
        lock.lock();
        try {
            if (requests.putIfAbsent(peer, task) != null) {
                return false;
            }
            isNew.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next one.
     *
     * @param waitNs longest time to wait for one, nanoseconds
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Optional<Runnable> take(long waitNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Optional<Runnable> next = next();
            long leftNs = waitNs;
            while (next.isEmpty() && leftNs > 0) {
                leftNs = isNew.awaitNanos(leftNs);
                next = next();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private Optional<Runnable> next() {
        if (!answers.isEmpty()) {
            return Optional.of(answers.remove());
        }
        return Optional.ofNullable(requests.pollFirstEntry()).map(Map.Entry::getValue);
    }
}
