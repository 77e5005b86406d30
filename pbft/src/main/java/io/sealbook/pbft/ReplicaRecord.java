package io.sealbook.pbft;

import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * What a replica must remember over a crash so that it never contradicts a vote it has sent. The log keeps records in
 * the order in which they were persisted. Below a stable certificate only the last {@link ViewLeft},
 * {@link ViewEntered}, {@link Stable}, {@link EpochBegan}, {@link Isolated} and {@link IsolationEnded} matter.
 *
 * <p>Of views before the one entered last, of each sequence number the last {@link Prepared} matters, with the proposal
 * that it proves, and of the other accepted proposals the highest number that they name of each session (decision 90).
 */
public sealed interface ReplicaRecord {
    /**
     * {@link #sequence()} of a record that belongs to no sequence number and is superseded only by a later one of its
     * kind.
     */
    long NO_SEQUENCE = -1;

    /**
     * Returns the sequence number that the record is about; it may be cut once a certificate at or above it is stored.
     */
    default long sequence() {
        return NO_SEQUENCE;
    }

    /**
     * The replica gave up every view below {@code newView}; precedes its VIEW-CHANGE.
     *
     * @param suspicions of f+1 replicas that ended those views; none if it followed f+1 VIEW-CHANGEs
     */
    record ViewLeft(long newView, List<Suspicion> suspicions) implements ReplicaRecord {
        public ViewLeft {
            suspicions = List.copyOf(suspicions);
        }
    }

    /**
     * The replica entered a view and accepted all that its NEW-VIEW re-proposes; precedes its votes there. Of an
     * earlier view a log may have it without VIEW-CHANGEs and with some of the proposals only.
     */
    record ViewEntered(NewView newView) implements ReplicaRecord {}

    /**
     * The replica votes for this proposal, or made it as primary; precedes its PREPARE or PRE-PREPARE. An earlier
     * version wrote it for each proposal that it accepted.
     */
    record Accepted(PrePrepare prePrepare) implements ReplicaRecord {
        @Override
        public long sequence() {
            return prePrepare.sequence();
        }
    }

    /**
     * The accepted proposal of that view and sequence is prepared, proven by these signatures; precedes the replica's
     * COMMIT.
     */
    record Prepared(long view, long sequence, Digest digest, List<ReplicaSignature> prepares) implements ReplicaRecord {
        public Prepared {
            prepares = List.copyOf(prepares);
        }
    }

    /** The replica's low watermark. */
    record Stable(StableCertificate certificate) implements ReplicaRecord {}

    /**
     * The replica votes no more; precedes {@link Output.Isolated}.
     *
     * @param checkpoint at which the outcomes differ
     * @param own outcome that the shell reported
     * @param agreed outcome that f+1 others, or a certificate, signed
     */
    record Isolated(long checkpoint, Outcome own, Outcome agreed) implements ReplicaRecord {}

    /**
     * The replica takes part in an epoch after the first; precedes its votes there. Records before it are of earlier
     * epochs, and only their isolation counts.
     *
     * @param epoch its number
     * @param origin certificate of the last block before it, with its signatures
     */
    record EpochBegan(int epoch, StableCertificate origin) implements ReplicaRecord {}

    /**
     * The isolation before this record is over; precedes the votes after it.
     *
     * @param checkpoint of the certificate that ended it
     */
    record IsolationEnded(long checkpoint) implements ReplicaRecord {}
}
