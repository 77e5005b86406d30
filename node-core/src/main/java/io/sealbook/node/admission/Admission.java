package io.sealbook.node.admission;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.Offer;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.session.ShownBatch;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.ObjIntConsumer;

/**
 * The last ring stage: decides about each batch in ring order, stores it, has it spread and makes it durable; then
 * tells agreement that it is available, and its source the verdict. One thread.
 *
 * <p>A broker's batch is taken if it extends its session. A peer's batch may come before the ones that it follows:
 * peers spread them on several connections. A batch that a proposal names is always taken. Nothing else that depends on
 * the chain is judged here but how far ahead a broker's batch may be valid: the engine judges validity at the block
 * that holds the batch, so that no replica refuses what another admitted.
 */
public final class Admission {
    private static final int BUSY_RETRY_MS = 50;
    /** Batches that are made durable together at most: none of them waits long for the others. */
    private static final int GROUP_MAX = 256;

    /** A verdict that waits until what it says is durable; {@code stored} is null if nothing was stored. */
    private record Decided(BatchSource source, long correlationId, Verdict verdict, Payload stored) {}

    private final int ownId;
    private final long validityBlocksMax;
    private final PayloadStore store;
    private final PayloadLog log;
    private final Sessions sessions;
    private final Equivocations equivocations;
    private final SessionRefusals refusals;
    private final AdmittedBatches admitted;
    private final NodeState state;
    private final IntToLongFunction blockBeforeNextTransaction;
    private final NodeEvents events;
    private final Consumer<IngressSlot> early;
    private final ObjIntConsumer<Digest> crowded;
    private final List<Decided> decided = new ArrayList<>(GROUP_MAX);
    private final List<Equivocation> found = new ArrayList<>();
    /** What the slot in hand brought, if it was stored. */
    private Payload stored;
    /** Those who have had verdicts since the last end of what the ring had. */
    private final Set<BatchSource> sources = new HashSet<>();

    /**
     * @param context what it needs of the node around it
     * @param store gets what is admitted
     * @param log makes it durable before agreement and the source are notified
     * @param sessions what is held of each session
     * @param equivocations receives batches that exclude others
     * @param admitted hears of each batch that is taken
     */
    public Admission(
            AdmissionContext context,
            PayloadStore store,
            PayloadLog log,
            Sessions sessions,
            Equivocations equivocations,
            AdmittedBatches admitted) {
        this.ownId = context.nodeId();
        this.validityBlocksMax = context.validityBlocksMax();
        this.store = store;
        this.log = log;
        this.sessions = sessions;
        this.equivocations = equivocations;
        this.refusals = new SessionRefusals(sessions);
        this.admitted = admitted;
        this.state = context.state();
        this.blockBeforeNextTransaction = context.blockBeforeNextTransaction();
        this.events = context.events();
        this.early = context.early();
        this.crowded = context.crowded();
    }

    /**
     * Gives a decoded and verified batch its verdict.
     *
     * @param slot cleared afterwards
     * @param endOfBatch whether the ring has no further batch: sources then send their verdicts
     * @param wallNs the instant of its admission, nanoseconds since 1970
     */
    public void decide(IngressSlot slot, boolean endOfBatch, long wallNs) {
        Verdict verdict = slot.refusal == null ? admit(slot, wallNs) : Verdict.refused(slot);
        if (verdict.status() == SubmitStatus.REFUSED) {
            note(slot, verdict.reason());
        }
        decided.add(new Decided(slot.source, slot.correlationId, verdict, stored));
        stored = null;
        slot.clear();
        if (endOfBatch || decided.size() == GROUP_MAX) {
            makeDurable();
            announce();
        }
        if (endOfBatch) {
            sources.forEach(BatchSource::onVerdictsEnd);
            sources.clear();
        }
    }

    /** A member that is ahead of this node is not at fault. */
    private void note(IngressSlot slot, RefusalReason reason) {
        if (!slot.isFromPeer()) {
            events.refused(reason);
        } else if (slot.isEarly) {
            events.early(slot.source.peer());
            early.accept(slot);
        } else {
            if (reason == RefusalReason.BUSY) {
                crowded.accept(slot.batchId, slot.source.peer());
            }
            events.peerRefused(slot.source.peer(), reason);
        }
    }

    private void makeDurable() {
        for (Decided batch : decided) {
            if (batch.stored != null) {
                log.append(batch.stored);
            }
        }
        log.flush();
    }

    private void announce() {
        for (Decided batch : decided) {
            if (batch.stored != null) {
                admitted.onDurable(batch.stored);
            }
            batch.source.onVerdict(batch.correlationId, batch.verdict);
            sources.add(batch.source);
        }
        decided.clear();
        // After the batches of the session that were taken before.
        found.forEach(admitted::onEquivocation);
        found.clear();
    }

    private Verdict admit(IngressSlot slot, long wallNs) {
        if (slot.isLateCopy) {
            compareWithShown(slot);
            return Verdict.alreadyKnown(slot.batchId);
        }
        if (isBeforeItsTime(slot)) {
            slot.isEarly = true;
            return Verdict.busy("the member's transaction before is not in a block", BUSY_RETRY_MS);
        }
        boolean isFromBroker = slot.source.peer() == BatchSource.BROKER;
        if (isBeyondRefusals(slot)) {
            return tooManyRefused(slot, isFromBroker);
        }
        if (store.isWanted(slot.batchId)) {
            return admitWanted(slot, isFromBroker, wallNs);
        }
        if (sessions.isSuspended(slot.sessionKey)) {
            boolean isHeld = slot.batchId.equals(sessions.holder(slot.sessionKey, slot.position.number()));
            return isHeld ? Verdict.alreadyKnown(slot.batchId) : refusals.suspended(slot);
        }
        return isFromBroker ? admitFromBroker(slot, wallNs) : admitFromPeer(slot, wallNs);
    }

    /**
     * Approvals can be used again in further batches, and a member must not fill blocks with them: the next transaction
     * of a member is taken when the one before is in a block, even if a proposal names it earlier.
     */
    private boolean isBeforeItsTime(IngressSlot slot) {
        return SessionKey.isAdministration(slot.sessionKey)
                && Long.compareUnsigned(
                                slot.position.number(),
                                sessions.head(slot.sessionKey).delivered() + 1)
                        > 0;
    }

    /**
     * Returns whether a member must wait with its next transaction because the chain has refused so many. It follows
     * from the blocks that are here, and the one with the transaction before is: a member that takes it has blocks
     * which this one will have, too. So it is not taken even if a proposal names it.
     */
    private boolean isBeyondRefusals(IngressSlot slot) {
        return SessionKey.isAdministration(slot.sessionKey)
                && !isDelivered(slot)
                && state.lastBlock().sequence() < blockBeforeNext(slot);
    }

    private boolean isDelivered(IngressSlot slot) {
        return sessions.isDelivered(slot.sessionKey, slot.position.number(), slot.batchId);
    }

    private long blockBeforeNext(IngressSlot slot) {
        return blockBeforeNextTransaction.applyAsLong(SessionKey.session(slot.sessionKey));
    }

    private Verdict tooManyRefused(IngressSlot slot, boolean isFromBroker) {
        String fact = "too many transactions of node " + SessionKey.session(slot.sessionKey)
                + " have changed nothing; the next one is taken after block " + blockBeforeNext(slot);
        return isFromBroker
                ? Verdict.refused(RefusalReason.RATE_QUOTA, fact, slot.batchId)
                : Verdict.busy(fact, BUSY_RETRY_MS);
    }

    /**
     * Takes what a proposal names, whatever holds its number: others may have voted for the proposal that names it. If
     * another batch has the number, both stay, and agreement decides between them.
     */
    private Verdict admitWanted(IngressSlot slot, boolean isFromBroker, long wallNs) {
        lookForEvidence(sessions.offerUnordered(slot.sessionKey, slot.position, slot.batchId), slot);
        Payload payload = payload(slot, isFromBroker ? ownId : slot.source.peer(), wallNs);
        return switch (store.put(payload)) {
            case PRESENT -> Verdict.alreadyKnown(slot.batchId);
            case FULL -> {
                sessions.release(slot.sessionKey, slot.position.number(), slot.batchId);
                yield Verdict.busy("agreement does not ask for the batch any more", BUSY_RETRY_MS, slot.batchId);
            }
            case STORED -> {
                keep(slot, payload);
                wantBefore(slot);
                if (isFromBroker) {
                    admitted.onStored(payload);
                    events.admitted(slot.orderCount);
                }
                yield Verdict.accepted(slot.batchId);
            }
        };
    }

    /**
     * A proposal that names a batch names those before it, too, back to the last delivered one: what a broker signed
     * beside delivered batches is not taken.
     */
    private void wantBefore(IngressSlot slot) {
        long before = slot.position.number() - 1;
        if (before > sessions.head(slot.sessionKey).delivered()) {
            store.want(List.of(slot.position.previous()));
        }
    }

    private Verdict admitFromBroker(IngressSlot slot, long wallNs) {
        long lastBlock = state.lastBlock().sequence();
        boolean hasValidity = !SessionKey.isAdministration(slot.sessionKey);
        if (hasValidity && (slot.validUntilBlock < 0 || slot.validUntilBlock > lastBlock + validityBlocksMax)) {
            return Verdict.refused(
                    RefusalReason.VALIDITY_TOO_FAR,
                    "valid until block " + Long.toUnsignedString(slot.validUntilBlock) + ", at most "
                            + (lastBlock + validityBlocksMax),
                    slot.batchId);
        }
        Offer offer = sessions.offer(slot.sessionKey, slot.position, slot.batchId);
        if (offer == Offer.CONFLICT && !SessionKey.isAdministration(slot.sessionKey)) {
            lookForEvidence(offer, slot);
        }
        if (offer != Offer.TAKEN && !(offer == Offer.HELD && !store.contains(slot.batchId))) {
            return refusals.of(offer, slot);
        }
        if (offer == Offer.TAKEN && isBeyondRate(slot)) {
            sessions.release(slot.sessionKey, slot.position.number(), slot.batchId);
            return Verdict.refused(slot);
        }
        Payload payload = payload(slot, ownId, wallNs);
        if (store.put(payload) == PayloadStore.Outcome.FULL) {
            sessions.release(slot.sessionKey, slot.position.number(), slot.batchId);
            return Verdict.busy("too many batches wait for their block", BUSY_RETRY_MS);
        }
        keep(slot, payload);
        admitted.onStored(payload);
        events.admitted(slot.orderCount);
        return Verdict.accepted(slot.batchId);
    }

    private Verdict admitFromPeer(IngressSlot slot, long wallNs) {
        Offer offer = sessions.offerUnordered(slot.sessionKey, slot.position, slot.batchId);
        lookForEvidence(offer, slot);
        if (offer != Offer.TAKEN && offer != Offer.HELD) {
            return refusals.of(offer, slot);
        }
        Payload payload = payload(slot, slot.source.peer(), wallNs);
        return switch (store.put(payload)) {
            case PRESENT -> Verdict.alreadyKnown(slot.batchId);
            case FULL -> {
                sessions.release(slot.sessionKey, slot.position.number(), slot.batchId);
                yield Verdict.busy("share of peer " + slot.source.peer() + " is used up", 0, slot.batchId);
            }
            case STORED -> {
                keep(slot, payload);
                yield Verdict.accepted(slot.batchId);
            }
        };
    }

    /** Its lane has asked already; batches of the ring before this one may have used the rest of the quota since. */
    private static boolean isBeyondRate(IngressSlot slot) {
        if (slot.rate != null) {
            slot.rate.check(slot);
        }
        return slot.refusal != null;
    }

    private void keep(IngressSlot slot, Payload payload) {
        stored = payload;
        if (slot.rate != null) {
            slot.rate.charge(slot);
        }
    }

    /**
     * Two members may hold batches of different chains without a number of which both have one. A broker that hands in
     * a batch that follows another one is refused and no more: it may have lost count. So is a member that hands in two
     * transactions under one number: its operators may have done so at one time, and no other node has the second.
     */
    private void lookForEvidence(Offer offer, IngressSlot slot) {
        switch (offer) {
            case TAKEN, HELD, GAP -> {
                // It fits, or nothing that it follows is here.
            }
            case DELIVERED, PASSED -> compareWithShown(slot);
            case CONFLICT, BROKEN_CHAIN, FULL ->
                equivocations
                        .found(slot.sessionKey, slot.position.number(), slot.bytes)
                        .ifPresentOrElse(found::add, () -> compareWithShown(slot));
        }
    }

    /** What it excludes may be in a block too old to be read, or was never known here. */
    private void compareWithShown(IngressSlot slot) {
        if (slot.isFromPeer()) {
            ShownBatch shown = new ShownBatch(
                    slot.sessionKey, slot.position, slot.batchId, slot.bytes, slot.key, !slot.isLateCopy);
            equivocations.found(slot.source.peer(), shown, slot.receivedNanos).ifPresent(found::add);
        }
    }

    private Payload payload(IngressSlot slot, int origin, long wallNs) {
        return new Payload(
                slot.batchId,
                slot.bytes,
                slot.brokerId,
                slot.position,
                slot.validUntilBlock,
                slot.orderCount,
                origin,
                wallNs,
                slot.receivedNanos);
    }
}
