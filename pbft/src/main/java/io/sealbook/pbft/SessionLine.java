package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One session as this replica has it beyond its last delivered batch: the ids of the batches that it holds, and how far
 * each replica acknowledged the same ones.
 *
 * <p>An acknowledgement covers every number up to its own. It counts only if this replica holds the batch that it
 * names, because only then does it know that both mean the same batches: a broker may have signed two under one number.
 * One that is ahead waits until the own batches reach it. Of each replica two wait at most, the first and the newest,
 * so that a stream of acknowledgements which stays ahead counts all the same.
 *
 * <p>One that names another batch than is held under its number counts for nothing. The newest one of each replica is
 * kept, because the other batch must be fetched: nobody may hold both so far (pitfall 21).
 *
 * <p>One thread.
 */
final class SessionLine {
    /** Numbers beyond the last delivered one that are held at most; a power of two. */
    static final int AHEAD_MAX = 1_024;

    private static final int INITIAL_CAPACITY = 16;

    private final long sessionKey;
    private final int self;
    /** Of the numbers above the delivered one up to the held one, by number modulo the length, a power of two. */
    private Digest[] ids = new Digest[INITIAL_CAPACITY];
    /** The highest number that each replica acknowledged with the id that is held here. */
    private final long[] agreed;
    /** The first acknowledgement of each replica that is ahead of what is held here; null if there is none. */
    private final SessionEnd[] ahead;
    /** The newest one after it; null if there is none. */
    private final SessionEnd[] newest;
    /** STATUS period in which {@link #ahead} came. */
    private final long[] aheadSince;
    /**
     * The newest acknowledgement of each replica that named another batch than was held here; null if there is none.
     */
    private final SessionEnd[] differing;

    private long delivered;
    private Digest deliveredId;
    private long held;
    /** STATUS period since which nothing of what is held was delivered. */
    private long waitingSince;
    /** What was held when the last heartbeat period ended. */
    private long heldBefore;
    /** What all others were told that this replica holds. */
    private long announced;
    /** Its broker signed two batches under one number: no replica waits for it. */
    private boolean isWithdrawn;

    /**
     * @param sessionKey of the session
     * @param self id of this replica
     * @param replicaCount number of replicas, 4 or more
     */
    SessionLine(long sessionKey, int self, int replicaCount) {
        this.sessionKey = sessionKey;
        this.self = self;
        deliveredId = Digest.ZERO;
        agreed = new long[replicaCount];
        ahead = new SessionEnd[replicaCount];
        newest = new SessionEnd[replicaCount];
        aheadSince = new long[replicaCount];
        differing = new SessionEnd[replicaCount];
    }

    /**
     * Holds the next batch.
     *
     * @param end the batch, of this session
     * @param previous id of the batch before
     * @param tick the present STATUS period
     * @return false if it does not follow the last one that is held, or {@value #AHEAD_MAX} wait already
     */
    boolean hold(SessionEnd end, Digest previous, long tick) {
        if (end.number() != held + 1 || end.number() - delivered > AHEAD_MAX || !previous.equals(idAt(held))) {
            return false;
        }
        if (held == delivered) {
            waitingSince = tick;
        } else if (held - delivered == ids.length) {
            grow();
        }
        held = end.number();
        ids[place(held)] = end.id();
        agreed[self] = held;
        judgeAll();
        return true;
    }

    private void grow() {
        Digest[] old = ids;
        ids = new Digest[2 * old.length];
        for (long number = delivered + 1; number != held + 1; number++) {
            ids[place(number)] = old[(int) number & old.length - 1];
        }
    }

    /**
     * Notes that a replica holds the batches up to an end.
     *
     * @param replica that acknowledged
     * @param end of this session
     * @param tick the present STATUS period
     */
    void acknowledge(int replica, SessionEnd end, long tick) {
        if (!isAfter(end.number(), delivered) || !isAfter(end.number(), agreed[replica])) {
            return;
        }
        if (!isAfter(end.number(), held)) {
            judge(replica, end);
        } else if (ahead[replica] == null) {
            ahead[replica] = end;
            aheadSince[replica] = tick;
        } else if (isAfter(end.number(), ahead[replica].number())) {
            newest[replica] = end;
        }
    }

    private void judgeAll() {
        for (int replica = 0; replica < ahead.length; replica++) {
            while (ahead[replica] != null && !isAfter(ahead[replica].number(), held)) {
                judge(replica, ahead[replica]);
                ahead[replica] = newest[replica];
                newest[replica] = null;
            }
        }
    }

    private void judge(int replica, SessionEnd end) {
        if (!holds(end)) {
            differing[replica] = end;
        } else if (isAfter(end.number(), agreed[replica])) {
            agreed[replica] = end.number();
        }
    }

    /**
     * Returns the batch that a replica acknowledged under a number under which this one holds another; null if there is
     * none. Its broker signed two, or the replica lies.
     *
     * @param replica that acknowledged
     */
    BatchRange differing(int replica) {
        SessionEnd end = differing[replica];
        if (end == null || !isAfter(end.number(), delivered) || isAfter(end.number(), held) || holds(end)) {
            return null;
        }
        return new BatchRange(end, end.number() - 1, idAt(end.number() - 1));
    }

    /**
     * Returns what a replica acknowledged and this one lacks since before a STATUS period, or null. What is too far
     * ahead to be held here is not lacking.
     *
     * @param replica that acknowledged
     * @param tick only what came before this period
     */
    BatchRange lacking(int replica, long tick) {
        SessionEnd end = ahead[replica];
        if (end == null || aheadSince[replica] >= tick || isAfter(end.number() - delivered, AHEAD_MAX)) {
            return null;
        }
        return new BatchRange(end, held, idAt(held));
    }

    /**
     * Returns the highest number that enough replicas hold with the id that is held here, this one among them; the last
     * delivered one if there is none.
     *
     * @param replicasMin how many are enough, 1 or more
     */
    long ready(int replicasMin) {
        long ready = delivered;
        for (long candidate : agreed) {
            if (isAfter(candidate, ready) && count(candidate) >= replicasMin) {
                ready = candidate;
            }
        }
        return ready;
    }

    private int count(long number) {
        int count = 0;
        for (long other : agreed) {
            count += isAfter(number, other) ? 0 : 1;
        }
        return count;
    }

    /** Returns whether exactly the batches up to this end are held here and not delivered. */
    boolean holds(SessionEnd end) {
        return isAfter(end.number(), delivered) && end.id().equals(idAt(end.number()));
    }

    /** Returns whether exactly the batches of this range are held here; of those before it some may be delivered. */
    boolean holds(BatchRange range) {
        return holds(range.last())
                && (isAfter(delivered, range.after()) || range.afterId().equals(idAt(range.after())));
    }

    /**
     * Notes what a block holds. If these are other batches than the ones that are held here, those are forgotten: they
     * can follow nothing any more.
     *
     * @param end of the block's batches of this session, above the last delivered one
     * @param tick the present STATUS period
     * @return what was held and is forgotten; some of it may be in the block, before the first that differs
     */
    List<SessionEnd> deliver(SessionEnd end, long tick) {
        List<SessionEnd> dropped = List.of();
        if (holds(end)) {
            for (long number = delivered + 1; number != end.number() + 1; number++) {
                ids[place(number)] = null;
            }
        } else {
            dropped = heldBeyond(delivered);
            Arrays.fill(ids, null);
            held = end.number();
            announced = 0;
            // What others have beyond it they acknowledge again.
            Arrays.fill(agreed, 0);
        }
        delivered = end.number();
        deliveredId = end.id();
        waitingSince = tick;
        judgeAll();
        return dropped;
    }

    private List<SessionEnd> heldBeyond(long number) {
        List<SessionEnd> ends = new ArrayList<>();
        for (long next = Math.max(number, delivered) + 1; next - held <= 0; next++) {
            ends.add(end(next));
        }
        return ends;
    }

    /**
     * No replica waits for this session any more. What is held beyond a number is forgotten.
     *
     * @param through last number that must be kept
     * @return what was held beyond it
     */
    List<SessionEnd> withdraw(long through) {
        List<SessionEnd> dropped = heldBeyond(through);
        isWithdrawn = true;
        while (isAfter(held, delivered) && isAfter(held, through)) {
            ids[place(held)] = null;
            held--;
        }
        for (int replica = 0; replica < agreed.length; replica++) {
            agreed[replica] = isAfter(agreed[replica], held) ? held : agreed[replica];
        }
        return dropped;
    }

    boolean isWithdrawn() {
        return isWithdrawn;
    }

    /** Returns the end at a number above the last delivered one up to the last held one. */
    SessionEnd end(long number) {
        if (!isAfter(number, delivered) || isAfter(number, held)) {
            throw new IllegalArgumentException(
                    "number " + number + ", delivered " + delivered + ", held through " + held);
        }
        return new SessionEnd(sessionKey, number, ids[place(number)]);
    }

    /** Returns the id at a number from the last delivered one to the last held one; null for every other number. */
    Digest idAt(long number) {
        if (number == delivered) {
            return deliveredId;
        }
        return isAfter(number, delivered) && !isAfter(number, held) ? ids[place(number)] : null;
    }

    long sessionKey() {
        return sessionKey;
    }

    long delivered() {
        return delivered;
    }

    /** Returns the last number that is held without a gap. */
    long held() {
        return held;
    }

    /** Returns how many batches are held and not delivered. */
    int heldCount() {
        return (int) (held - delivered);
    }

    /** Returns the STATUS period since which nothing of what is held was delivered. */
    long waitingSince() {
        return waitingSince;
    }

    private int place(long number) {
        return (int) number & ids.length - 1;
    }

    /**
     * Returns the highest number that enough replicas beside the primary hold with the id that is held here; the last
     * delivered one if there is none.
     *
     * @param primary that does not count
     * @param holdersMin how many are enough, 1 or more
     */
    long heldBeside(int primary, int holdersMin) {
        long through = delivered;
        for (int candidate = 0; candidate < agreed.length; candidate++) {
            long number = agreed[candidate];
            int own = isAfter(number, agreed[primary]) ? 0 : 1;
            if (candidate != primary && isAfter(number, through) && count(number) - own >= holdersMin) {
                through = number;
            }
        }
        return through;
    }

    /**
     * A heartbeat period is over. Returns whether all others are to hear what is held: a batch has waited for a whole
     * period, and they have not heard.
     *
     * @param proposed last number that is proposed or delivered
     */
    boolean takeAnnouncement(long proposed) {
        boolean hasWaited = isAfter(heldBefore, proposed) && !isAfter(heldBefore, held);
        heldBefore = held;
        if (!hasWaited || isWithdrawn || !isAfter(held, announced)) {
            return false;
        }
        announced = held;
        return true;
    }

    private static boolean isAfter(long number, long other) {
        return Long.compareUnsigned(number, other) > 0;
    }
}
