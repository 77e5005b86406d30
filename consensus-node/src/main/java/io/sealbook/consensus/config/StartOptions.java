package io.sealbook.consensus.config;

/**
 * An operator's decisions about one start of a node. They are not settings: the next start does not have them.
 *
 * @param isLostReplicaLogAccepted whether the replica may vote though it took part before and has no record of its
 *     votes
 */
public record StartOptions(boolean isLostReplicaLogAccepted) {
    /** A start without any option. */
    public static final StartOptions NONE = new StartOptions(false);
}
