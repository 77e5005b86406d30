package io.sealbook.node.restart;

import io.sealbook.archive.BlockArchive;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.ReplicaRecord.EpochBegan;
import io.sealbook.pbft.ReplicaRecord.Stable;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Durability;
import java.util.ArrayList;
import java.util.List;

/**
 * The beginnings of epochs in the replica log: a vote of an epoch stands after the record of its beginning, which holds
 * the certificate that began it.
 *
 * @param log of this replica
 * @param mark set after the first record of the log and before the first vote
 * @param durability what a record survives before a vote leaves
 */
public record EpochRecords(ReplicaLog log, VoteMark mark, Durability durability) {
    /**
     * Gives an archive the certificates of its blocks that only the log holds. The agent makes a certificate durable in
     * the log before the committer gets it, and the archive may write it without a sync. Without the certificate of its
     * last block, an epoch would go on here; if all nodes died at that moment, it would go on everywhere, and for ever.
     *
     * @param archive of the same node
     */
    public void repair(BlockArchive archive) {
        certificates().forEach(certificate -> repair(archive, certificate));
    }

    /** Returns the certificates that the log holds, in its order. */
    public List<StableCertificate> certificates() {
        List<StableCertificate> held = new ArrayList<>();
        for (ReplicaRecord record : log.records()) {
            if (record instanceof EpochBegan began) {
                held.add(began.origin());
            } else if (record instanceof Stable stable) {
                held.add(stable.certificate());
            }
        }
        return held;
    }

    private static void repair(BlockArchive archive, StableCertificate certificate) {
        if (certificate.sequence() > 0 && lacks(archive, certificate.sequence())) {
            archive.putCertificate(Committer.archived(certificate));
        }
    }

    private static boolean lacks(BlockArchive archive, long sequence) {
        return sequence <= archive.lastSequence()
                && archive.certificateAtOrAfter(sequence)
                        .filter(certificate -> certificate.sequence() == sequence)
                        .isEmpty();
    }

    /** Notes that the replica takes part in an epoch from now on, if the log does not say so. */
    public void begin(AgreementEpoch epoch) {
        if (log.epoch() == epoch.number()) {
            return;
        }
        StableCertificate origin = epoch.origin();
        log.append(new EpochBegan(epoch.number(), origin));
        if (durability.isDisk()) {
            log.sync();
        }
        mark.set();
    }
}
