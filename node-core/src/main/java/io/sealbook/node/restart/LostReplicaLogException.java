package io.sealbook.node.restart;

import io.sealbook.vocabulary.OperatingFailureException;

/** This replica took part before, and its replica log has no record of its votes: it must not vote. */
public final class LostReplicaLogException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    /** @param evidence what shows that the replica took part */
    public LostReplicaLogException(String evidence) {
        super("replica log lost: replica-log/ has no record, but " + evidence + ". If this replica votes again while"
                + " another member is faulty or has lost its log too, the chain can fork. Restore replica-log/ as it"
                + " was when this node stopped, or leave the node down; start --accept-lost-replica-log starts it on"
                + " the operator's responsibility");
    }
}
