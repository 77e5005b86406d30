package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ProposedBatch;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The batches that this replica holds, their other holders, and which are proposed or delivered. */
final class Batches {
    /**
     * Ids in one acknowledgement; also how many of the oldest are acknowledged again or fetched in one STATUS period.
     */
    static final int ACKNOWLEDGED_MAX = 256;

    private final Core core;
    /** In order of arrival. */
    private final LinkedHashMap<Digest, PendingBatch> pending = new LinkedHashMap<>();

    private final ValidityQueue validity = new ValidityQueue();
    /** The ids delivered last, so that none of them is proposed or waited for again. */
    private final DigestWindow delivered;

    private final UnknownAcks unknown;
    private final ProposalQueue queue;
    private final Supervision supervision;
    private boolean isQueueing;
    /** The undelivered batches of the proposals accepted in the active view, with their sequence. */
    private final Map<Digest, Long> proposed = new LinkedHashMap<>();
    /** Sequences of the slots that lack payloads. */
    private final List<Slot> waiting = new ArrayList<>();

    private final List<Digest> gathered = new ArrayList<>();

    Batches(Core core, Supervision supervision) {
        this.core = core;
        this.supervision = supervision;
        delivered = new DigestWindow(core.config.deliveredBatchesMax(), core.config.hashSeed());
        unknown = new UnknownAcks(
                core.config.replicaCount(), core.config.pendingBatchesMax() / (core.config.replicaCount() - 1));
        queue = new ProposalQueue(core.quorum.oneCorrect());
    }

    // What arrives.

    /** Returns the slots that lack no payload any more. */
    List<Slot> onBatchAvailable(Input.BatchAvailable available) {
        Digest batchId = available.batchId();
        if (pending.containsKey(batchId)) {
            return List.of();
        }
        if (delivered.contains(batchId)) {
            core.emit(new Output.Drop(batchId, DropReason.DUPLICATE));
            return List.of();
        }
        DropReason reason = dropReason(available);
        if (reason != null && !mayNeed(batchId)) {
            core.emit(new Output.Drop(batchId, reason));
            return List.of();
        }
        PendingBatch batch = new PendingBatch(available, core.tick, unknown.remove(batchId) | 1L << core.self);
        pending.put(batchId, batch);
        validity.add(batch);
        supervision.onArrival(batch);
        if (isQueueing && !proposed.containsKey(batchId)) {
            queue.add(batch);
        }
        acknowledge(batchId);
        return waiting.isEmpty() ? List.of() : completedBy(batchId);
    }

    /** Treats the batches as if their validity had ended. */
    void onWithdrawn(Input.BatchesWithdrawn withdrawn) {
        for (Digest batchId : withdrawn.batchIds()) {
            PendingBatch batch = pending.get(batchId);
            if (batch != null) {
                queue.remove(batch);
                validity.remove(batch);
                batch.withdraw();
                validity.add(batch);
            }
        }
        expire();
    }

    /** Returns why the batch is dropped if no proposal names it, or null. */
    private DropReason dropReason(Input.BatchAvailable available) {
        if (available.validUntilBlock() <= core.lastDelivered()) {
            return DropReason.EXPIRED;
        }
        return pending.size() >= core.config.pendingBatchesMax() ? DropReason.PENDING_FULL : null;
    }

    /** Returns whether a proposal that may still be delivered names the batch; costs a pass over all of them. */
    private boolean mayNeed(Digest batchId) {
        if (proposed.containsKey(batchId)) {
            return true;
        }
        for (Slot slot : core.slots.tailMap(core.lastDelivered(), false).values()) {
            if (slot.mayNeed(batchId)) {
                return true;
            }
        }
        return false;
    }

    private List<Slot> completedBy(Digest batchId) {
        List<Slot> completed = new ArrayList<>();
        for (Slot slot : waiting) {
            if (slot.wanted.remove(batchId) && slot.wanted.isEmpty()) {
                completed.add(slot);
            }
        }
        waiting.removeAll(completed);
        return completed;
    }

    private void acknowledge(Digest batchId) {
        if (!core.mayVote() || core.isPrimary()) {
            return;
        }
        gathered.add(batchId);
        if (gathered.size() == ACKNOWLEDGED_MAX) {
            flushAcknowledgements();
        }
    }

    /** Sends the primary the acknowledgements gathered since the last time. */
    void flushAcknowledgements() {
        if (gathered.isEmpty()) {
            return;
        }
        core.send(core.primary(), new BatchAck(gathered, core.self));
        gathered.clear();
    }

    void onBatchAck(BatchAck ack) {
        for (Digest batchId : ack.batchIds()) {
            PendingBatch batch = pending.get(batchId);
            if (batch != null) {
                queue.onHolder(batch, ack.sender());
            } else if (!delivered.contains(batchId) && !unknown.add(batchId, ack.sender(), core.tick)) {
                core.ignore(ack, IgnoreReason.QUOTA);
                return;
            }
        }
    }

    // What the order of blocks asks.

    /** Begins a view: only its primary keeps a queue; the others acknowledge to it all that they hold. */
    void enterView() {
        gathered.clear();
        waiting.clear();
        proposed.clear();
        for (Slot slot : core.slots.tailMap(core.lastDelivered(), false).values()) {
            if (slot.accepted != null) {
                propose(slot.accepted);
            }
        }
        queue.clear();
        isQueueing = core.isPrimary() && core.mayVote();
        for (PendingBatch batch : pending.values()) {
            if (proposed.containsKey(batch.batchId)) {
                continue;
            }
            if (isQueueing) {
                queue.add(batch);
            } else {
                acknowledge(batch.batchId);
            }
        }
        flushAcknowledgements();
    }

    /** Stops proposing and acknowledging until a view begins. */
    void leaveView() {
        gathered.clear();
        queue.clear();
        isQueueing = false;
    }

    int readyCount() {
        return queue.readyCount();
    }

    List<ProposedBatch> take(int countMax, long sequence) {
        List<PendingBatch> taken = queue.take(countMax, sequence);
        List<ProposedBatch> batches = new ArrayList<>(taken.size());
        for (PendingBatch batch : taken) {
            batches.add(new ProposedBatch(batch.batchId, batch.arrivalTimeNs));
        }
        return batches;
    }

    /** Returns whether a batch of the proposal was delivered or is in another accepted proposal. */
    boolean hasDuplicate(Proposal proposal) {
        for (ProposedBatch batch : proposal.batches()) {
            if (proposed.containsKey(batch.batchId()) || delivered.contains(batch.batchId())) {
                return true;
            }
        }
        return false;
    }

    /** Notes an accepted proposal and which of its payloads are missing. */
    void accept(Slot slot) {
        propose(slot.accepted);
        slot.wanted.clear();
        slot.wanted.addAll(missing(slot.accepted.proposal()));
        slot.wantedSinceNs = core.nowNs;
        slot.isFetching = false;
        if (!slot.wanted.isEmpty()) {
            waiting.add(slot);
        }
    }

    private void propose(PrePrepare prePrepare) {
        Long sequence = prePrepare.sequence();
        for (ProposedBatch batch : prePrepare.proposal().batches()) {
            proposed.putIfAbsent(batch.batchId(), sequence);
        }
    }

    List<Digest> missing(Proposal proposal) {
        List<Digest> missing = new ArrayList<>();
        for (ProposedBatch batch : proposal.batches()) {
            if (!pending.containsKey(batch.batchId()) && !delivered.contains(batch.batchId())) {
                missing.add(batch.batchId());
            }
        }
        return missing;
    }

    List<Slot> waiting() {
        return waiting;
    }

    /** The slot's block is delivered or out of the window: batches that only it named are free again. */
    void release(Slot slot) {
        waiting.remove(slot);
        slot.wanted.clear();
        if (slot.accepted != null) {
            Long sequence = slot.sequence;
            for (ProposedBatch batch : slot.accepted.proposal().batches()) {
                proposed.remove(batch.batchId(), sequence);
            }
        }
    }

    /** The batch is in the chain. */
    void onDelivered(Digest batchId) {
        PendingBatch batch = pending.remove(batchId);
        if (batch != null) {
            queue.remove(batch);
            validity.remove(batch);
            supervision.onDelivered(batch);
        }
        unknown.remove(batchId);
        delivered.putIfAbsent(batchId, core.lastDelivered());
    }

    /** Forgets the batches whose validity ended, unless a proposal that may still be delivered names them. */
    void expire() {
        for (PendingBatch batch = validity.poll(core.lastDelivered());
                batch != null;
                batch = validity.poll(core.lastDelivered())) {
            if (mayNeed(batch.batchId)) {
                // Looked at again when the next block is delivered.
                batch.expiresAt = core.lastDelivered() + 1;
                validity.add(batch);
                continue;
            }
            pending.remove(batch.batchId);
            queue.remove(batch);
            supervision.onExpired(batch);
            core.emit(new Output.Drop(batch.batchId, DropReason.EXPIRED));
        }
    }

    // Supervision and repair.

    int pendingCount() {
        return pending.size();
    }

    /** Returns the oldest batches that have waited for a whole STATUS period and are in no proposal. */
    List<Digest> overdue() {
        List<Digest> overdue = new ArrayList<>();
        for (PendingBatch batch : pending.values()) {
            if (overdue.size() == ACKNOWLEDGED_MAX || batch.tick + 1 >= core.tick) {
                break;
            }
            if (!proposed.containsKey(batch.batchId)) {
                overdue.add(batch.batchId);
            }
        }
        return overdue;
    }

    List<Digest> overdueUnknown(int sender) {
        return unknown.overdue(sender, core.tick, ACKNOWLEDGED_MAX);
    }

    /** Returns how many entries all tables hold together, for the bounded-memory check. */
    int entryCount() {
        return pending.size() + delivered.count() + unknown.count() + proposed.size() + gathered.size();
    }
}
