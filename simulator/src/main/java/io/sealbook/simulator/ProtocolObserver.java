package io.sealbook.simulator;

import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.ReplicaState;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Proposal;
import java.util.List;

/** Is notified of what correct replicas do in agreement, at the edge of their nodes: log, network, committer. */
interface ProtocolObserver {
    /** Observes nothing. */
    ProtocolObserver NONE = new ProtocolObserver() {};

    /**
     * A record survives from now on.
     *
     * @param replica whose log has it
     * @param record in the order of the log
     */
    default void onDurable(int replica, ReplicaRecord record) {}

    /**
     * A replica begins a life: it has opened its log and its archive.
     *
     * @param replica that starts
     * @param records of its log, some of them not notified before
     * @param archived last block of its archive
     */
    default void onStarted(int replica, List<ReplicaRecord> records, long archived) {}

    /**
     * A replica sends a message, of its own or another's.
     *
     * @param replica that sends it
     * @param epoch in which it votes
     * @param message as it leaves
     */
    default void onSaid(int replica, int epoch, Message message) {}

    /**
     * A replica hands a block to its committer.
     *
     * @param replica that delivers
     * @param epoch in which it votes
     * @param proposal of the block
     */
    default void onDelivered(int replica, int epoch, Proposal proposal) {}

    /**
     * A replica goes from one state to another, or stays.
     *
     * @param replica that does
     * @param before one input
     * @param after it
     */
    default void onState(int replica, ReplicaState before, ReplicaState after) {}

    /**
     * A replica does not take a message.
     *
     * @param replica that received it
     * @param message as it came
     * @param reason why not
     */
    default void onIgnored(int replica, Message message, IgnoreReason reason) {}

    /**
     * A step of a state transfer.
     *
     * @param replica that fetches blocks
     * @param branch what happened
     */
    default void onTransfer(int replica, Branch branch) {}
}
