package io.sealbook.node.replicalog;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.NewView;
import java.util.ArrayList;
import java.util.List;

/**
 * Which records still matter above a stable sequence number (TOCS 2002, section 4.3, for the log on disk).
 *
 * <p>Kept are those of a higher sequence number, the last of each kind that has none, and every entered view whose
 * NEW-VIEW re-proposes something higher, because a prepared record may rest on it. Of epochs before the one begun last
 * only an isolation is kept; a later one is there if the archive has lost its end, and is kept whole.
 */
final class RecordRetention {
    private RecordRetention() {}

    static List<ReplicaRecord> above(List<ReplicaRecord> records, long stableSequence) {
        int present = epochOf(records);
        int lastLeft = lastOf(records, ReplicaRecord.ViewLeft.class);
        int lastEntered = lastOf(records, ReplicaRecord.ViewEntered.class);
        int lastStable = lastOf(records, ReplicaRecord.Stable.class);
        int lastIsolated = lastOf(records, ReplicaRecord.Isolated.class);
        int lastEnded = lastOf(records, ReplicaRecord.IsolationEnded.class);
        List<ReplicaRecord> kept = new ArrayList<>();
        int epoch = 0;
        for (int i = 0; i < records.size(); i++) {
            ReplicaRecord record = records.get(i);
            if (record instanceof ReplicaRecord.EpochBegan began) {
                epoch = began.epoch();
            }
            boolean mattersInItsEpoch = switch (record) {
                case ReplicaRecord.ViewLeft ignored -> i == lastLeft;
                case ReplicaRecord.ViewEntered entered ->
                    i == lastEntered || reachesAbove(entered.newView(), stableSequence);
                case ReplicaRecord.Accepted accepted -> accepted.sequence() > stableSequence;
                case ReplicaRecord.Prepared prepared -> prepared.sequence() > stableSequence;
                case ReplicaRecord.Stable ignored -> i == lastStable;
                case ReplicaRecord.Isolated ignored -> i == lastIsolated && lastEnded < lastIsolated;
                case ReplicaRecord.IsolationEnded ignored -> false;
                case ReplicaRecord.EpochBegan ignored -> true;
            };
            boolean isIsolation = record instanceof ReplicaRecord.Isolated && mattersInItsEpoch;
            if (isIsolation || epoch > present || epoch == present && mattersInItsEpoch) {
                kept.add(record);
            }
        }
        return kept;
    }

    /** Returns the epoch that was begun last. */
    static int epochOf(List<ReplicaRecord> records) {
        int began = lastOf(records, ReplicaRecord.EpochBegan.class);
        return began < 0 ? 0 : ((ReplicaRecord.EpochBegan) records.get(began)).epoch();
    }

    private static boolean reachesAbove(NewView newView, long stableSequence) {
        return newView.prePrepares().stream().anyMatch(prePrepare -> prePrepare.sequence() > stableSequence);
    }

    private static int lastOf(List<ReplicaRecord> records, Class<? extends ReplicaRecord> kind) {
        for (int i = records.size() - 1; i >= 0; i--) {
            if (kind.isInstance(records.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
