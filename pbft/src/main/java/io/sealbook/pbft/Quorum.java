package io.sealbook.pbft;

/**
 * How many replicas may be faulty and how many make a quorum, for any n from 4 on: f = floor((n-1)/3), Q =
 * ceil((n+f+1)/2). Two quorums then meet in at least f+1 replicas, so in a correct one; and n-f correct replicas always
 * make one.
 */
public record Quorum(int replicaCount, int faultyMax, int size) {
    /**
     * Returns the arithmetic of n replicas.
     *
     * @throws IllegalArgumentException below 4 or above {@link ReplicaConfig#REPLICA_COUNT_MAX}
     */
    public static Quorum of(int replicaCount) {
        if (replicaCount < 4 || replicaCount > ReplicaConfig.REPLICA_COUNT_MAX) {
            throw new IllegalArgumentException("replicaCount " + replicaCount);
        }
        int faultyMax = (replicaCount - 1) / 3;
        return new Quorum(replicaCount, faultyMax, (replicaCount + faultyMax + 2) / 2);
    }

    /** Returns f + 1: at least one of this number of replicas is correct. */
    public int oneCorrect() {
        return faultyMax + 1;
    }
}
