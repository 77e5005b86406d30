package io.sealbook.node.restart;

import io.sealbook.vocabulary.OperatingFailureException;

/** This replica may have voted before, and its replica log has no record of its votes: it must not vote. */
public final class LostReplicaLogException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    /** @param lost what shows that the replica may have voted */
    public LostReplicaLogException(LostVotes lost) {
        super("replica log lost: replica-log/ has no record, " + lost.fact().orElseThrow()
                + ". If this replica votes again while another member is faulty or has lost its log too, the chain can"
                + " fork. " + lost.wayOut() + "; start --accept-lost-replica-log starts it on the operator's"
                + " responsibility");
    }
}
