package io.sealbook.pbft;

import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;

/**
 * One session as this replica has it beyond its last delivered batch: the ids of the batches that it holds, and how far
 * each replica acknowledged the same ones.
 *
 * <p>An acknowledgement covers every number up to its own. It counts only if this replica holds the batch that it
 * names, because only then does it know that both mean the same batches: a broker may have signed two under one number.
 * One that is ahead waits until the own batches reach it. Of each replica two wait at most, the first and the newest,
 * so that a stream of acknowledgements which stays ahead counts all the same.
 *
 * <p>One thread.
 */
final class SessionLine {
    /** Numbers beyond the last delivered one that are held at most; a power of two. */
    static final int AHEAD_MAX = 1_024;

    private static final int MASK = AHEAD_MAX - 1;

    private final long sessionKey;
    private final int self;
    /** Of the numbers above the delivered one up to the held one, by number modulo the length. */
    private final Digest[] ids = new Digest[AHEAD_MAX];
    /** The highest number that each replica acknowledged with the id that is held here. */
    private final long[] agreed;
    /** The first acknowledgement of each replica that is ahead of what is held here; null if there is none. */
    private final SessionEnd[] ahead;
    /** The newest one after it; null if there is none. */
    private final SessionEnd[] newest;

    private long delivered;
    private Digest deliveredId;
    private long held;

    /**
     * @param sessionKey of the session
     * @param self id of this replica
     * @param replicaCount number of replicas, 4 or more
     * @param delivered number of the last delivered batch, 0 if there is none
     * @param deliveredId its id, zeros if there is none
     */
    SessionLine(long sessionKey, int self, int replicaCount, long delivered, Digest deliveredId) {
        this.sessionKey = sessionKey;
        this.self = self;
        this.delivered = delivered;
        this.deliveredId = deliveredId;
        held = delivered;
        agreed = new long[replicaCount];
        ahead = new SessionEnd[replicaCount];
        newest = new SessionEnd[replicaCount];
    }

    /**
     * Holds the next batch.
     *
     * @param number of the batch
     * @param id of the batch
     * @param previous id of the batch before
     * @return false if it does not follow the last one that is held, or {@value #AHEAD_MAX} wait already
     */
    boolean hold(long number, Digest id, Digest previous) {
        if (number != held + 1 || number - delivered > AHEAD_MAX || !previous.equals(heldId())) {
            return false;
        }
        held = number;
        ids[place(number)] = id;
        agreed[self] = number;
        judgeAll();
        return true;
    }

    /**
     * Notes that a replica holds the batches up to an end.
     *
     * @param replica that acknowledged
     * @param end of this session
     */
    void acknowledge(int replica, SessionEnd end) {
        if (end.number() <= Math.max(delivered, agreed[replica])) {
            return;
        }
        if (end.number() <= held) {
            judge(replica, end);
        } else if (ahead[replica] == null) {
            ahead[replica] = end;
        } else if (end.number() > ahead[replica].number()) {
            newest[replica] = end;
        }
    }

    private void judgeAll() {
        for (int replica = 0; replica < ahead.length; replica++) {
            while (ahead[replica] != null && ahead[replica].number() <= held) {
                judge(replica, ahead[replica]);
                ahead[replica] = newest[replica];
                newest[replica] = null;
            }
        }
    }

    private void judge(int replica, SessionEnd end) {
        if (holds(end)) {
            agreed[replica] = Math.max(agreed[replica], end.number());
        }
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
            if (candidate > ready && count(candidate) >= replicasMin) {
                ready = candidate;
            }
        }
        return ready;
    }

    private int count(long number) {
        int count = 0;
        for (long other : agreed) {
            count += other >= number ? 1 : 0;
        }
        return count;
    }

    /** Returns whether exactly the batches up to this end are held here and not delivered. */
    boolean holds(SessionEnd end) {
        return end.number() > delivered && end.number() <= held && ids[place(end.number())].equals(end.id());
    }

    /**
     * Notes what a block holds. If these are other batches than the ones that are held here, those are forgotten: they
     * can follow nothing any more.
     *
     * @param end of the block's batches of this session, above the last delivered one
     */
    void deliver(SessionEnd end) {
        if (end.number() <= delivered) {
            throw new IllegalArgumentException(end + " delivered after number " + delivered);
        }
        boolean isSame = holds(end);
        delivered = end.number();
        deliveredId = end.id();
        if (!isSame) {
            held = delivered;
            // What others have beyond it they acknowledge again.
            Arrays.fill(agreed, 0);
        }
        judgeAll();
    }

    /** Returns the end at a number above the last delivered one up to the last held one. */
    SessionEnd end(long number) {
        if (number <= delivered || number > held) {
            throw new IllegalArgumentException(
                    "number " + number + ", delivered " + delivered + ", held through " + held);
        }
        return new SessionEnd(sessionKey, number, ids[place(number)]);
    }

    long delivered() {
        return delivered;
    }

    /** Returns the last number that is held without a gap. */
    long held() {
        return held;
    }

    private Digest heldId() {
        return held == delivered ? deliveredId : ids[place(held)];
    }

    private static int place(long number) {
        return (int) number & MASK;
    }
}
