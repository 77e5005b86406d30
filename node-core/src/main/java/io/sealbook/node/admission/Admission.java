package io.sealbook.node.admission;

import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.status.NodeState;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The last ring stage: decides about each batch in ring order, stores it, has it spread and makes it durable; then
 * tells agreement that it is available, and its source the verdict. One thread.
 *
 * <p>A batch that a proposal names is always taken. Batches of peers are held to the same rules but two: another node's
 * clock of blocks may be ahead of this one's, so their validity is not refused as too far; and two nodes may have taken
 * two batches with one number, either of which may be proposed, so the number does not refuse them (the engine does,
 * equally everywhere).
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
    private final NonceWindow nonces;
    private final AdmittedBatches admitted;
    private final NodeState state;
    private final NodeEvents events;
    private final List<Decided> decided = new ArrayList<>(GROUP_MAX);
    /** What the slot in hand brought, if it was stored. */
    private Payload stored;
    /** Those who have had verdicts since the last end of what the ring had. */
    private final Set<BatchSource> sources = new HashSet<>();

    /**
     * @param context what it needs of the node around it
     * @param store gets what is admitted
     * @param log makes it durable before agreement and the source are notified
     * @param nonces which numbers are used
     * @param admitted hears of each batch that is taken
     */
    public Admission(
            AdmissionContext context,
            PayloadStore store,
            PayloadLog log,
            NonceWindow nonces,
            AdmittedBatches admitted) {
        this.ownId = context.nodeId();
        this.validityBlocksMax = context.validityBlocksMax();
        this.store = store;
        this.log = log;
        this.nonces = nonces;
        this.admitted = admitted;
        this.state = context.state();
        this.events = context.events();
    }

    /**
     * Gives a decoded and verified batch its verdict.
     *
     * @param slot cleared afterwards
     * @param endOfBatch whether the ring has no further batch: sources then send their verdicts
     * @param wallNs the instant of its admission, nanoseconds since 1970
     */
    public void decide(IngressSlot slot, boolean endOfBatch, long wallNs) {
        Verdict verdict =
                slot.refusal == null ? admit(slot, wallNs) : Verdict.refused(slot.refusal, slot.detail, slot.batchId);
        if (verdict.status() == SubmitStatus.REFUSED) {
            if (slot.source.peer() == BatchSource.BROKER) {
                events.refused(verdict.reason());
            } else {
                events.peerRefused(slot.source.peer(), verdict.reason());
            }
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
    }

    private Verdict admit(IngressSlot slot, long wallNs) {
        if (slot.isLateCopy) {
            return Verdict.alreadyKnown(slot.batchId);
        }
        boolean isFromBroker = slot.source.peer() == BatchSource.BROKER;
        if (store.isWanted(slot.batchId)) {
            return admitWanted(slot, isFromBroker, wallNs);
        }
        long lastBlock = state.lastBlock().sequence();
        if (Long.compareUnsigned(slot.validUntilBlock, lastBlock) <= 0) {
            return Verdict.refused(
                    RefusalReason.EXPIRED_VALIDITY,
                    "valid until block " + Long.toUnsignedString(slot.validUntilBlock) + ", block " + lastBlock
                            + " is delivered",
                    slot.batchId);
        }
        if (slot.validUntilBlock < 0 || isFromBroker && slot.validUntilBlock > lastBlock + validityBlocksMax) {
            return Verdict.refused(
                    RefusalReason.VALIDITY_TOO_FAR,
                    "valid until block " + Long.toUnsignedString(slot.validUntilBlock) + ", at most "
                            + (lastBlock + validityBlocksMax),
                    slot.batchId);
        }
        return isFromBroker ? admitFromBroker(slot, wallNs) : admitFromPeer(slot, wallNs);
    }

    /**
     * Takes what a proposal names, whatever its validity and number: others may have voted for the proposal that names
     * it, and no vote is judged by the clock of blocks here. The engine rules on it, equally everywhere.
     */
    private Verdict admitWanted(IngressSlot slot, boolean isFromBroker, long wallNs) {
        Digest batchId = slot.batchId;
        nonces.take(slot.sessionKey, slot.position.number(), slot.validUntilBlock, batchId);
        Payload payload = payload(slot, batchId, isFromBroker ? ownId : slot.source.peer(), wallNs);
        return switch (store.put(payload)) {
            case PRESENT -> Verdict.alreadyKnown(slot.batchId);
            case FULL -> Verdict.busy("agreement does not ask for the batch any more", BUSY_RETRY_MS);
            case STORED -> {
                stored = payload;
                if (isFromBroker) {
                    admitted.onStored(payload);
                    events.admitted(slot.orderCount);
                }
                yield Verdict.accepted(slot.batchId);
            }
        };
    }

    private Verdict admitFromBroker(IngressSlot slot, long wallNs) {
        Digest batchId = slot.batchId;
        switch (nonces.take(slot.sessionKey, slot.position.number(), slot.validUntilBlock, batchId)) {
            case SAME_BATCH -> {
                if (store.contains(batchId)) {
                    return Verdict.alreadyKnown(slot.batchId);
                }
                // Taken before and then dropped, or taken and not yet stored by a peer's copy: store it now.
            }
            case COMMITTED -> {
                return Verdict.alreadyKnown(slot.batchId);
            }
            case OTHER_BATCH -> {
                return Verdict.refused(
                        RefusalReason.NUMBER_TAKEN,
                        "number " + Long.toUnsignedString(slot.position.number()) + " of "
                                + SessionKey.name(slot.sessionKey) + " belongs to another batch",
                        slot.batchId);
            }
            case FULL -> {
                return Verdict.busy("session has too many batches in its validity window", BUSY_RETRY_MS);
            }
            case FREE -> {
                // The straight path.
            }
        }
        Payload payload = payload(slot, batchId, ownId, wallNs);
        if (store.put(payload) == PayloadStore.Outcome.FULL) {
            nonces.release(slot.sessionKey, slot.position.number(), batchId);
            return Verdict.busy("too many batches wait for their block", BUSY_RETRY_MS);
        }
        stored = payload;
        admitted.onStored(payload);
        events.admitted(slot.orderCount);
        return Verdict.accepted(slot.batchId);
    }

    private Verdict admitFromPeer(IngressSlot slot, long wallNs) {
        Digest batchId = slot.batchId;
        NonceWindow.Use use = nonces.take(slot.sessionKey, slot.position.number(), slot.validUntilBlock, batchId);
        if (use == NonceWindow.Use.COMMITTED) {
            return Verdict.alreadyKnown(slot.batchId);
        }
        Payload payload = payload(slot, batchId, slot.source.peer(), wallNs);
        return switch (store.put(payload)) {
            case PRESENT -> Verdict.alreadyKnown(slot.batchId);
            case FULL -> Verdict.busy("share of peer " + slot.source.peer() + " is used up", 0);
            case STORED -> {
                stored = payload;
                yield Verdict.accepted(slot.batchId);
            }
        };
    }

    private Payload payload(IngressSlot slot, Digest batchId, int origin, long wallNs) {
        return new Payload(
                batchId,
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
