package io.sealbook.peer.message;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
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
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Messages and records of every kind with content drawn from a seed; well-formed, not meaningful. */
public final class RandomMessages {
    private final Random random;

    public RandomMessages(long seed) {
        random = new Random(seed);
    }

    /** Returns one message of each kind. */
    public List<Message> messages() {
        return List.of(
                prePrepare(),
                new Prepare(number(), number(), digest(), replica(), signature()),
                new Commit(number(), number(), digest(), replica()),
                new Checkpoint(number(), digest(), digest(), digest(), replica(), signature()),
                new CheckpointProof(stable(), replica()),
                suspicion(),
                viewChange(),
                newView(),
                new BatchAck(list(this::end), replica()),
                new Arrivals(list(() -> new Arrival(end(), number())), replica(), signature()),
                new Status(number(), random.nextBoolean(), number(), number(), replica()));
    }

    /** Returns one record of each kind, all of one epoch. */
    public List<ReplicaRecord> records() {
        return List.of(
                new ReplicaRecord.EpochBegan(1 + random.nextInt(1 << 20), stable()),
                new ReplicaRecord.ViewLeft(number(), list(this::suspicion)),
                new ReplicaRecord.ViewEntered(newView()),
                new ReplicaRecord.Accepted(prePrepare()),
                new ReplicaRecord.Prepared(number(), number(), digest(), list(this::replicaSignature)),
                new ReplicaRecord.Stable(stable()),
                new ReplicaRecord.Isolated(number(), outcome(), outcome()),
                new ReplicaRecord.IsolationEnded(number()));
    }

    private Outcome outcome() {
        return new Outcome(digest(), digest());
    }

    public PrePrepare prePrepare() {
        Proposal proposal = new Proposal(number(), number(), number(), digest(), list(this::end));
        return new PrePrepare(number(), number(), proposal, replica(), signature());
    }

    private SessionEnd end() {
        return new SessionEnd(number(), 1 + number() / 2, digest());
    }

    private Suspicion suspicion() {
        return new Suspicion(number(), replica(), signature());
    }

    private ViewChange viewChange() {
        return new ViewChange(
                number(),
                stable(),
                list(() -> new PreparedCertificate(prePrepare(), list(this::replicaSignature))),
                replica(),
                signature());
    }

    private NewView newView() {
        return new NewView(number(), list(this::viewChange), list(this::prePrepare), replica(), signature());
    }

    private StableCertificate stable() {
        return new StableCertificate(number(), digest(), digest(), digest(), list(this::replicaSignature));
    }

    private ReplicaSignature replicaSignature() {
        return new ReplicaSignature(replica(), signature());
    }

    private Signature signature() {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(Signature.LENGTH_MAX + 1) : 65];
        random.nextBytes(bytes);
        return Signature.of(bytes);
    }

    private Digest digest() {
        byte[] bytes = new byte[Digest.LENGTH];
        random.nextBytes(bytes);
        return Digest.of(bytes);
    }

    private long number() {
        return random.nextLong() >>> 1 + random.nextInt(63);
    }

    private int replica() {
        return random.nextInt(random.nextBoolean() ? 10 : 1 << 16);
    }

    private <T> List<T> list(Supplier<T> element) {
        return Stream.generate(element).limit(random.nextInt(5)).toList();
    }
}
