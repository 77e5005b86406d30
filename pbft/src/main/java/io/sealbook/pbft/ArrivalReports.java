package io.sealbook.pbft;

import io.sealbook.vocabulary.Digest;
import java.util.Arrays;

/**
 * When each replica says that the batch under one number of a session arrived there. One thread.
 *
 * <p>Of each replica the first batch counts, in case a broker signed two under the number. A replica that names two
 * times, because it restarted or lies, stands for every instant from then on.
 */
final class ArrivalReports {
    private final Digest[] ids;
    private final long[] earliest;
    private final long[] latest;

    /** @param replicaCount number of replicas, 4 or more */
    ArrivalReports(int replicaCount) {
        ids = new Digest[replicaCount];
        earliest = new long[replicaCount];
        latest = new long[replicaCount];
    }

    /**
     * Notes what a replica says.
     *
     * @param replica that says it
     * @param id of the batch
     * @param timeNs at which it arrived there
     * @return whether it is news
     */
    boolean add(int replica, Digest id, long timeNs) {
        if (ids[replica] == null) {
            ids[replica] = id;
            earliest[replica] = timeNs;
            latest[replica] = timeNs;
            return true;
        }
        boolean isNews = id.equals(ids[replica]) && latest[replica] != Long.MAX_VALUE && timeNs != earliest[replica];
        if (isNews) {
            earliest[replica] = 0;
            latest[replica] = Long.MAX_VALUE;
        }
        return isNews;
    }

    /** Forgets what all others than one replica said. Returns whether anything is left. */
    boolean keepOnly(int replica) {
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i == replica ? ids[i] : null;
        }
        return ids[replica] != null;
    }

    /**
     * Returns the earliest instant that a replica reports for a batch, -1 if it reports none.
     *
     * @param replica that reports
     * @param id of the batch
     */
    long timeAt(int replica, Digest id) {
        return id.equals(ids[replica]) ? earliest[replica] : -1;
    }

    /** Returns how many replicas report this batch. */
    int count(Digest id) {
        int count = 0;
        for (Digest reported : ids) {
            count += id.equals(reported) ? 1 : 0;
        }
        return count;
    }

    /** Returns the batch that at least a number of replicas report, more than half of all or the first one found. */
    Digest reportedBy(int replicasMin) {
        for (Digest id : ids) {
            if (id != null && count(id) >= replicasMin) {
                return id;
            }
        }
        return null;
    }

    /**
     * Returns the k-th earliest instant at which the batch may have arrived.
     *
     * @param id of the batch
     * @param k from 1 to the number of its reports
     */
    long earliest(Digest id, int k) {
        return sorted(id, earliest)[k - 1];
    }

    /**
     * Returns the k-th latest instant at which the batch may have arrived.
     *
     * @param id of the batch
     * @param k from 1 to the number of its reports
     */
    long latest(Digest id, int k) {
        long[] times = sorted(id, latest);
        return times[times.length - k];
    }

    private long[] sorted(Digest id, long[] times) {
        long[] reported = new long[ids.length];
        int count = 0;
        for (int i = 0; i < ids.length; i++) {
            if (id.equals(ids[i])) {
                reported[count++] = times[i];
            }
        }
        long[] sorted = Arrays.copyOf(reported, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /**
     * Returns how many replicas report this batch as earlier than another one, each by its own clock.
     *
     * @param id of this batch
     * @param other reports of the other one
     * @param otherId of the other batch
     */
    int countBefore(Digest id, ArrivalReports other, Digest otherId) {
        int count = 0;
        for (int i = 0; i < ids.length; i++) {
            boolean reportsBoth = id.equals(ids[i]) && otherId.equals(other.ids[i]);
            count += reportsBoth && latest[i] < other.earliest[i] ? 1 : 0;
        }
        return count;
    }
}
