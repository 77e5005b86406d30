package io.sealbook.pbft;

import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Rebuilds a replica's state from what it persisted before a crash: slots here, the rest through
 * {@link Standing#restore}.
 */
final class Restore {
    private final Core core;
    private StableCertificate stable;
    private long view;
    private boolean isViewActive = true;
    private NewView newView;
    private ReplicaRecord.Isolated isolation;

    private Restore(Core core) {
        this.core = core;
        stable = core.config.origin();
    }

    static void apply(Core core, List<ReplicaRecord> records, long lastDelivered, LongFunction<Digest> chainHashes) {
        Restore restore = new Restore(core);
        restore.readIsolation(records);
        restore.read(ofEpoch(records, core.config.epoch().number()));
        core.standing.restore(
                restore.view, restore.isViewActive, restore.newView, restore.stable, lastDelivered, restore.isolation);
        checkArchive(core, chainHashes);
        if (!core.slots.isEmpty() && core.slots.lastKey() > core.highWatermark()) {
            throw core.violation("a record of sequence " + core.slots.lastKey() + " is above the high watermark");
        }
    }

    /**
     * Returns the records of an epoch; those before it do not count in it. None if the replica has not begun it: then
     * it has not voted in it.
     */
    private static List<ReplicaRecord> ofEpoch(List<ReplicaRecord> records, int epoch) {
        List<ReplicaRecord> of = new ArrayList<>();
        int current = 0;
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.EpochBegan began) {
                current = began.epoch();
            } else if (current == epoch) {
                of.add(record);
            }
        }
        return of;
    }

    /** An engine that was wrong in one epoch is not right in the next. */
    private void readIsolation(List<ReplicaRecord> records) {
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.Isolated isolated) {
                isolation = isolated;
            } else if (record instanceof ReplicaRecord.IsolationEnded) {
                isolation = null;
            }
        }
    }

    private void read(List<ReplicaRecord> records) {
        for (ReplicaRecord record : records) {
            if (record instanceof ReplicaRecord.Stable last) {
                stable = last.certificate();
            }
        }
        for (ReplicaRecord record : records) {
            if (record.sequence() != ReplicaRecord.NO_SEQUENCE && record.sequence() <= stable.sequence()) {
                continue;
            }
            switch (record) {
                case ReplicaRecord.ViewLeft left -> {
                    view = left.newView();
                    isViewActive = false;
                    core.suspicions.restore(left.suspicions());
                }
                case ReplicaRecord.ViewEntered entered -> enter(entered.newView());
                case ReplicaRecord.Accepted accepted -> accept(accepted.prePrepare());
                case ReplicaRecord.Prepared prepared -> prepare(prepared);
                case ReplicaRecord.Isolated ignored -> {
                    // Read before, of every epoch.
                }
                case ReplicaRecord.IsolationEnded ignored -> {
                    // Read before, of every epoch.
                }
                case ReplicaRecord.Stable ignored -> {
                    // Read above, because it decides which of the others count.
                }
                case ReplicaRecord.EpochBegan ignored -> {
                    // It decided which records are here.
                }
            }
        }
    }

    private void enter(NewView entered) {
        view = entered.view();
        isViewActive = true;
        newView = entered;
        core.slots.values().forEach(Slot::enterView);
        for (PrePrepare prePrepare : entered.prePrepares()) {
            // A replica that lags may have entered a view whose proposals are beyond its window.
            if (prePrepare.sequence() > stable.sequence()
                    && prePrepare.sequence() <= stable.sequence() + core.config.logWindow()) {
                accept(prePrepare);
            }
        }
    }

    private void accept(PrePrepare prePrepare) {
        core.slot(prePrepare.sequence()).acceptRecorded(prePrepare);
    }

    private void prepare(ReplicaRecord.Prepared prepared) {
        Slot slot = core.slots.get(prepared.sequence());
        if (slot == null
                || !slot.hasAccepted(prepared.view())
                || !slot.accepted.digest().equals(prepared.digest())) {
            throw core.violation("a prepared record without its proposal: view " + prepared.view() + ", sequence "
                    + prepared.sequence() + ", " + prepared.digest());
        }
        slot.prepared = new PreparedCertificate(slot.accepted, prepared.prepares());
    }

    /** The archive must hold the block that the stable certificate proves, if it reaches that far. */
    private static void checkArchive(Core core, LongFunction<Digest> chainHashes) {
        long sequence = core.lowWatermark();
        if (core.lastDelivered() < core.config.origin().sequence()) {
            throw core.violation("epoch " + core.config.epoch().number() + " begins after block "
                    + core.config.origin().sequence() + ", the archive ends at block " + core.lastDelivered());
        }
        if (sequence == 0 || sequence > core.lastDelivered()) {
            return;
        }
        Digest archived = chainHashes.apply(sequence);
        if (!archived.equals(core.stable().chainHash())) {
            throw core.violation("the archive's block " + sequence + " has chain hash " + archived
                    + ", the stable certificate proves " + core.stable().chainHash());
        }
    }
}
