package io.sealbook.simulator;

import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Votes and proofs that a liar makes up. It has its own key alone: it signs in the place of others, counts itself
 * several times, shows what too few have signed, or statements that are genuine and belong elsewhere.
 */
final class ForgedProofs {
    /** No such broker exists. */
    private static final int INVENTED_BROKER = 9;

    private static final int SESSIONS_OF_FLOOD = 200;
    private static final int SESSION_MAX = 60_000;
    private static final int VIEW_CHANGES_MAX = 64;
    private static final int BLOCKS_AHEAD_MAX = 20;

    private final int self;
    private final int replicaCount;
    private final int quorum;
    private final SplittableRandom random;
    /** The newest VIEW-CHANGEs that came, by view and sender. */
    private final TreeMap<Long, TreeMap<Integer, ViewChange>> heard = new TreeMap<>();

    private Epoch epoch;
    private MessageSigner signer;

    /**
     * Makes a forger.
     *
     * @param self id of the liar
     * @param replicaCount number of replicas
     * @param quorum signatures of a certificate
     * @param random decides what it makes
     */
    ForgedProofs(int self, int replicaCount, int quorum, SplittableRandom random) {
        this.self = self;
        this.replicaCount = replicaCount;
        this.quorum = quorum;
        this.random = random;
    }

    /** The liar begins a life. */
    void enter(Epoch present, MessageSigner signs) {
        epoch = present;
        signer = signs;
        heard.clear();
    }

    /** Keeps what can be shown elsewhere. */
    void hear(ViewChange viewChange) {
        heard.computeIfAbsent(viewChange.newView(), view -> new TreeMap<>()).put(viewChange.sender(), viewChange);
        if (heard.size() > VIEW_CHANGES_MAX) {
            heard.pollFirstEntry();
        }
    }

    /** Returns a vote for another proposal in another's name: every shell must refuse it for its signature. */
    Prepare prepare(Prepare own) {
        return new Prepare(own.view(), own.sequence(), randomDigest(), another(), own.signature());
    }

    /** Returns a vote in another's name: it has no signature, and every shell must refuse it for its connection. */
    Commit commit(Commit own) {
        Digest digest = random.nextBoolean() ? own.digest() : randomDigest();
        return new Commit(own.view(), own.sequence(), digest, another());
    }

    /** Returns another result in another's name. */
    Checkpoint checkpoint(Checkpoint own) {
        return new Checkpoint(
                own.sequence(),
                own.chainHash(),
                Digest.sha256(own.resultDigest().bytes()),
                own.proposalDigest(),
                another(),
                own.signature());
    }

    private int another() {
        return (self + 1 + random.nextInt(replicaCount - 1)) % replicaCount;
    }

    /** Returns a VIEW-CHANGE that shows an invented proposal as prepared right after the stable certificate. */
    ViewChange viewChange(ViewChange own) {
        boolean isUnsupported = random.nextBoolean();
        StableCertificate stable = own.stableCertificate();
        // A view of which the liar is the primary: its signature of the proposal is genuine.
        long view = isUnsupported ? lastViewOfItsOwn(own.newView() - 1) : own.newView() - 1;
        if (view < 0) {
            return own;
        }
        int primary = (int) (view % replicaCount);
        Proposal proposal = new Proposal(
                view,
                stable.sequence() + 1,
                Simulation.EPOCH_NS,
                stable.proposalDigest(),
                List.of(new SessionEnd(SessionKey.of(INVENTED_BROKER, 1), 1, randomDigest())));
        byte[] proposed = PrePrepare.signedBytes(epoch, view, proposal.sequence(), proposal.digest(), primary);
        PrePrepare prePrepare = new PrePrepare(view, proposal.sequence(), proposal, primary, sign(proposed));
        List<ReplicaSignature> prepares = new ArrayList<>();
        for (int replica = 0; !isUnsupported && prepares.size() < quorum - 1; replica++) {
            if (replica != primary) {
                byte[] prepared = Prepare.signedBytes(epoch, view, proposal.sequence(), proposal.digest(), replica);
                prepares.add(new ReplicaSignature(replica, sign(prepared)));
            }
        }
        return signed(own.newView(), stable, List.of(new PreparedCertificate(prePrepare, prepares)), self);
    }

    private long lastViewOfItsOwn(long through) {
        return through - Math.floorMod(through - self, (long) replicaCount);
    }

    private ViewChange signed(long newView, StableCertificate stable, List<PreparedCertificate> prepared, int sender) {
        byte[] signedBytes = ViewChange.signedBytes(epoch, newView, stable, prepared, sender);
        return new ViewChange(newView, stable, prepared, sender, sign(signedBytes));
    }

    /** Returns a proof of a block that no replica has: in all their names, or with its own name in each place. */
    CheckpointProof checkpointProof(CheckpointProof own) {
        boolean isRepeated = random.nextBoolean();
        long sequence = own.certificate().sequence() + 1 + random.nextInt(BLOCKS_AHEAD_MAX);
        Digest chainHash = randomDigest();
        Digest result = randomDigest();
        Digest proposal = randomDigest();
        Signature signature =
                sign(Checkpoint.signedBytes(SimulatedMarket.CHAIN_ID, sequence, chainHash, result, proposal));
        List<ReplicaSignature> signatures = new ArrayList<>();
        for (int replica = 0; replica < quorum; replica++) {
            signatures.add(new ReplicaSignature(isRepeated ? self : replica, signature));
        }
        return new CheckpointProof(new StableCertificate(sequence, chainHash, result, proposal, signatures), self);
    }

    /**
     * Returns a NEW-VIEW without proposals, of a view whose primary it need not be: with VIEW-CHANGEs that it signed
     * for others, with one that counts for a quorum, with those of earlier views, or with genuine ones.
     *
     * @param view that is to begin
     * @param genuine has a stable certificate
     */
    NewView newView(long view, ViewChange genuine) {
        List<ViewChange> shown = new ArrayList<>();
        int kind = random.nextInt(4);
        if (kind == 3) {
            for (int sender = 0; sender < quorum; sender++) {
                shown.add(signed(view, genuine.stableCertificate(), List.of(), sender));
            }
        } else if (kind == 0) {
            shown.addAll(Collections.nCopies(quorum, signed(view, genuine.stableCertificate(), List.of(), self)));
        } else {
            TreeMap<Integer, ViewChange> chosen = new TreeMap<>();
            heard.headMap(view, kind == 2)
                    .values()
                    .forEach(viewChanges -> viewChanges.forEach(kind == 1 ? chosen::putIfAbsent : chosen::put));
            chosen.put(self, signed(view, genuine.stableCertificate(), List.of(), self));
            shown.addAll(chosen.values());
        }
        byte[] signedBytes = NewView.signedBytes(epoch, view, shown, List.of(), self);
        return new NewView(view, shown, List.of(), self, sign(signedBytes));
    }

    /** Returns acknowledgements of sessions that do not exist. */
    BatchAck flood() {
        List<SessionEnd> ends = new ArrayList<>();
        for (int i = 0; i < SESSIONS_OF_FLOOD; i++) {
            long session = SessionKey.of(INVENTED_BROKER, 1 + random.nextInt(SESSION_MAX));
            ends.add(new SessionEnd(session, 1 + random.nextInt(3), randomDigest()));
        }
        return new BatchAck(ends, self);
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
