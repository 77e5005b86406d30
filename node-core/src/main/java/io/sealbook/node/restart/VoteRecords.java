package io.sealbook.node.restart;

import io.sealbook.archive.BlockArchive;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.StableCertificate;

/**
 * The records of this replica's votes, as a start requires them. A replica without any record may have voted and
 * forgotten how. It takes part only if its key has the mark that it has never voted, and nothing else shows that it
 * took part: no block in the archive, no block handed over, no set vote mark.
 *
 * <p>The mark is used up at the first start. A record that binds no vote comes before, so that the log is never without
 * a record afterwards:
 *
 * <pre>
 *   1  first record into the log, on the disk with the name of its file
 *   2  vote mark set, on the disk
 *   3  never-voted mark removed, for good
 * </pre>
 *
 * The class of durability does not matter here. A start after a crash between two steps finds the record and does the
 * rest. A mark that comes back beside a record counts for nothing.
 *
 * @param log of this replica
 * @param mark set after the first record of the log and before the first vote
 * @param neverVoted of the identity key
 * @param archive of the same node
 * @param sink which holds the blocks that were handed over
 */
public record VoteRecords(
        ReplicaLog log, VoteMark mark, NeverVotedMark neverVoted, BlockArchive archive, BlockSink sink) {
    /**
     * Refuses to continue if the records are lost. Otherwise the log has a record afterwards, the vote mark is set, and
     * the never-voted mark is removed.
     *
     * @param isLossAccepted whether the operator lets the replica vote all the same
     * @param events is notified of an accepted loss
     * @throws LostReplicaLogException if the records are lost and that is not accepted; no file has changed then
     * @throws io.sealbook.vocabulary.OperatingFailureException if a file cannot be written, or the never-voted mark
     *     cannot be removed; the replica must not vote then
     */
    public void require(boolean isLossAccepted, NodeEvents events) {
        boolean isFirst = log.records().isEmpty();
        if (isFirst) {
            LostVotes lost = lostVotes();
            if (lost.fact().isPresent() && !isLossAccepted) {
                throw new LostReplicaLogException(lost);
            }
            lost.fact().ifPresent(events::replicaLogLossAccepted);
            log.append(new ReplicaRecord.Stable(StableCertificate.GENESIS));
        }
        if (isFirst || neverVoted.fault().isEmpty()) {
            log.syncToDisk();
            mark.setOnDisk();
            neverVoted.remove();
        } else {
            // An earlier release wrote records and no mark.
            mark.set();
        }
    }

    private LostVotes lostVotes() {
        return new LostVotes(archive.lastSequence(), sink.lastSequence(), mark.isSet(), neverVoted.fault());
    }
}
