package io.sealbook.pbft;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import java.util.List;
import java.util.TreeMap;

/** The state that the parts of a replica share, and the ways to emit outputs. Owned by one {@link Replica}. */
final class Core {
    final ReplicaConfig config;
    final Quorum quorum;
    final MessageSigner signer;
    final int self;

    /** Of what {@link #isKept} says; above the high watermark nothing is accepted. */
    final TreeMap<Long, Slot> slots = new TreeMap<>();

    final Timers timers;
    final Supervision supervision;
    final Batches batches;
    final Standing standing;
    final Suspicions suspicions;
    final PrimaryLink primaryLink;
    final Silence silence;
    final CommitPace pace;
    final PipelineUse pipeline;
    final ProposalChain chain;
    final Witness witness;

    long nowNs;
    /** Time that passed in duty cycles, see {@link #begin}. */
    long awakeNs;
    /** STATUS periods since the start. */
    long tick;

    /** The replica is about to stop, and is no good primary any more. */
    boolean isHandingOver;

    /** Receives the outputs of the step under way. */
    List<Output> out;

    Core(ReplicaConfig config, Quorum quorum, MessageSigner signer) {
        this.config = config;
        this.quorum = quorum;
        this.signer = signer;
        this.self = config.replicaId();
        timers = new Timers(this);
        supervision = new Supervision(this, timers);
        batches = new Batches(this, supervision);
        standing = new Standing(this);
        suspicions = new Suspicions(this);
        primaryLink = new PrimaryLink(this);
        silence = new Silence(this);
        pace = new CommitPace(config);
        pipeline = new PipelineUse(this);
        chain = new ProposalChain(this);
        witness = new Witness(this);
    }

    /**
     * A duty cycle begins. While something is waited for, the next one begins within a heartbeat period: if it does
     * not, this process stood still, or its clock jumped, and what is late may be in its queues. So of the time between
     * two cycles {@link #awakeNs} counts a heartbeat period at most, and it does not go back.
     *
     * @param clockNs nanoseconds since the epoch
     */
    void begin(long clockNs) {
        awakeNs += Math.clamp(clockNs - nowNs, 0L, config.heartbeatNs());
        nowNs = clockNs;
    }

    // State that Standing alone writes.

    ReplicaState state() {
        return standing.state();
    }

    long view() {
        return standing.view();
    }

    boolean isViewActive() {
        return state().isViewActive();
    }

    boolean isIsolated() {
        return state().isIsolated();
    }

    boolean isTransferring() {
        return state().isTransferring();
    }

    /** Returns whether the replica may send PRE-PREPARE, PREPARE and COMMIT. */
    boolean mayVote() {
        return state().mayVote();
    }

    long lastDelivered() {
        return standing.lastDelivered();
    }

    StableCertificate stable() {
        return standing.stable();
    }

    long lowWatermark() {
        return stable().sequence();
    }

    long highWatermark() {
        return lowWatermark() + config.logWindow();
    }

    /** Returns the last block that is in flight no more. */
    long lastSettled() {
        return config.proposesAfter() == ProposesAfter.CERTIFIED_RESULT ? lowWatermark() : lastDelivered();
    }

    /** Returns the last block that a primary may propose now. */
    long proposableThrough() {
        return Math.min(highWatermark(), lastSettled() + config.pipelineWindow());
    }

    /** Returns whether a proposal of the view is accepted and in flight. */
    boolean isInFlight() {
        Slot next = slots.get(lastDelivered() + 1);
        return lastDelivered() > lastSettled() || next != null && next.hasAccepted(view());
    }

    int primary() {
        return primary(view());
    }

    int primary(long ofView) {
        return (int) (ofView % config.replicaCount());
    }

    boolean isPrimary() {
        return primary() == self;
    }

    boolean isInWindow(long sequence) {
        return lowWatermark() < sequence && sequence <= highWatermark();
    }

    /**
     * Returns whether messages of a sequence are kept: those between the watermarks, and those of the window above.
     * While this replica fetches blocks the others go on, and nobody sends again what it refused: it would come back
     * without a vote for the next block, and fetch again.
     */
    boolean isKept(long sequence) {
        return lowWatermark() < sequence && sequence <= highWatermark() + config.logWindow();
    }

    Slot slot(long sequence) {
        return slots.computeIfAbsent(sequence, key -> new Slot(key, config.replicaCount()));
    }

    /** Returns the timeout of a primary, see {@link CommitPace}, doubled by view changes. */
    long requestTimeoutNs() {
        return doubled(pace.requestTimeoutNs());
    }

    /** Returns the timeout of a view that has not begun, doubled by view changes. */
    long viewChangeTimeoutNs() {
        return doubled(Math.max(config.requestTimeoutNs(), pace.requestTimeoutNs()));
    }

    /** Returns the timeout after the view changes made so far: doubled for each beyond the first, capped. */
    private long doubled(long baseNs) {
        long timeoutNs = baseNs;
        for (int i = 1; i < standing.viewChangeAttempts() && timeoutNs < config.viewChangeTimeoutMaxNs(); i++) {
            timeoutNs *= 2;
        }
        return Math.min(timeoutNs, config.viewChangeTimeoutMaxNs());
    }

    Signature sign(byte[] signedBytes) {
        return Signature.of(signer.sign(signedBytes));
    }

    void emit(Output output) {
        out.add(output);
    }

    void persist(ReplicaRecord record) {
        out.add(new Output.Persist(record));
    }

    void send(int to, Message message) {
        out.add(new Output.Send(to, message));
    }

    void broadcast(Message message) {
        out.add(new Output.Broadcast(message));
    }

    void ignore(Message message, IgnoreReason reason) {
        out.add(new Output.Ignored(message, reason));
    }

    /** Returns the other replicas, beginning after {@code first}'s place. */
    List<Integer> othersFrom(long first) {
        Integer[] others = new Integer[config.replicaCount() - 1];
        int count = config.replicaCount();
        for (int i = 0, next = 0; i < count; i++) {
            int replica = (int) Math.floorMod(first + i, (long) count);
            if (replica != self) {
                others[next++] = replica;
            }
        }
        return List.of(others);
    }

    InvariantViolation violation(String fact) {
        return new InvariantViolation("replica " + self + ", view " + view() + (isViewActive() ? "" : " (changing)")
                + ", delivered " + lastDelivered() + ", watermarks " + lowWatermark() + ".." + highWatermark() + ": "
                + fact);
    }
}
