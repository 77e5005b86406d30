package io.sealbook.pbft;

/** Opens the core's package-private constructor to the simulator's tests: a replica that counts wrongly. */
public final class WrongQuorum {
    private WrongQuorum() {}

    /** Returns a replica that takes one vote less for a quorum. */
    public static Replica offByOne(ReplicaConfig config, MessageSigner signer) {
        Quorum right = Quorum.of(config.replicaCount());
        return new Replica(config, signer, new Quorum(right.replicaCount(), right.faultyMax(), right.size() - 1));
    }

    /** Returns a replica that believes f others instead of f + 1. */
    public static Replica believingLiars(ReplicaConfig config, MessageSigner signer) {
        Quorum right = Quorum.of(config.replicaCount());
        return new Replica(config, signer, new Quorum(right.replicaCount(), right.faultyMax() - 1, right.size()));
    }
}
