package io.sealbook.node.replicalog;

import io.sealbook.pbft.ReplicaRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which records still matter above a stable sequence number (TOCS 2002, section 4.3, for the log on disk).
 *
 * <p>Kept are those of a higher sequence number, the last of each kind that has none, and of views before the one that
 * was entered last what {@link EarlierViews} keeps. Of epochs before the one begun last only an isolation is kept; a
 * later one is there if the archive has lost its end, and is kept whole.
 */
final class RecordRetention {
    private RecordRetention() {}

    static List<ReplicaRecord> above(List<ReplicaRecord> records, long stableSequence) {
        int present = epochOf(records);
        List<ReplicaRecord> ofPresent = ofEpoch(records, present);
        ReplicaRecord lastLeft = lastOf(ofPresent, ReplicaRecord.ViewLeft.class);
        ReplicaRecord lastEntered = lastOf(ofPresent, ReplicaRecord.ViewEntered.class);
        ReplicaRecord lastStable = lastOf(ofPresent, ReplicaRecord.Stable.class);
        ReplicaRecord isolation = isolationOf(records);
        EarlierViews earlier = new EarlierViews(ofPresent, lastEntered, stableSequence);
        List<ReplicaRecord> kept = new ArrayList<>();
        int epoch = 0;
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.EpochBegan began) {
                epoch = began.epoch();
            }
            if (epoch > present) {
                kept.add(record);
                continue;
            }
            Optional<ReplicaRecord> mattersInItsEpoch = switch (record) {
                case ReplicaRecord.ViewLeft left -> only(left, left == lastLeft);
                case ReplicaRecord.ViewEntered entered ->
                    entered == lastEntered ? Optional.of(entered) : earlier.rest(entered);
                case ReplicaRecord.Accepted accepted -> only(accepted, earlier.matters(accepted));
                case ReplicaRecord.Prepared prepared -> only(prepared, earlier.matters(prepared));
                case ReplicaRecord.Stable stable -> only(stable, stable == lastStable);
                case ReplicaRecord.Isolated isolated -> only(isolated, isolated == isolation);
                case ReplicaRecord.IsolationEnded ignored -> Optional.empty();
                case ReplicaRecord.EpochBegan began -> Optional.of(began);
            };
            if (epoch == present || record == isolation) {
                mattersInItsEpoch.ifPresent(kept::add);
            }
        }
        return kept;
    }

    private static Optional<ReplicaRecord> only(ReplicaRecord record, boolean isKept) {
        return isKept ? Optional.of(record) : Optional.empty();
    }

    /** Returns the epoch that was begun last. */
    static int epochOf(List<ReplicaRecord> records) {
        return lastOf(records, ReplicaRecord.EpochBegan.class) instanceof ReplicaRecord.EpochBegan began
                ? began.epoch()
                : 0;
    }

    private static List<ReplicaRecord> ofEpoch(List<ReplicaRecord> records, int wanted) {
        List<ReplicaRecord> of = new ArrayList<>();
        int epoch = 0;
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.EpochBegan began) {
                epoch = began.epoch();
            } else if (epoch == wanted) {
                of.add(record);
            }
        }
        return of;
    }

    /** Returns the isolation that has not ended, of whatever epoch; null if there is none. */
    private static ReplicaRecord isolationOf(List<ReplicaRecord> records) {
        ReplicaRecord isolation = null;
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.Isolated) {
                isolation = record;
            } else if (record instanceof ReplicaRecord.IsolationEnded) {
                isolation = null;
            }
        }
        return isolation;
    }

    private static ReplicaRecord lastOf(List<ReplicaRecord> records, Class<? extends ReplicaRecord> kind) {
        for (int i = records.size() - 1; i >= 0; i--) {
            if (kind.isInstance(records.get(i))) {
                return records.get(i);
            }
        }
        return null;
    }
}
