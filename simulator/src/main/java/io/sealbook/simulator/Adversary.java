package io.sealbook.simulator;

import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Is between a faulty replica's core and the network: what it says instead. It signs with that replica's key only. */
final class Adversary {
    /** With the repetition after it, below the REQUEST timeout of 1 s. */
    private static final long SLOW_INTERVAL_NS = 700_000_000L;
    /** Below the cap of the timeouts, 8 s. */
    private static final long FEEDING_INTERVAL_NS = 7_500_000_000L;

    private static final int STARVED_BROKER = 1;
    private static final int FAVOURED_BROKER = 1;
    private static final int OVERTAKEN_BROKER = 2;
    /** Longer than the favoured batch needs for a block. */
    private static final long HIDDEN_NS = 100_000_000L;
    /** By which the favoured batches seem to have arrived earlier. */
    private static final long ADVANCE_NS = 1_000_000_000L;

    private record Place(long view, long sequence) {}

    private final int self;
    private final Fault fault;
    private final Scenario scenario;
    private final int quorum;
    private final SplittableRandom random;
    private final long muteFromNs;
    private final ForgedProofs forged;
    private final ForgedBlocks forgedBlocks;
    private final boolean isFlooding;
    /** View, time and greatest sequence of the last proposal that a slow primary showed. */
    private long shownView;

    private long shownNs;
    private long shownThrough;
    /** When each proposal of a paced primary goes out, and the last of them. */
    private final Map<Place, Long> paced = new HashMap<>();

    private long pacedNs;
    /** What a trickling primary has not taken notice of, and the last block that it proposed. */
    private final ArrayDeque<BatchAck> unheard = new ArrayDeque<>();

    private long proposedThrough;
    /** When the starved broker's last batch was taken. */
    private long fedNs;

    /** When the batches that it hides came first. */
    private final Map<SessionEnd, Long> hiddenSinceNs = new LinkedHashMap<>();

    private MessageSigner signer;
    private Epoch epoch;
    private final Map<Place, PrePrepare> alternatives = new HashMap<>();

    /**
     * Makes what stands between a node and the network.
     *
     * @param self id of the node
     * @param fault of the node
     * @param scenario with the number of replicas and the time of faults
     * @param random decides what it says
     */
    Adversary(int self, Fault fault, Scenario scenario, SplittableRandom random) {
        this.self = self;
        this.fault = fault;
        this.scenario = scenario;
        this.quorum = Quorum.of(scenario.replicaCount()).size();
        this.random = random;
        muteFromNs = random.nextLong(scenario.chaosNs());
        isFlooding = random.nextInt(4) == 0;
        forged = new ForgedProofs(self, scenario.replicaCount(), quorum, random);
        forgedBlocks = new ForgedBlocks(quorum, random);
    }

    /**
     * The node begins a life.
     *
     * @param present in which it votes
     * @param signs as the node
     */
    void enter(Epoch present, MessageSigner signs) {
        epoch = present;
        signer = signs;
        forged.enter(present, signs);
        alternatives.clear();
        unheard.clear();
        proposedThrough = 0;
    }

    /**
     * Returns how long a message is held back.
     *
     * @param message that the node sends
     * @param nowNs virtual time
     * @param intervalNs between two proposals of a paced primary
     */
    long delayNs(Message message, long nowNs, long intervalNs) {
        if (fault != Fault.PACED_PRIMARY || !(message instanceof PrePrepare own) || own.sender() != self) {
            return 0;
        }
        Place place = new Place(own.view(), own.sequence());
        long atNs = paced.computeIfAbsent(place, next -> Math.max(nowNs, pacedNs + intervalNs));
        pacedNs = Math.max(pacedNs, atNs);
        return Math.max(0, atNs - nowNs);
    }

    /** Returns the next acknowledgement of which a trickling primary takes notice, null for none now. */
    Message heardNext(long lastDelivered) {
        return lastDelivered < proposedThrough ? null : unheard.poll();
    }

    /** Returns whether {@link #heardNext} is to be asked again soon. */
    boolean hasUnheard() {
        return !unheard.isEmpty();
    }

    /** One proposal per interval; what is held back goes out when a replica that waits for it gets it again. */
    private PrePrepare late(PrePrepare prePrepare, long nowNs) {
        if (prePrepare.view() != shownView) {
            shownView = prePrepare.view();
            shownThrough = 0;
        }
        if (prePrepare.sequence() > shownThrough) {
            if (nowNs - shownNs < SLOW_INTERVAL_NS) {
                return null;
            }
            shownNs = nowNs;
            shownThrough = prePrepare.sequence();
        }
        return prePrepare;
    }

    /** Returns whether the node does as if a batch had not come. */
    boolean ignores(byte[] signedBatch, long nowNs) {
        BatchView batch = new BatchView().wrap(signedBatch);
        if (fault == Fault.FRONT_RUNNING) {
            SessionEnd end = new SessionEnd(
                    SessionKey.of(batch.brokerId(), batch.session()), batch.number(), BatchId.of(signedBatch));
            return isOvertaken(end) && isHidden(end, nowNs);
        }
        if (fault != Fault.STARVING || batch.brokerId() != STARVED_BROKER) {
            return false;
        }
        if (nowNs - fedNs < FEEDING_INTERVAL_NS) {
            return true;
        }
        fedNs = nowNs;
        return false;
    }

    private boolean isHidden(SessionEnd batch, long nowNs) {
        return nowNs - hiddenSinceNs.computeIfAbsent(batch, end -> nowNs) < HIDDEN_NS;
    }

    /** Returns whether the node takes notice of a message. */
    boolean hears(Message message, long nowNs) {
        if (fault == Fault.LIE && message instanceof ViewChange viewChange) {
            forged.hear(viewChange);
        }
        if (fault == Fault.TRICKLING && message instanceof BatchAck ack) {
            ack.ends().forEach(end -> unheard.add(new BatchAck(List.of(end), ack.sender())));
            return false;
        }
        return fault != Fault.FRONT_RUNNING
                || !(message instanceof Arrivals arrivals)
                || arrivals.arrivals().stream()
                        .map(Arrival::batch)
                        .noneMatch(batch -> isOvertaken(batch) && isHidden(batch, nowNs));
    }

    private static boolean isOvertaken(SessionEnd batch) {
        return SessionKey.brokerId(batch.sessionKey()) == OVERTAKEN_BROKER;
    }

    /** Returns whether nothing of the node reaches others: no vote, batch, block, request or heartbeat. */
    boolean isMute(long nowNs) {
        return fault == Fault.MUTE && nowNs >= muteFromNs;
    }

    /** Returns what goes to {@code to} instead, null for nothing. */
    Message rewrite(Message message, int to, long nowNs) {
        return switch (fault) {
            case NONE, TWIN, STARVING, PACED_PRIMARY -> message;
            case TRICKLING -> {
                if (message instanceof PrePrepare own && own.sender() == self) {
                    proposedThrough = Math.max(proposedThrough, own.sequence());
                }
                yield message;
            }
            case SLOW_PRIMARY -> message instanceof PrePrepare prePrepare ? late(prePrepare, nowNs) : message;
            case FRONT_RUNNING ->
                message instanceof Arrivals own && own.sender() == self ? favouring(own, nowNs) : message;
            case SILENT_PRIMARY -> message instanceof PrePrepare || message instanceof NewView ? null : message;
            case MUTE -> isMute(nowNs) ? null : message;
            case EQUIVOCATE -> to % 2 == 0 ? message : otherVersion(message);
            case LIE -> random.nextInt(4) == 0 ? lie(message) : message;
        };
    }

    /**
     * Returns the batch that is sent instead: at times with another signature, which its id does not show. The liar has
     * stolen the first key of each broker: in place of a batch under a later one it sends one that the thief has
     * signed.
     */
    byte[] rewrite(byte[] signedBatch) {
        if (fault != Fault.LIE || random.nextInt(4) != 0) {
            return signedBatch;
        }
        BatchView batch = new BatchView().wrap(signedBatch);
        if (batch.isOrderBatch() && batch.keyId() != SimulatedMarket.KEY_ID) {
            return Batch.underKey(
                    signedBatch, SimulatedMarket.KEY_ID, SimulatedMarket.keyIndex(scenario, batch.brokerId()));
        }
        byte[] forged = signedBatch.clone();
        forged[forged.length - 1 - random.nextInt(SignedBatch.SIGNATURE_LENGTH)] ^= (byte) (1 + random.nextInt(255));
        return forged;
    }

    /** Returns the blocks that are sent instead of those that a peer asked for; the certificate may be null. */
    ForgedBlocks.Blocks rewrite(List<byte[]> blocks, byte[] certificateOrNull) {
        return fault != Fault.LIE || random.nextBoolean()
                ? new ForgedBlocks.Blocks(blocks, certificateOrNull)
                : forgedBlocks.of(blocks, certificateOrNull, signer);
    }

    /** The overtaken broker's batches later than they arrived, and those of the favoured one earlier. */
    private Arrivals favouring(Arrivals own, long nowNs) {
        List<Arrival> said = new ArrayList<>();
        long latestNs = 0;
        for (Arrival arrival : own.arrivals()) {
            latestNs = Math.max(latestNs, arrival.timeNs());
            boolean isFavoured = SessionKey.brokerId(arrival.batch().sessionKey()) == FAVOURED_BROKER;
            long advanceNs = isFavoured ? ADVANCE_NS : isOvertaken(arrival.batch()) ? -ADVANCE_NS : 0;
            said.add(new Arrival(arrival.batch(), arrival.timeNs() - advanceNs));
        }
        for (SessionEnd hidden : hiddenSinceNs.keySet()) {
            if (isHidden(hidden, nowNs)) {
                said.add(new Arrival(hidden, latestNs + ADVANCE_NS));
            }
        }
        return arrivals(said);
    }

    /** Times that vary by up to a second each way, and other batches. */
    private Arrivals otherTimes(Arrivals own) {
        return arrivals(own.arrivals().stream()
                .map(arrival -> new Arrival(
                        random.nextInt(4) == 0 ? otherEnd(arrival.batch()) : arrival.batch(),
                        arrival.timeNs() + random.nextLong(-ADVANCE_NS, ADVANCE_NS)))
                .toList());
    }

    private Arrivals arrivals(List<Arrival> said) {
        return new Arrivals(said, self, sign(Arrivals.signedBytes(epoch, said, self)));
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
        List<SessionEnd> ends = new ArrayList<>(proposal.ends());
        if (!ends.isEmpty() && random.nextBoolean()) {
            ends.removeLast();
        }
        if (!ends.isEmpty() && random.nextInt(4) == 0) {
            ends.set(0, otherEnd(ends.getFirst()));
        }
        if (random.nextInt(8) == 0) {
            ends.add(new SessionEnd(SessionKey.of(9, 9), 1, randomDigest()));
        }
        Digest previous = random.nextInt(4) == 0 ? randomDigest() : proposal.previous();
        Proposal other = new Proposal(proposal.view(), proposal.sequence(), proposal.blockTimeNs() + 1, previous, ends);
        return prePrepare(prePrepare.view(), other, prePrepare.sender());
    }

    /** Fewer or more batches of the session, or others. */
    private SessionEnd otherEnd(SessionEnd end) {
        long number = Math.max(1, end.number() + random.nextInt(-2, 3));
        return new SessionEnd(end.sessionKey(), number, random.nextBoolean() ? end.id() : randomDigest());
    }

    private Message lie(Message message) {
        return switch (message) {
            case PrePrepare prePrepare -> alternative(prePrepare);
            case Prepare prepare when random.nextInt(4) == 0 -> forged.prepare(prepare);
            case Prepare prepare ->
                prepare(
                        prepare.view() + random.nextInt(-1, 2),
                        prepare.sequence() + random.nextInt(-1, 2),
                        random.nextBoolean() ? prepare.digest() : randomDigest(),
                        prepare.sender());
            case Commit commit when random.nextInt(4) == 0 -> forged.commit(commit);
            case Commit commit ->
                new Commit(
                        random.nextInt(4) == 0 ? Commit.DECIDED_VIEW : commit.view() + random.nextInt(-1, 3),
                        commit.sequence() + random.nextInt(-1, 2),
                        random.nextBoolean() ? commit.digest() : randomDigest(),
                        commit.sender());
            case Checkpoint checkpoint when random.nextBoolean() -> forged.checkpoint(checkpoint);
            case Checkpoint checkpoint -> checkpoint(checkpoint);
            case Suspicion suspicion -> suspicion(suspicion);
            case ViewChange viewChange ->
                switch (random.nextInt(3)) {
                    case 0 -> withoutPrepared(viewChange);
                    case 1 -> forged.viewChange(viewChange);
                    default -> forged.newView(viewChange.newView() + random.nextInt(2), viewChange);
                };
            case NewView newView
            when random.nextBoolean() ->
                forged.newView(newView.view(), newView.viewChanges().getFirst());
            case NewView newView -> withoutLast(newView);
            case CheckpointProof proof -> forged.checkpointProof(proof);
            case BatchAck ignored when isFlooding -> forged.flood();
            case BatchAck ack ->
                new BatchAck(ack.ends().stream().map(this::otherEnd).toList(), ack.sender());
            case Arrivals own when own.sender() == self -> otherTimes(own);
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
        byte[] signedBytes = PrePrepare.signedBytes(epoch, view, proposal.sequence(), proposal.digest(), sender);
        return new PrePrepare(view, proposal.sequence(), proposal, sender, sign(signedBytes));
    }

    private Prepare prepare(long view, long sequence, Digest digest, int sender) {
        return new Prepare(
                view, sequence, digest, sender, sign(Prepare.signedBytes(epoch, view, sequence, digest, sender)));
    }

    private Checkpoint checkpoint(Checkpoint checkpoint) {
        boolean isResultWrong = random.nextBoolean();
        Digest result = isResultWrong ? randomDigest() : checkpoint.resultDigest();
        Digest proposal = isResultWrong ? checkpoint.proposalDigest() : randomDigest();
        return new Checkpoint(
                checkpoint.sequence(),
                checkpoint.chainHash(),
                result,
                proposal,
                checkpoint.sender(),
                sign(Checkpoint.signedBytes(
                        SimulatedMarket.CHAIN_ID, checkpoint.sequence(), checkpoint.chainHash(), result, proposal)));
    }

    /** Of views that have not begun, too. */
    private Suspicion suspicion(Suspicion suspicion) {
        long view = suspicion.view() + random.nextInt(5);
        byte[] signedBytes = Suspicion.signedBytes(epoch, view, suspicion.sender());
        return new Suspicion(view, suspicion.sender(), sign(signedBytes));
    }

    private ViewChange withoutPrepared(ViewChange viewChange) {
        List<PreparedCertificate> prepared = random.nextBoolean()
                ? List.of()
                : viewChange.prepared().subList(0, viewChange.prepared().size() / 2);
        long newView = viewChange.newView() + (random.nextInt(4) == 0 ? random.nextInt(5) : 0);
        byte[] signedBytes =
                ViewChange.signedBytes(epoch, newView, viewChange.stableCertificate(), prepared, viewChange.sender());
        return new ViewChange(
                newView, viewChange.stableCertificate(), prepared, viewChange.sender(), sign(signedBytes));
    }

    private NewView withoutLast(NewView newView) {
        List<PrePrepare> prePrepares = newView.prePrepares();
        if (!prePrepares.isEmpty()) {
            prePrepares = prePrepares.subList(0, prePrepares.size() - 1);
        }
        byte[] signedBytes =
                NewView.signedBytes(epoch, newView.view(), newView.viewChanges(), prePrepares, newView.sender());
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
