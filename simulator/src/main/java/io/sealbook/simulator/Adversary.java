package io.sealbook.simulator;

import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.PreparedCertificate;
import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.ProposedBatch;
import io.sealbook.pbft.Signature;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Stands between a faulty replica's core and the network: what it says instead. It signs with that replica's key only. */
final class Adversary {
    private record Place(long view, long sequence) {}

    private final Fault fault;
    private final long chainId;
    private final SplittableRandom random;
    private final MessageSigner signer;
    private final long muteFromNs;
    private final Map<Place, PrePrepare> alternatives = new HashMap<>();

    Adversary(Fault fault, int replica, long chainId, SplittableRandom random, long chaosNs) {
        this.fault = fault;
        this.chainId = chainId;
        this.random = random;
        signer = ToySignatures.signer(replica);
        muteFromNs = random.nextLong(chaosNs);
    }

    /** Returns what goes to {@code to} instead, null for nothing. */
    Message rewrite(Message message, int to, long nowNs) {
        return switch (fault) {
            case NONE, TWIN -> message;
            case SILENT_PRIMARY -> message instanceof PrePrepare || message instanceof NewView ? null : message;
            case MUTE -> nowNs >= muteFromNs ? null : message;
            case EQUIVOCATE -> to % 2 == 0 ? message : otherVersion(message);
            case LIE -> random.nextInt(4) == 0 ? lie(message) : message;
        };
    }

    private Message otherVersion(Message message) {
        return switch (message) {
            case PrePrepare prePrepare ->
                alternatives.computeIfAbsent(
                        new Place(prePrepare.view(), prePrepare.sequence()), place -> alternative(prePrepare));
            case Prepare prepare -> {
                PrePrepare other = alternatives.get(new Place(prepare.view(), prepare.sequence()));
                yield other == null
                        ? prepare
                        : prepare(prepare.view(), prepare.sequence(), other.digest(), prepare.sender());
            }
            case Commit commit -> {
                PrePrepare other = alternatives.get(new Place(commit.view(), commit.sequence()));
                yield other == null
                        ? commit
                        : new Commit(commit.view(), commit.sequence(), other.digest(), commit.sender());
            }
            case NewView newView -> withoutLast(newView);
            case ViewChange viewChange -> withoutPrepared(viewChange);
            default -> message;
        };
    }

    private PrePrepare alternative(PrePrepare prePrepare) {
        Proposal proposal = prePrepare.proposal();
        List<ProposedBatch> batches = new ArrayList<>(proposal.batches());
        if (!batches.isEmpty() && random.nextBoolean()) {
            batches.removeLast();
        }
        if (random.nextInt(8) == 0) {
            batches.add(new ProposedBatch(randomDigest(), 1));
        }
        Proposal other = new Proposal(proposal.view(), proposal.sequence(), proposal.blockTimeNs() + 1, batches);
        return prePrepare(prePrepare.view(), other, prePrepare.sender());
    }

    private Message lie(Message message) {
        return switch (message) {
            case PrePrepare prePrepare -> alternative(prePrepare);
            case Prepare prepare ->
                prepare(
                        prepare.view() + random.nextInt(-1, 2),
                        prepare.sequence() + random.nextInt(-1, 2),
                        random.nextBoolean() ? prepare.digest() : randomDigest(),
                        prepare.sender());
            case Commit commit ->
                new Commit(
                        random.nextInt(4) == 0 ? Commit.DECIDED_VIEW : commit.view() + random.nextInt(-1, 3),
                        commit.sequence() + random.nextInt(-1, 2),
                        random.nextBoolean() ? commit.digest() : randomDigest(),
                        commit.sender());
            case Checkpoint checkpoint when random.nextBoolean() -> forged(checkpoint);
            case Checkpoint checkpoint -> checkpoint(checkpoint);
            case ViewChange viewChange -> withoutPrepared(viewChange);
            case NewView newView -> withoutLast(newView);
            case BatchAck ack -> new BatchAck(List.of(randomDigest()), ack.sender());
            case Status status ->
                new Status(
                        status.view() + random.nextInt(3),
                        random.nextBoolean(),
                        Math.max(0, status.stableSequence() - random.nextInt(20)),
                        status.lastDelivered() + random.nextInt(-20, 20),
                        status.sender());
            default -> message;
        };
    }

    private PrePrepare prePrepare(long view, Proposal proposal, int sender) {
        byte[] signedBytes = PrePrepare.signedBytes(chainId, view, proposal.sequence(), proposal.digest(), sender);
        return new PrePrepare(view, proposal.sequence(), proposal, sender, sign(signedBytes));
    }

    private Prepare prepare(long view, long sequence, Digest digest, int sender) {
        return new Prepare(
                view, sequence, digest, sender, sign(Prepare.signedBytes(chainId, view, sequence, digest, sender)));
    }

    /** A vote in another's name, which every shell must refuse. */
    private Prepare forged(Prepare prepare) {
        return new Prepare(
                prepare.view(), prepare.sequence(), randomDigest(), 1 + random.nextInt(3), prepare.signature());
    }

    private Checkpoint forged(Checkpoint checkpoint) {
        return new Checkpoint(
                checkpoint.sequence(),
                checkpoint.chainHash(),
                Digest.sha256(checkpoint.resultDigest().bytes()),
                1 + random.nextInt(3),
                checkpoint.signature());
    }

    private Checkpoint checkpoint(Checkpoint checkpoint) {
        Digest result = randomDigest();
        return new Checkpoint(
                checkpoint.sequence(),
                checkpoint.chainHash(),
                result,
                checkpoint.sender(),
                sign(Checkpoint.signedBytes(chainId, checkpoint.sequence(), checkpoint.chainHash(), result)));
    }

    private ViewChange withoutPrepared(ViewChange viewChange) {
        List<PreparedCertificate> prepared = random.nextBoolean()
                ? List.of()
                : viewChange.prepared().subList(0, viewChange.prepared().size() / 2);
        long newView = viewChange.newView() + (random.nextInt(4) == 0 ? random.nextInt(5) : 0);
        byte[] signedBytes =
                ViewChange.signedBytes(chainId, newView, viewChange.stableCertificate(), prepared, viewChange.sender());
        return new ViewChange(
                newView, viewChange.stableCertificate(), prepared, viewChange.sender(), sign(signedBytes));
    }

    private NewView withoutLast(NewView newView) {
        List<PrePrepare> prePrepares = newView.prePrepares();
        if (!prePrepares.isEmpty()) {
            prePrepares = prePrepares.subList(0, prePrepares.size() - 1);
        }
        byte[] signedBytes =
                NewView.signedBytes(chainId, newView.view(), newView.viewChanges(), prePrepares, newView.sender());
        return new NewView(newView.view(), newView.viewChanges(), prePrepares, newView.sender(), sign(signedBytes));
    }

    private Signature sign(byte[] signedBytes) {
        return Signature.of(signer.sign(signedBytes));
    }

    private Digest randomDigest() {
        byte[] bytes = new byte[Digest.LENGTH];
        random.nextBytes(bytes);
        return Digest.of(bytes);
    }
}
