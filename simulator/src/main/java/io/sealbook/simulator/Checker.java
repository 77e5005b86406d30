package io.sealbook.simulator;

import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.ProposedBatch;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Judges a run after every event. It sees correct replicas only, and everything that they persist, say and deliver. */
final class Checker {
    private enum Kind {
        ACCEPT,
        COMMIT
    }

    private record Vote(int replica, Kind kind, long view, long sequence) {}

    private final Set<Digest> submitted = new HashSet<>();
    private final List<Digest> chain = new ArrayList<>();
    private final Set<Digest> delivered = new HashSet<>();
    private final Map<Vote, Digest> durable = new HashMap<>();
    private final Map<Vote, Digest> votes = new HashMap<>();
    private final Map<Integer, Long> leftViews = new HashMap<>();
    private final Map<Long, Digest> results = new HashMap<>();
    private int entryCountMax;

    void onSubmitted(Batch batch) {
        submitted.add(batch.batchId());
    }

    /** Agreement, no gap, validity. */
    void onDelivered(int replica, long expectedSequence, Proposal proposal) {
        long sequence = proposal.sequence();
        require(sequence == expectedSequence, replica, "delivered " + sequence + ", expected " + expectedSequence);
        if (sequence <= chain.size()) {
            Digest agreed = chain.get((int) sequence - 1);
            require(
                    agreed.equals(proposal.digest()),
                    replica,
                    "delivered " + proposal + ", others delivered " + agreed);
            return;
        }
        chain.add(proposal.digest());
        for (ProposedBatch batch : proposal.batches()) {
            require(
                    submitted.contains(batch.batchId()),
                    replica,
                    "delivered a batch that nobody submitted: " + proposal);
            delivered.add(batch.batchId());
        }
    }

    void onPayloadMissing(int replica, Proposal proposal, Digest batchId) {
        throw new SimulationFailure("replica " + replica + " delivered " + proposal + " without payload " + batchId);
    }

    /** Results of equal heights are equal. */
    void onExecuted(int replica, long sequence, Digest result) {
        Digest agreed = results.putIfAbsent(sequence, result);
        require(agreed == null || agreed.equals(result), replica, "result of " + sequence + " differs");
    }

    void onDurable(int replica, ReplicaRecord record) {
        switch (record) {
            case ReplicaRecord.Accepted accepted -> accepted(replica, accepted.prePrepare());
            case ReplicaRecord.ViewEntered entered ->
                entered.newView().prePrepares().forEach(prePrepare -> accepted(replica, prePrepare));
            case ReplicaRecord.Prepared prepared ->
                durable.put(new Vote(replica, Kind.COMMIT, prepared.view(), prepared.sequence()), prepared.digest());
            case ReplicaRecord.ViewLeft left -> leftViews.merge(replica, left.newView(), Math::max);
            case ReplicaRecord.Isolated isolated -> require(false, replica, "isolates itself: " + isolated);
            case ReplicaRecord.IsolationEnded ended -> require(false, replica, "was isolated: " + ended);
            case ReplicaRecord.Stable stable ->
                require(stable.certificate().sequence() > 0, replica, "genesis made stable again");
        }
    }

    private void accepted(int replica, PrePrepare prePrepare) {
        durable.put(new Vote(replica, Kind.ACCEPT, prePrepare.view(), prePrepare.sequence()), prePrepare.digest());
    }

    /** A vote is durable before it is said, never contradicts an earlier one, and none is made in a view that was left. */
    void onSaid(int replica, Message message) {
        if (message.sender() != replica) {
            return;
        }
        switch (message) {
            case PrePrepare m -> vote(replica, Kind.ACCEPT, m.view(), m.sequence(), m.digest());
            case Prepare m -> vote(replica, Kind.ACCEPT, m.view(), m.sequence(), m.digest());
            case Commit m
            when m.isDecision() ->
                require(chain.get((int) m.sequence() - 1).equals(m.digest()), replica, "says it delivered " + m);
            case Commit m -> vote(replica, Kind.COMMIT, m.view(), m.sequence(), m.digest());
            case NewView m ->
                m.prePrepares().forEach(p -> vote(replica, Kind.ACCEPT, p.view(), p.sequence(), p.digest()));
            default -> {}
        }
    }

    private void vote(int replica, Kind kind, long view, long sequence, Digest digest) {
        Vote vote = new Vote(replica, kind, view, sequence);
        Digest before = votes.putIfAbsent(vote, digest);
        if (before != null) {
            require(before.equals(digest), replica, "voted twice: " + vote + " " + before + " and " + digest);
            return;
        }
        require(digest.equals(durable.get(vote)), replica, "vote is not durable: " + vote + " " + digest);
        require(view >= leftViews.getOrDefault(replica, 0L), replica, "votes in a view that it left: " + vote);
    }

    void onEntryCount(int replica, int entryCount, int bound) {
        entryCountMax = Math.max(entryCountMax, entryCount);
        require(entryCount <= bound, replica, "holds " + entryCount + " entries, bound " + bound);
    }

    boolean isDelivered(Digest batchId) {
        return delivered.contains(batchId);
    }

    long height() {
        return chain.size();
    }

    private static void require(boolean condition, int replica, String fact) {
        if (!condition) {
            throw new SimulationFailure("replica " + replica + ": " + fact);
        }
    }
}
