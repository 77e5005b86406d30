package io.sealbook.pbft;

import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.function.LongFunction;

/** Rebuilds a replica's state from what it persisted before a crash. */
final class Restore {
    private Restore() {}

    static void apply(Core core, List<ReplicaRecord> records, long lastDelivered, LongFunction<Digest> chainHashes) {
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.Stable stable) {
                core.stable = stable.certificate();
            }
        }
        for (ReplicaRecord record : records) {
            if (record.sequence() != ReplicaRecord.NO_SEQUENCE && record.sequence() <= core.lowWatermark()) {
                continue;
            }
            switch (record) {
                case ReplicaRecord.ViewLeft left -> {
                    core.view = left.newView();
                    core.isViewActive = false;
                }
                case ReplicaRecord.ViewEntered entered -> enter(core, entered.newView());
                case ReplicaRecord.Accepted accepted -> accept(core, accepted.prePrepare());
                case ReplicaRecord.Prepared prepared -> prepare(core, prepared);
                case ReplicaRecord.Isolated isolated -> core.isolation = isolated;
                case ReplicaRecord.IsolationEnded ended -> core.isolation = null;
                case ReplicaRecord.Stable stable -> {
                    // Read above, because it says which of the others count.
                }
            }
        }
        core.lastDelivered = lastDelivered;
        core.isTransferring = lastDelivered < core.lowWatermark();
        checkArchive(core, chainHashes);
        if (!core.slots.isEmpty() && core.slots.lastKey() > core.highWatermark()) {
            throw core.violation("a record of sequence " + core.slots.lastKey() + " is above the high watermark");
        }
    }

    /** The archive must hold the block that the stable certificate proves, if it reaches that far. */
    private static void checkArchive(Core core, LongFunction<Digest> chainHashes) {
        long sequence = core.lowWatermark();
        if (sequence == 0 || sequence > core.lastDelivered) {
            return;
        }
        Digest archived = chainHashes.apply(sequence);
        if (!archived.equals(core.stable.chainHash())) {
            throw core.violation("the archive's block " + sequence + " has chain hash " + archived
                    + ", the stable certificate proves " + core.stable.chainHash());
        }
    }

    private static void enter(Core core, NewView newView) {
        core.view = newView.view();
        core.isViewActive = true;
        core.newView = newView;
        core.slots.values().forEach(Slot::enterView);
        core.newViewLast = NewViewObligation.of(newView.view(), newView.viewChanges())
                        .stable()
                        .sequence()
                + newView.prePrepares().size();
        for (PrePrepare prePrepare : newView.prePrepares()) {
            // A replica that is behind may have entered a view whose proposals are beyond its window.
            if (core.isInWindow(prePrepare.sequence())) {
                accept(core, prePrepare);
            }
        }
    }

    private static void accept(Core core, PrePrepare prePrepare) {
        core.slot(prePrepare.sequence()).accepted = prePrepare;
    }

    private static void prepare(Core core, ReplicaRecord.Prepared prepared) {
        Slot slot = core.slots.get(prepared.sequence());
        if (slot == null
                || !slot.hasAccepted(prepared.view())
                || !slot.accepted.digest().equals(prepared.digest())) {
            throw core.violation("a prepared record without its proposal: view " + prepared.view() + ", sequence "
                    + prepared.sequence() + ", " + prepared.digest());
        }
        slot.prepared = new PreparedCertificate(slot.accepted, prepared.prepares());
    }
}
