package io.sealbook.fuzz;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;

/** A message and a record of each kind. */
final class SampleMessages {
    private static final Digest DIGEST = Digest.sha256(new byte[] {1});
    private static final Signature SIGNATURE = Signature.of(new byte[65]);
    private static final SessionEnd END = new SessionEnd(SessionKey.of(1, 0), 2, DIGEST);
    private static final List<ReplicaSignature> SIGNATURES =
            List.of(new ReplicaSignature(0, SIGNATURE), new ReplicaSignature(2, SIGNATURE));
    private static final StableCertificate STABLE = new StableCertificate(16, DIGEST, DIGEST, DIGEST, SIGNATURES);
    static final PrePrepare PRE_PREPARE =
            new PrePrepare(3, 17, new Proposal(3, 17, SampleChain.TIME_NS, DIGEST, List.of(END)), 3, SIGNATURE);
    private static final Suspicion SUSPICION = new Suspicion(3, 1, SIGNATURE);
    private static final ViewChange VIEW_CHANGE =
            new ViewChange(4, STABLE, List.of(new PreparedCertificate(PRE_PREPARE, SIGNATURES)), 1, SIGNATURE);
    private static final NewView NEW_VIEW = new NewView(4, List.of(VIEW_CHANGE), List.of(PRE_PREPARE), 0, SIGNATURE);

    private SampleMessages() {}

    static List<Message> messages() {
        return List.of(
                PRE_PREPARE,
                new Prepare(3, 17, DIGEST, 1, SIGNATURE),
                new Commit(3, 17, DIGEST, 1),
                new Checkpoint(16, DIGEST, DIGEST, DIGEST, 1, SIGNATURE),
                new CheckpointProof(STABLE, 1),
                SUSPICION,
                VIEW_CHANGE,
                NEW_VIEW,
                new BatchAck(List.of(END), 1),
                new Arrivals(List.of(new Arrival(END, 18)), 1, SIGNATURE),
                new Status(3, true, 16, 17, 1));
    }

    static List<ReplicaRecord> records() {
        return List.of(
                new ReplicaRecord.EpochBegan(1, STABLE),
                new ReplicaRecord.ViewLeft(4, List.of(SUSPICION)),
                new ReplicaRecord.ViewEntered(NEW_VIEW),
                new ReplicaRecord.Accepted(PRE_PREPARE),
                new ReplicaRecord.Prepared(3, 17, DIGEST, SIGNATURES),
                new ReplicaRecord.Stable(STABLE),
                new ReplicaRecord.Isolated(16, new Outcome(DIGEST, DIGEST), new Outcome(DIGEST, DIGEST)),
                new ReplicaRecord.IsolationEnded(32));
    }

    static List<BatchRange> ranges() {
        return List.of(new BatchRange(END, 1, DIGEST), new BatchRange(END, 0, Digest.ZERO));
    }
}
