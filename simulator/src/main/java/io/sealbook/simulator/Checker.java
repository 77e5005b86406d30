package io.sealbook.simulator;

import io.sealbook.archive.Block;
import io.sealbook.membership.Membership;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Judges a run after every event. It sees correct nodes only, and everything that they persist, say, deliver, archive
 * and execute.
 */
final class Checker {
    private enum Kind {
        ACCEPT,
        COMMIT
    }

    private record Vote(int replica, Kind kind, int epoch, long view, long sequence) {}

    private record Slot(int replica, int epoch, long sequence) {}

    private record Term(int replica, int epoch) {}

    private record Position(int broker, int session, long number) {}

    private final Map<Digest, Batch> made = new HashMap<>();
    private final Set<Long> sessions = new HashSet<>();
    private final Map<Position, Integer> batchesOfNumber = new HashMap<>();
    /** Proposals by sequence, as the first correct node delivered them. */
    private final Map<Long, Digest> proposals = new HashMap<>();
    /** Hashes of blocks by sequence, as the first correct engine read them. */
    private final Map<Long, Digest> blocks = new HashMap<>();

    /** Batches of each block, as the first correct node delivered it. */
    private final Map<Long, List<Digest>> contents = new HashMap<>();
    /** How many batches are in the blocks up to each. */
    private final Map<Long, Integer> batchesThrough = new HashMap<>();

    private final Set<Digest> delivered = new HashSet<>();
    /** The last delivered batch of each session. */
    private final Map<Long, Batch> lastDelivered = new HashMap<>();
    /** Nodes, as bits, whose engine has read the batch in a block. */
    private final Map<Digest, Long> holders = new HashMap<>();
    /** Batches by node and number, as the node's blocks hold them. */
    private final Map<Integer, Map<Position, Batch>> committed = new HashMap<>();

    private final Map<Integer, Set<Digest>> acknowledged = new HashMap<>();
    private final Map<Vote, Digest> durable = new HashMap<>();
    /** Of what was accepted, the highest number of each session. */
    private final Map<Slot, Map<Long, Long>> promised = new HashMap<>();

    private final Map<Vote, Digest> votes = new HashMap<>();
    /** The epoch that a replica's log says it is in. */
    private final Map<Integer, Integer> durableEpochs = new HashMap<>();
    /** The view that a replica's log says it went to, in each epoch. */
    private final Map<Term, Long> durableViews = new HashMap<>();
    /** The last view that a replica's log says it entered, and the one of the cycles before the present one. */
    private final Map<Term, Long> enteredViews = new HashMap<>();

    private final Map<Term, Long> enteredBefore = new HashMap<>();
    /** The view that a replica has said, or remembered at its start, that it goes to: it votes in none below. */
    private final Map<Term, Long> leftViews = new HashMap<>();

    private final Set<Integer> wrongEngines = new HashSet<>();
    /** Checkpoints at which nodes are isolated. */
    private final Map<Integer, Long> isolated = new HashMap<>();
    /** Those that were in an earlier cycle: all that they voted before is said. */
    private final Set<Integer> isolatedBefore = new HashSet<>();
    /** What they say in a cycle; in one that ends the isolation they may. */
    private final Map<Integer, Vote> votesOfIsolated = new HashMap<>();

    private final Map<Long, Digest> results = new HashMap<>();
    /** Digests of memberships by the last block before them. */
    private final Map<Long, Digest> memberships = new HashMap<>();
    /** Blocks after which epochs began. */
    private final Set<Long> epochBlocks = new HashSet<>();

    private final int faultyMax;
    private final MemoryBound bound;
    private long height;
    private long evidenceCount;

    /** @param scenario of the run */
    Checker(Scenario scenario) {
        faultyMax = (scenario.replicaCount() - 1) / 3;
        bound = new MemoryBound(scenario);
    }

    void onMade(Batch batch) {
        made.put(batch.batchId(), batch);
        sessions.add(SessionKey.of(batch.broker(), batch.position().session()));
        batchesOfNumber.merge(position(batch), 1, Integer::sum);
    }

    private static Position position(Batch batch) {
        return new Position(
                batch.broker(), batch.position().session(), batch.position().number());
    }

    /** A gateway takes no batch under a number that a block holds, not even after a restart. */
    void onAccepted(int replica, Batch batch) {
        Batch holder = committed.getOrDefault(replica, Map.of()).get(position(batch));
        require(holder == null, replica, "accepted " + batch + " under the number of " + holder);
    }

    void onNumberRefused(int replica, Batch batch) {
        require(
                batchesOfNumber.get(position(batch)) > 1,
                replica,
                "refused a number that only one batch has: " + batch);
    }

    /** Agreement and validity: equal proposals, made of the same batches, each the next of its session. */
    void onDelivered(int replica, Proposal proposal, List<Digest> batches) {
        Digest agreed = proposals.putIfAbsent(proposal.sequence(), proposal.digest());
        require(
                agreed == null || agreed.equals(proposal.digest()),
                replica,
                "delivered " + proposal + ", others delivered " + agreed);
        Digest before = proposals.get(proposal.sequence() - 1);
        require(
                before == null || before.equals(proposal.previous()),
                replica,
                "delivered " + proposal + " after " + proposal.previous() + ", others delivered " + before);
        height = Math.max(height, proposal.sequence());
        List<Digest> content = contents.putIfAbsent(proposal.sequence(), batches);
        if (content != null) {
            require(content.equals(batches), replica, "delivered other batches than others: " + proposal);
            return;
        }
        batchesThrough.put(
                proposal.sequence(), batchesThrough.getOrDefault(proposal.sequence() - 1, 0) + batches.size());
        for (Digest batchId : batches) {
            Batch batch = made.get(batchId);
            require(batch != null, replica, "delivered a batch that no broker made: " + proposal);
            require(delivered.add(batchId), replica, "delivered a batch in two blocks: " + proposal);
            long sessionKey = SessionKey.of(batch.broker(), batch.position().session());
            Batch last = lastDelivered.put(sessionKey, batch);
            BatchPosition next = last == null
                    ? BatchPosition.first(batch.position().session())
                    : last.position().after(last.batchId());
            require(next.equals(batch.position()), replica, "delivered " + batch + " after " + last);
        }
    }

    /** Equal blocks, of bytes that brokers made, and equal results. */
    void onExecuted(int replica, Block block, Digest result) {
        long sequence = block.header().sequence();
        Digest hash = block.hash();
        Digest agreed = blocks.putIfAbsent(sequence, hash);
        require(agreed == null || agreed.equals(hash), replica, "block " + sequence + " differs");
        agreed = results.putIfAbsent(sequence, result);
        require(agreed == null || agreed.equals(result), replica, "result of " + sequence + " differs");
        for (int i = 0; i < block.batchCount(); i++) {
            Batch batch = made.get(block.batchId(i));
            require(batch != null, replica, "block " + sequence + " holds a batch that no broker made");
            int from = block.batchOffset(i);
            require(
                    Arrays.equals(
                            batch.signed(), 0, batch.signed().length, block.array(), from, from + block.batchLength(i)),
                    replica,
                    "block " + sequence + " holds other bytes than the broker signed");
            holders.merge(batch.batchId(), 1L << replica, (x, y) -> x | y);
            committed.computeIfAbsent(replica, id -> new HashMap<>()).putIfAbsent(position(batch), batch);
        }
    }

    /** Nodes with equal blocks have equal memberships. */
    void onMembership(int replica, long sequence, Membership membership) {
        epochBlocks.add(membership.epochBlock());
        Digest agreed = memberships.putIfAbsent(sequence, membership.digest());
        require(
                agreed == null || agreed.equals(membership.digest()),
                replica,
                "has another membership after block " + sequence + ": " + membership);
    }

    /** A node is about to lose its memory; what it acknowledged and holds, it must hold again. */
    void onCrash(int replica, Predicate<Digest> holds) {
        votesOfIsolated.remove(replica);
        acknowledged.getOrDefault(replica, new HashSet<>()).removeIf(holds.negate());
    }

    /** Another machine with nothing takes the place of a replica. */
    void onReplaced(int replica) {
        acknowledged.remove(replica);
        committed.remove(replica);
        durableEpochs.remove(replica);
        durable.keySet().removeIf(vote -> vote.replica == replica);
        promised.keySet().removeIf(slot -> slot.replica == replica);
        votes.keySet().removeIf(vote -> vote.replica == replica);
        durableViews.keySet().removeIf(term -> term.replica == replica);
        enteredViews.keySet().removeIf(term -> term.replica == replica);
        enteredBefore.keySet().removeIf(term -> term.replica == replica);
        endIsolation(replica);
        leftViews.keySet().removeIf(term -> term.replica == replica);
    }

    void onRestarted(int replica, Predicate<Digest> holds) {
        for (Digest batchId : acknowledged.getOrDefault(replica, Set.of())) {
            require(
                    holds.test(batchId) || isOvertaken(made.get(batchId)),
                    replica,
                    "lost in a crash a batch that it had acknowledged: " + batchId);
        }
    }

    /** Returns whether a block has another batch under the number, or under one before it in the session. */
    private boolean isOvertaken(Batch batch) {
        Batch last =
                lastDelivered.get(SessionKey.of(batch.broker(), batch.position().session()));
        return last != null && last.position().number() >= batch.position().number() && !isDelivered(batch.batchId());
    }

    /**
     * What was durable is there after a restart, unless a checkpoint or a later view made it needless. Of views before
     * the one that was entered last, the certificate of the highest view of each sequence is there, and of each session
     * the highest number that a proposal named: this replica's vote promised that it holds the batches.
     */
    void onRecovered(int replica, List<ReplicaRecord> records) {
        long stable = records.stream()
                .filter(ReplicaRecord.Stable.class::isInstance)
                .mapToLong(
                        record -> ((ReplicaRecord.Stable) record).certificate().sequence())
                .max()
                .orElse(0);
        Set<Vote> recovered = new HashSet<>();
        Map<Slot, Map<Long, Long>> named = new HashMap<>();
        long view = 0;
        long entered = 0;
        int epoch = 0;
        for (ReplicaRecord record : records) {
            switch (record) {
                case ReplicaRecord.EpochBegan began -> {
                    epoch = began.epoch();
                    view = 0;
                    entered = 0;
                }
                case ReplicaRecord.Accepted accepted -> {
                    recovered.add(acceptance(replica, epoch, accepted.prePrepare()));
                    name(named, replica, epoch, accepted.prePrepare());
                }
                case ReplicaRecord.ViewEntered begun -> {
                    for (PrePrepare prePrepare : begun.newView().prePrepares()) {
                        recovered.add(acceptance(replica, epoch, prePrepare));
                        name(named, replica, epoch, prePrepare);
                    }
                    entered = begun.newView().view();
                    view = Math.max(view, entered);
                }
                case ReplicaRecord.Prepared prepared ->
                    recovered.add(new Vote(replica, Kind.COMMIT, epoch, prepared.view(), prepared.sequence()));
                case ReplicaRecord.ViewLeft left -> view = Math.max(view, left.newView());
                case ReplicaRecord.Stable ignored -> {
                    // Counted above.
                }
                case ReplicaRecord.Isolated ignored -> requireWrong(replica, record);
                case ReplicaRecord.IsolationEnded ignored -> requireWrong(replica, record);
            }
        }
        require(epoch >= durableEpochs.getOrDefault(replica, 0), replica, "forgot in a crash that it began an epoch");
        Term term = new Term(replica, epoch);
        require(view >= durableViews.getOrDefault(term, 0L), replica, "forgot in a crash that it left a view");
        leftViews.merge(term, view, Math::max);
        for (Vote vote : durable.keySet()) {
            require(
                    vote.replica != replica
                            || vote.epoch < epoch
                            || vote.sequence <= stable
                            || recovered.contains(vote)
                            || vote.epoch == epoch && vote.view < entered && isNeedless(vote, recovered),
                    replica,
                    "forgot in a crash what was durable: " + vote);
        }
        for (Slot slot : promised.keySet()) {
            require(
                    slot.replica != replica
                            || slot.epoch < epoch
                            || slot.sequence <= stable
                            || isCovered(promised.get(slot), named.getOrDefault(slot, Map.of())),
                    replica,
                    "forgot in a crash which batches it promised to hold: " + slot);
        }
        // What was written and not synced may have survived; opening the log has made it durable.
        durableEpochs.put(replica, 0);
        Long isolatedAt = isolated.get(replica);
        endIsolation(replica);
        records.forEach(record -> onDurable(replica, record));
        require(
                isolatedAt == null || isolatedAt <= stable || isolated.containsKey(replica),
                replica,
                "forgot in a crash that it is isolated since " + isolatedAt);
        onCycleSaid(replica);
    }

    /** Returns whether a vote of an earlier view may be forgotten. */
    private static boolean isNeedless(Vote earlier, Set<Vote> recovered) {
        return earlier.kind == Kind.ACCEPT
                || recovered.stream()
                        .anyMatch(vote -> vote.kind == Kind.COMMIT
                                && vote.epoch == earlier.epoch
                                && vote.sequence == earlier.sequence
                                && vote.view > earlier.view);
    }

    private static boolean isCovered(Map<Long, Long> promised, Map<Long, Long> named) {
        return promised.entrySet().stream().allMatch(end -> named.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }

    private static void name(Map<Slot, Map<Long, Long>> named, int replica, int epoch, PrePrepare prePrepare) {
        Map<Long, Long> ofSlot =
                named.computeIfAbsent(new Slot(replica, epoch, prePrepare.sequence()), slot -> new HashMap<>());
        for (SessionEnd end : prePrepare.proposal().ends()) {
            ofSlot.merge(end.sessionKey(), end.number(), Math::max);
        }
    }

    private static Vote acceptance(int replica, int epoch, PrePrepare prePrepare) {
        return new Vote(replica, Kind.ACCEPT, epoch, prePrepare.view(), prePrepare.sequence());
    }

    void onDurable(int replica, ReplicaRecord record) {
        int epoch = durableEpochs.getOrDefault(replica, 0);
        switch (record) {
            case ReplicaRecord.EpochBegan began -> durableEpochs.put(replica, began.epoch());
            case ReplicaRecord.Accepted accepted -> accepted(replica, accepted.prePrepare());
            case ReplicaRecord.ViewEntered entered -> {
                entered.newView().prePrepares().forEach(prePrepare -> accepted(replica, prePrepare));
                enteredViews.merge(new Term(replica, epoch), entered.newView().view(), Math::max);
            }
            case ReplicaRecord.Prepared prepared ->
                durable.put(
                        new Vote(replica, Kind.COMMIT, epoch, prepared.view(), prepared.sequence()), prepared.digest());
            case ReplicaRecord.ViewLeft left -> durableViews.merge(new Term(replica, epoch), left.newView(), Math::max);
            case ReplicaRecord.Isolated isolation -> {
                requireWrong(replica, record);
                isolated.put(replica, isolation.checkpoint());
            }
            case ReplicaRecord.IsolationEnded ignored -> {
                requireWrong(replica, record);
                endIsolation(replica);
            }
            case ReplicaRecord.Stable ignored -> {
                // No vote; the first record of a node that follows is the certificate of genesis.
            }
        }
    }

    /** The engine of a correct node is wrong from now on. */
    void onWrongEngine(int replica) {
        wrongEngines.add(replica);
    }

    /** A node has found that its result is not that of the others. */
    void onIsolated(SimulatedNode node) {
        require(!node.isCorrect() || wrongEngines.contains(node.id), node.id, "isolates itself");
    }

    /** A node votes again; a segment that is full may take the record of it with it. */
    void onIsolationEnded(int replica) {
        endIsolation(replica);
    }

    private void endIsolation(int replica) {
        isolated.remove(replica);
        isolatedBefore.remove(replica);
        votesOfIsolated.remove(replica);
    }

    private void requireWrong(int replica, ReplicaRecord record) {
        require(wrongEngines.contains(replica), replica, "has been right and remembers " + record);
    }

    private void accepted(int replica, PrePrepare prePrepare) {
        int epoch = durableEpochs.getOrDefault(replica, 0);
        durable.put(acceptance(replica, epoch, prePrepare), prePrepare.digest());
        name(promised, replica, epoch, prePrepare);
    }

    /**
     * A vote is durable before it is said, never contradicts an earlier one, and none is made in a view that was left.
     * In place of a vote that a node says in the cycle in which it enters a later view, the later records may be what
     * is durable: a segment that is full goes unsynced, and the next one begins with what matters. In later cycles it
     * has no new vote for an earlier view. A proposal of a block that is decided is no vote: it is shown to those that
     * lack it, whatever became of its view.
     */
    void onSaid(int replica, int epoch, Message message) {
        if (message.sender() != replica) {
            return;
        }
        switch (message) {
            case PrePrepare m -> {
                boolean wasSaid = votes.containsKey(acceptance(replica, epoch, m));
                if (wasSaid || !m.digest().equals(proposals.get(m.sequence()))) {
                    vote(replica, epoch, Kind.ACCEPT, m.view(), m.sequence(), m.digest());
                }
            }
            case Prepare m -> vote(replica, epoch, Kind.ACCEPT, m.view(), m.sequence(), m.digest());
            case Commit m
            when m.isDecision() -> {
                // It may be said in the duty cycle that hands the block to the committer, before it does.
                Digest agreed = proposals.putIfAbsent(m.sequence(), m.digest());
                require(agreed == null || agreed.equals(m.digest()), replica, "says it delivered " + m);
            }
            case Commit m -> vote(replica, epoch, Kind.COMMIT, m.view(), m.sequence(), m.digest());
            case NewView m ->
                m.prePrepares().forEach(p -> vote(replica, epoch, Kind.ACCEPT, p.view(), p.sequence(), p.digest()));
            case BatchAck m -> m.ends().forEach(end -> acknowledge(replica, end.id()));
            case Arrivals m ->
                m.arrivals()
                        .forEach(arrival -> acknowledge(replica, arrival.batch().id()));
            case ViewChange m -> {
                Term term = new Term(replica, epoch);
                require(
                        m.newView() <= durableViews.getOrDefault(term, 0L),
                        replica,
                        "says that it leaves for a view, which is not durable: " + m.newView());
                leftViews.merge(term, m.newView(), Math::max);
            }
            default -> {}
        }
    }

    /** An acknowledgement covers all batches of the session up to the one that it names. */
    private void acknowledge(int replica, Digest lastId) {
        Set<Digest> before = acknowledged.computeIfAbsent(replica, id -> new HashSet<>());
        Digest next = lastId;
        while (!next.equals(Digest.ZERO) && !delivered.contains(next) && before.add(next)) {
            require(made.containsKey(next), replica, "acknowledges a batch that no broker made: " + next);
            next = made.get(next).position().previous();
        }
    }

    private void vote(int replica, int epoch, Kind kind, long view, long sequence, Digest digest) {
        Vote vote = new Vote(replica, kind, epoch, view, sequence);
        Digest before = votes.putIfAbsent(vote, digest);
        if (before == null && isolatedBefore.contains(replica)) {
            votesOfIsolated.put(replica, vote);
        }
        if (before != null) {
            require(before.equals(digest), replica, "voted twice: " + vote + " " + before + " and " + digest);
            return;
        }
        Term term = new Term(replica, epoch);
        boolean isDurable = digest.equals(durable.get(vote))
                || view < enteredViews.getOrDefault(term, 0L) && isNeedless(vote, durable.keySet());
        require(isDurable, replica, "vote is not durable: " + vote + " " + digest);
        require(
                view >= leftViews.getOrDefault(term, 0L) && view >= enteredBefore.getOrDefault(term, 0L),
                replica,
                "votes in a view that it left: " + vote);
    }

    /**
     * Evidence is kept: it proves what it says to anybody, and never against a correct member, whatever happened to its
     * disk and its engine.
     *
     * @param replica that keeps it
     * @param evidence as it is kept
     * @param isGenuine whether both signatures are the member's
     * @param isFaulty whether the member is
     */
    void onEvidence(int replica, MemberEvidence evidence, boolean isGenuine, boolean isFaulty) {
        require(isFaulty, replica, "has evidence against a correct member: " + evidence);
        require(isGenuine, replica, "has evidence that nobody can verify: " + evidence);
        MemberEvidence read = MemberEvidence.decode(evidence.encode());
        require(evidence.equals(read), replica, "has evidence that reads as " + read + ": " + evidence);
        evidenceCount++;
    }

    /** Returns how often correct nodes found evidence against a member. */
    long evidenceCount() {
        return evidenceCount;
    }

    /** Agreement of a node has ended a cycle: it holds no more than its bound, and need not hold what is in blocks. */
    void onCycle(int replica, Replica agreement) {
        onCycleSaid(replica);
        int undelivered = made.size() - batchesThrough.getOrDefault(agreement.lastDelivered(), 0);
        requireAtMost(bound.during(sessions.size(), undelivered), replica, agreement.entryCount());
    }

    /** What a node says from now on it says in a later cycle. */
    void onCycleSaid(int replica) {
        if (isolated.containsKey(replica)) {
            isolatedBefore.add(replica);
        }
        Vote vote = votesOfIsolated.remove(replica);
        require(vote == null, replica, "is isolated and votes: " + vote);
        enteredViews.forEach((term, view) -> {
            if (term.replica == replica) {
                enteredBefore.put(term, view);
            }
        });
    }

    private static void requireAtMost(int bound, int replica, int entryCount) {
        require(entryCount <= bound, replica, "holds " + entryCount + " entries, bound " + bound);
    }

    /** At the end no node holds what is in its blocks: memory is bounded over any time. */
    void onEnd(SimulatedNode node) {
        requireAtMost(bound.atEnd(sessions.size(), made.size() - delivered.size()), node.id, node.entryCount());
        for (Digest batchId : delivered) {
            require(!node.holdsNeedlessly(batchId), node.id, "still holds a delivered batch: " + made.get(batchId));
        }
    }

    /** Returns all delivered batches in their order. */
    List<Digest> chain() {
        return LongStream.rangeClosed(1, height)
                .mapToObj(contents::get)
                .flatMap(List::stream)
                .toList();
    }

    /** Returns whether correct engines reached this result of a block. */
    boolean isResult(long sequence, Digest result) {
        return result.equals(results.get(sequence));
    }

    /** Returns whether an epoch ended with a block. */
    boolean endsEpoch(long sequence) {
        return epochBlocks.contains(sequence);
    }

    boolean isDelivered(Digest batchId) {
        return delivered.contains(batchId);
    }

    /** Returns whether more nodes than may be faulty have the batch in a block. */
    boolean isAcknowledged(Digest batchId) {
        return Long.bitCount(holders.getOrDefault(batchId, 0L)) > faultyMax;
    }

    /** Returns the highest block that a correct node has delivered. */
    long height() {
        return height;
    }

    private static void require(boolean condition, int replica, String fact) {
        if (!condition) {
            throw new SimulationFailure("replica " + replica + ": " + fact);
        }
    }
}
