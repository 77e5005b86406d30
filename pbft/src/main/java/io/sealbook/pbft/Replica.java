package io.sealbook.pbft;

import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * One replica of PBFT as a function of its inputs: Castro and Liskov, TOCS 2002, with signed PRE-PREPARE, PREPARE,
 * CHECKPOINT, VIEW-CHANGE and NEW-VIEW (the certificates of OSDI 1999). Agrees on digests; payloads travel apart.
 *
 * <p>With at most f = floor((n-1)/3) faulty replicas, no two correct replicas deliver different proposals for one
 * sequence number, each delivers without gaps, and what f+1 correct replicas hold is delivered once messages arrive in
 * time.
 *
 * <p>Life: construct, {@link #restore} after a restart, {@link Input.BlockTransferred} for the blocks whose batch ids
 * are to be remembered, {@link #start}, then {@link #step} for each input. Not thread-safe: one thread owns it. The
 * state diagram is in the package description, the rules in {@code pbft/doc/protocol.md}.
 */
public final class Replica {
    private final Core core;
    private final Timers timers;
    private final Batches batches;
    private final Ordering ordering;
    private final Checkpoints checkpoints;
    private final ViewChanges viewChanges;
    private final Retransmission retransmission;
    private final Supervision supervision;
    private boolean isStarted;

    public Replica(ReplicaConfig config, MessageSigner signer) {
        this(config, signer, Quorum.of(config.replicaCount()));
    }

    /** With a wrong quorum, for tests that show that the checkers notice it. */
    Replica(ReplicaConfig config, MessageSigner signer, Quorum quorum) {
        Certificates certificates = new Certificates(config, quorum);
        core = new Core(config, quorum, signer);
        timers = core.timers;
        supervision = core.supervision;
        batches = core.batches;
        ordering = new Ordering(core, batches, timers);
        checkpoints = new Checkpoints(core, batches, timers, certificates);
        viewChanges = new ViewChanges(core, batches, ordering, checkpoints, timers, certificates);
        retransmission = new Retransmission(core, batches, checkpoints, viewChanges, timers);
    }

    /**
     * Takes up the state before a crash; before {@link #start}.
     *
     * @param records in the order in which they were persisted; those may be missing that {@link ReplicaRecord} calls
     *     needless
     * @param lastDelivered last sequence number in the archive
     * @param chainHashes returns the hash of the header of an archived block; called for the stable checkpoint only
     * @param heads last batch of each session that is in the archive
     */
    public void restore(
            List<ReplicaRecord> records, long lastDelivered, LongFunction<Digest> chainHashes, List<SessionEnd> heads) {
        Restore.apply(core, records, lastDelivered, chainHashes);
        heads.forEach(batches::restore);
        checkpoints.onRestored();
    }

    /** Emits what follows from the restored state, or from an empty one at the first start. */
    public void start(List<Output> outputs) {
        core.out = outputs;
        if (core.isInWindow(core.lastDelivered()) && core.chain.delivered(core.lastDelivered()) == null) {
            throw core.violation("block " + core.lastDelivered() + " of the archive was not passed after the restart");
        }
        isStarted = true;
        timers.start(Timer.STATUS, core.config.statusIntervalNs());
        if (core.isIsolated()) {
            core.emit(new Output.Isolated(
                    core.standing.isolation().checkpoint(),
                    core.standing.isolation().own(),
                    core.standing.isolation().agreed()));
        }
        if (core.isTransferring()) {
            core.emit(new Output.TransferState(core.stable()));
        }
        if (core.isViewActive()) {
            core.emit(new Output.ViewEntered(core.view(), core.primary()));
        } else {
            core.slots.values().stream()
                    .filter(slot -> slot.accepted != null && slot.sequence > core.lastDelivered())
                    .forEach(batches::accept);
        }
        viewChanges.rejoin();
        retransmission.announce();
        advance();
    }

    /**
     * Decides what follows from one input.
     *
     * @param input the next thing that happened to the replica; messages are authentic and their signatures verified
     * @param outputs receives the outputs, in order; owned and cleared by the caller
     * @throws InvariantViolation if more than f replicas are faulty or the shell is wrong; the replica must not be used
     *     again
     */
    public void step(Input input, List<Output> outputs) {
        core.out = outputs;
        switch (input) {
            case Input.Clock clock -> onClock(clock);
            case Input.BatchAvailable batch -> batches.onBatchAvailable(batch).forEach(ordering::prepare);
            case Input.RangeAvailable available ->
                batches.onRangeAvailable(available.range()).forEach(ordering::prepare);
            case Input.SessionWithdrawn withdrawn -> batches.onWithdrawn(withdrawn.sessionKey());
            case Input.HandOver handOver -> core.isHandingOver = true;
            case Input.Connected connected -> onConnected(connected.replica());
            case Input.Disconnected disconnected -> core.primaryLink.onDisconnected(disconnected.replica());
            case Input.Heard heard -> {
                core.pace.onPeriod();
                core.silence.onPeriod(heard.replicas());
                batches.announce();
                if (core.pipeline.isPrimaryIdle()) {
                    viewChanges.suspect();
                }
            }
            case Input.Received received -> onMessage(received.message());
            case Input.TimerFired fired -> onTimer(fired.timer());
            case Input.Executed executed -> checkpoints.onExecuted(executed);
            case Input.Quiet quiet -> checkpoints.onQuiet(quiet);
            case Input.AdministrationExecuted executed -> onAdministrationExecuted(executed);
            case Input.BlockTransferred block -> onBlockTransferred(block);
            case Input.StateTransferred transferred -> onStateTransferred(transferred);
        }
        if (isStarted) {
            advance();
        }
    }

    private void onClock(Input.Clock clock) {
        timers.beginCycle();
        core.begin(clock.nowNs());
        batches.flushAcknowledgements();
        retransmission.fetchLate();
    }

    private void onConnected(int replica) {
        core.primaryLink.onConnected(replica);
        core.silence.onConnected(replica);
    }

    private void onTimer(Timer timer) {
        if (!timers.fired(timer)) {
            return;
        }
        switch (timer) {
            case BATCH -> timers.hasBatchWaited = true;
            case REQUEST, VIEW_CHANGE -> viewChanges.suspect();
            case LINK -> core.primaryLink.onTimer();
            case STATUS -> {
                if (core.config.hasFairOrder() ? ordering.isOrderUnfair() : supervision.isPrimaryUnfair()) {
                    viewChanges.suspect();
                }
                retransmission.onTick();
            }
        }
    }

    private void onMessage(Message message) {
        int sender = message.sender();
        boolean isOwn = sender == core.self && !(message instanceof Suspicion);
        if (isOwn || sender < 0 || sender >= core.config.replicaCount()) {
            core.ignore(message, isOwn ? IgnoreReason.DUPLICATE : IgnoreReason.UNKNOWN_SENDER);
            return;
        }
        core.witness.observe(message);
        if (viewChanges.isOfLaterView(message)) {
            if (!(message instanceof PrePrepare prePrepare) || ordering.onLaterPrePrepare(prePrepare)) {
                viewChanges.keep(message);
            }
            return;
        }
        switch (message) {
            case PrePrepare prePrepare -> ordering.onPrePrepare(prePrepare);
            case Prepare prepare -> ordering.onPrepare(prepare);
            case Commit commit -> ordering.onCommit(commit);
            case Checkpoint checkpoint -> checkpoints.onCheckpoint(checkpoint);
            case CheckpointProof proof -> checkpoints.onCheckpointProof(proof);
            case Suspicion suspicion -> viewChanges.onSuspicion(suspicion);
            case ViewChange viewChange -> viewChanges.onViewChange(viewChange);
            case NewView newView -> viewChanges.onNewView(newView);
            case BatchAck ack -> batches.onBatchAck(ack);
            case Arrivals arrivals -> {
                batches.onArrivals(arrivals);
                ordering.prepareJudged();
            }
            case Status status -> retransmission.onStatus(status);
        }
    }

    private void onAdministrationExecuted(Input.AdministrationExecuted executed) {
        if (executed.endsEpoch()) {
            core.standing.endEpoch(executed.sequence());
            checkpoints.onEpochEnded();
        } else if (core.standing.heldAt() == executed.sequence()) {
            core.standing.release(executed.sequence());
            checkpoints.onReleased();
        }
    }

    private void onBlockTransferred(Input.BlockTransferred block) {
        batches.onDelivered(block.ends());
        core.chain.add(block.sequence(), block.proposalDigest());
        if (core.isInWindow(block.sequence()) && block.sequence() <= core.lastDelivered()) {
            core.slot(block.sequence()).delivered = block.proposalDigest();
        }
    }

    private void onStateTransferred(Input.StateTransferred transferred) {
        if (!checkpoints.onStateTransferred(transferred)) {
            return;
        }
        batches.dropUnnamed();
        if (core.isViewActive()) {
            viewChanges.resume();
            ordering.releaseHeld();
        } else {
            viewChanges.review();
        }
        retransmission.announce();
    }

    /** Draws the consequences of whatever has changed. */
    private void advance() {
        ordering.acceptFixed();
        ordering.releaseOpened();
        boolean hasDelivered = ordering.deliver();
        if (hasDelivered) {
            checkpoints.onDelivered();
        }
        if (core.standing.takeRejoined()) {
            viewChanges.rejoin();
            checkpoints.resume();
        }
        ordering.propose();
        if (!core.primaryLink.isLost() && !core.silence.isPrimarySilent()) {
            core.suspicions.onPrimaryPresent();
        } else if (!core.isViewActive() || isPrimaryBlamable()) {
            viewChanges.suspectAbsent();
        }
        if (core.isHandingOver && core.isPrimary()) {
            viewChanges.suspectOnce();
        }
        supervision.watch(isDeliveryDue(), hasDelivered);
    }

    private boolean isPrimaryBlamable() {
        return isDeliveryDue() && !core.isPrimary();
    }

    /**
     * Returns whether a batch waits that the primary could have had delivered. Not while the log window, or the
     * pipeline of a primary that awaits results, is full because the own engine is slow: no primary could do better
     * then. One that is full although the own engine has kept up is wedged, and a view change brings the others on
     * (pitfall 6).
     */
    private boolean isDeliveryDue() {
        return core.mayVote()
                && !core.isTransferring()
                && !core.standing.isHeld()
                && (core.lastDelivered() < core.proposableThrough() || checkpoints.hasOwnOutcome())
                && batches.heldCount() > 0;
    }

    /** Returns the view that the replica is in or is changing to. */
    public long view() {
        return core.view();
    }

    public int primary() {
        return core.primary();
    }

    public boolean isViewActive() {
        return core.isViewActive();
    }

    public long lowWatermark() {
        return core.lowWatermark();
    }

    public long highWatermark() {
        return core.highWatermark();
    }

    public long lastDelivered() {
        return core.lastDelivered();
    }

    /**
     * Returns the last number of a session that is held without a gap, delivered ones included; 0 if there is none. The
     * next {@link Input.BatchAvailable} of the session is the one after it.
     */
    public long held(long sessionKey) {
        return batches.held(sessionKey);
    }

    /** Returns whether exactly the batches up to this end are held and not delivered. */
    public boolean holds(SessionEnd end) {
        return batches.holds(end);
    }

    /** Returns whether exactly the batches of this range are held; of those before it some may be delivered. */
    public boolean holds(BatchRange range) {
        return batches.holds(range);
    }

    /** Returns whether this is the last delivered batch of its session. */
    public boolean isDelivered(SessionEnd end) {
        return batches.isDelivered(end);
    }

    /**
     * Returns the last number of a session through which the shell must keep batches although the session is withdrawn:
     * a proposal names it that is accepted, prepared or committed here, the replica voted for it in an earlier view, or
     * it is in a range of {@link Input.RangeAvailable}. 0 if there is none.
     */
    public long namedThrough(long sessionKey) {
        return batches.namedThrough(sessionKey);
    }

    /**
     * Returns what {@link #namedThrough(long)} returns, for several sessions at the cost of one.
     *
     * @param sessionKeys of withdrawn sessions
     * @return by session, each of these
     */
    public Map<Long, Long> namedThrough(Collection<Long> sessionKeys) {
        return batches.namedThrough(sessionKeys);
    }

    /** Returns how many batches are held and not delivered, without those of withdrawn sessions. */
    public int pendingCount() {
        return batches.heldCount();
    }

    /**
     * Returns whether the next {@link Input.Clock} may change something although nothing arrives: it must come within a
     * heartbeat period, or payloads are fetched late.
     */
    public boolean watchesClock() {
        return pendingCount() > 0 || batches.lacksAny() || retransmission.isPayloadLate();
    }

    public StableCertificate stableCertificate() {
        return core.stable();
    }

    /** Returns the checkpoint at which the replica became isolated, 0 if it is not. */
    public long isolatedAt() {
        return core.isIsolated() ? core.standing.isolation().checkpoint() : 0;
    }

    public ReplicaState state() {
        return core.state();
    }

    /** Returns the epoch in which the replica votes. */
    public Epoch epoch() {
        return core.config.epoch();
    }

    /** Returns how many entries all tables hold: every one of them is bounded by the configuration. */
    public int entryCount() {
        return core.slots.size()
                + batches.entryCount()
                + checkpoints.entryCount()
                + viewChanges.entryCount()
                + supervision.entryCount()
                + core.witness.entryCount()
                + core.pipeline.entryCount();
    }
}
