package io.sealbook.node.restart;

import io.sealbook.archive.BlockArchive;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;

/**
 * The records of this replica's votes, compared at the start with what else shows that it took part: a block in the
 * archive, a block handed over, or a set vote mark. A replica that took part and has no record must not vote.
 *
 * <p>Not covered: a node that lost all of these at once is the same as one that never ran.
 *
 * @param log of this replica
 * @param mark set after the first record of the log and before the first vote
 * @param archive of the same node
 * @param sink which holds the blocks that were handed over
 */
public record VoteRecords(ReplicaLog log, VoteMark mark, BlockArchive archive, BlockSink sink) {
    /**
     * Refuses to continue if the records are lost. Sets the mark if there are records: an earlier release wrote none.
     *
     * @param isLossAccepted whether the operator lets the replica vote all the same
     * @param events is notified of an accepted loss
     * @throws LostReplicaLogException if the records are lost and that is not accepted; no file has changed then
     */
    public void require(boolean isLossAccepted, NodeEvents events) {
        if (!log.records().isEmpty()) {
            mark.set();
            return;
        }
        String evidence = evidence();
        if (evidence.isEmpty()) {
            return;
        }
        if (!isLossAccepted) {
            throw new LostReplicaLogException(evidence);
        }
        events.replicaLogLossAccepted(evidence);
    }

    /** Returns what shows that the replica took part before; empty if nothing does. */
    private String evidence() {
        if (archive.lastSequence() > 0) {
            return "the archive ends at block " + archive.lastSequence();
        }
        if (sink.lastSequence() > 0) {
            return "queue/blocks ends at block " + sink.lastSequence();
        }
        return mark.isSet() ? "replica-mark/ shows that this replica has voted" : "";
    }
}
