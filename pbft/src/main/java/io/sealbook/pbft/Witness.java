package io.sealbook.pbft;

import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Remembers what the other replicas signed, also within certificates, and finds two statements of one replica that
 * exclude each other. It changes nothing that agreement decides: what is found is an output, once for each replica.
 *
 * <p>Memory is bounded: blocks between the watermarks, and the views around the present one. A replica that signs twice
 * outside of them is not found.
 */
final class Witness {
    /** Views of which votes are kept: the present one, three before it and three after it. */
    private static final int VIEW_DISTANCE_MAX = 3;

    private static final int VIEWS = 8;

    private final Core core;
    private final int replicas;
    /** By block; of each the first vote by sender and by view modulo {@link #VIEWS}. */
    private final TreeMap<Long, Vote[]> votes = new TreeMap<>();
    /** By block; of each the first vote by sender. */
    private final TreeMap<Long, Checkpoint[]> checkpoints = new TreeMap<>();
    /** The first by view modulo {@link #VIEWS}: a view has one primary. */
    private final Opening[] openings = new Opening[VIEWS];

    private final boolean[] isFound;

    private record Vote(boolean isPrePrepare, long view, Digest digest, Signature signature) {}

    private record Opening(long view, byte[] signedBytes, Signature signature) {}

    Witness(Core core) {
        this.core = core;
        replicas = core.config.replicaCount();
        isFound = new boolean[replicas];
    }

    /** Takes notice of a message; every signature in it is verified. */
    void observe(Message message) {
        switch (message) {
            case PrePrepare prePrepare -> see(prePrepare);
            case Prepare prepare -> see(prepare);
            case Checkpoint checkpoint -> see(checkpoint);
            case CheckpointProof proof -> see(proof.certificate());
            case ViewChange viewChange -> see(viewChange);
            case NewView newView -> see(newView);
            default -> {
                // Nothing that could exclude another statement.
            }
        }
    }

    /** Forgets what is below the low watermark. */
    void onStable() {
        votes.headMap(core.lowWatermark(), true).clear();
        checkpoints.headMap(core.lowWatermark(), true).clear();
    }

    private void see(ViewChange viewChange) {
        see(viewChange.stableCertificate());
        for (PreparedCertificate certificate : viewChange.prepared()) {
            see(certificate.prePrepare());
            for (ReplicaSignature prepare : certificate.prepares()) {
                see(new Prepare(
                        certificate.view(),
                        certificate.sequence(),
                        certificate.digest(),
                        prepare.replica(),
                        prepare.signature()));
            }
        }
    }

    private void see(StableCertificate certificate) {
        for (ReplicaSignature signature : certificate.signatures()) {
            see(new Checkpoint(
                    certificate.sequence(),
                    certificate.chainHash(),
                    certificate.resultDigest(),
                    certificate.proposalDigest(),
                    signature.replica(),
                    signature.signature()));
        }
    }

    private void see(NewView newView) {
        newView.viewChanges().forEach(this::see);
        newView.prePrepares().forEach(this::see);
        if (!isWatched(newView.sender())
                || !isNear(newView.view())
                || newView.sender() != core.primary(newView.view())) {
            return;
        }
        byte[] signedBytes = newView.signedBytes(core.config.epoch());
        int place = (int) (newView.view() % VIEWS);
        Opening first = openings[place];
        if (first == null || first.view != newView.view()) {
            openings[place] = new Opening(newView.view(), signedBytes, newView.signature());
            return;
        }
        List<Message> messages = new ArrayList<>();
        NewView entered = core.standing.newView();
        if (entered != null && entered.view() == newView.view()) {
            messages.add(entered);
        }
        messages.add(newView);
        find(newView.sender(), first.signedBytes, first.signature, signedBytes, newView.signature(), messages);
    }

    private void see(PrePrepare prePrepare) {
        Vote vote = new Vote(true, prePrepare.view(), prePrepare.digest(), prePrepare.signature());
        see(prePrepare.sender(), prePrepare.sequence(), vote, prePrepare);
    }

    private void see(Prepare prepare) {
        Vote vote = new Vote(false, prepare.view(), prepare.digest(), prepare.signature());
        see(prepare.sender(), prepare.sequence(), vote, prepare);
    }

    private void see(int sender, long sequence, Vote second, Message message) {
        if (!isWatched(sender) || !core.isInWindow(sequence) || !isNear(second.view)) {
            return;
        }
        Vote[] atSequence = votes.computeIfAbsent(sequence, key -> new Vote[replicas * VIEWS]);
        int place = sender * VIEWS + (int) (second.view % VIEWS);
        Vote first = atSequence[place];
        if (first == null || first.view != second.view) {
            atSequence[place] = second;
            return;
        }
        if (first.digest.equals(second.digest)) {
            return;
        }
        List<Message> messages = new ArrayList<>();
        messageOf(sender, sequence, first).ifPresent(messages::add);
        messages.add(message);
        find(
                sender,
                signedBytes(sender, sequence, first),
                first.signature,
                signedBytes(sender, sequence, second),
                second.signature,
                messages);
    }

    private byte[] signedBytes(int sender, long sequence, Vote vote) {
        return vote.isPrePrepare
                ? PrePrepare.signedBytes(core.config.epoch(), vote.view, sequence, vote.digest, sender)
                : Prepare.signedBytes(core.config.epoch(), vote.view, sequence, vote.digest, sender);
    }

    /** Returns the message that a vote came in; empty if its proposal is here no more. */
    private Optional<Message> messageOf(int sender, long sequence, Vote vote) {
        if (!vote.isPrePrepare) {
            return Optional.of(new Prepare(vote.view, sequence, vote.digest, sender, vote.signature));
        }
        Slot slot = core.slots.get(sequence);
        PrePrepare held = slot == null ? null : slot.prePrepareOf(vote.digest);
        return Optional.ofNullable(held)
                .map(known -> new PrePrepare(vote.view, sequence, known.proposal(), sender, vote.signature));
    }

    private void see(Checkpoint second) {
        if (!isWatched(second.sender()) || !core.isInWindow(second.sequence())) {
            return;
        }
        Checkpoint[] atSequence = checkpoints.computeIfAbsent(second.sequence(), key -> new Checkpoint[replicas]);
        Checkpoint first = atSequence[second.sender()];
        if (first == null) {
            atSequence[second.sender()] = second;
            return;
        }
        if (first.proposalDigest().equals(second.proposalDigest())) {
            return;
        }
        long chainId = core.config.epoch().chainId();
        find(
                second.sender(),
                first.signedBytes(chainId),
                first.signature(),
                second.signedBytes(chainId),
                second.signature(),
                List.of(first, second));
    }

    private void find(
            int replica,
            byte[] first,
            Signature firstSignature,
            byte[] second,
            Signature secondSignature,
            List<Message> messages) {
        DoubleVote.of(replica, core.config.epoch(), first, firstSignature, second, secondSignature)
                .ifPresent(found -> {
                    isFound[replica] = true;
                    core.emit(new Output.DoubleVoted(found, messages));
                });
    }

    private boolean isWatched(int replica) {
        return replica >= 0 && replica < replicas && replica != core.self && !isFound[replica];
    }

    private boolean isNear(long view) {
        return view >= 0 && Math.abs(view - core.view()) <= VIEW_DISTANCE_MAX;
    }

    int entryCount() {
        return votes.size() + checkpoints.size();
    }
}
