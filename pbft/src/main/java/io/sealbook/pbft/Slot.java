package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state of one sequence number above the low watermark. Proposal and PREPAREs of the active view are forgotten when
 * the next view begins; the prepared certificate, the commits and the fact of delivery stay.
 */
final class Slot {
    final long sequence;
    /** Accepted in the active view, or in the last active one while none is. */
    PrePrepare accepted;
    /** Heartbeat period in which that was; 0 if a NEW-VIEW fixed it. */
    private long acceptedPeriod;
    /** Whether the log has {@link #accepted}. */
    private boolean isRecorded;
    /** Came before its predecessor was accepted in the active view. */
    PrePrepare held;
    /** Seen but not accepted: needed only if others commit it. */
    PrePrepare learned;
    /** Of the highest view in which the replica prepared. */
    PreparedCertificate prepared;
    /** Has Q commits of one view. */
    Digest committed;
    /** Delivered by this replica object. */
    Digest delivered;
    /** Batches of {@link #accepted} that are missing. */
    final Set<BatchRange> wanted = new LinkedHashSet<>();

    /** Last numbers, by session, of what this replica may have voted for in earlier views: it keeps those batches. */
    private final Map<Long, Long> votedThrough = new TreeMap<>();

    /** Judgement of its order that kept this replica from voting; null if there is none. */
    private FairOrder.Verdict refusal;
    /** STATUS period since which the order is unfair. */
    private long unfairSince;

    long wantedSinceAwakeNs;
    boolean isFetching;
    /** Of the active view, by sender. */
    final Prepare[] prepares;
    /** The latest view's, by sender. */
    final Commit[] commits;
    /** COMMITs without a view: the digest that each sender reports as delivered. */
    final Commit[] decisions;

    Slot(long sequence, int replicaCount) {
        this.sequence = sequence;
        prepares = new Prepare[replicaCount];
        commits = new Commit[replicaCount];
        decisions = new Commit[replicaCount];
    }

    /** Accepts a proposal of the active view in a heartbeat period, 0 if the shell passes none. */
    void accept(PrePrepare prePrepare, long period) {
        accepted = prePrepare;
        acceptedPeriod = period;
        isRecorded = false;
    }

    /** Accepts a proposal that the log has, by itself or in a NEW-VIEW. */
    void acceptRecorded(PrePrepare prePrepare) {
        accepted = prePrepare;
        isRecorded = true;
    }

    /** Notes that the accepted proposal goes into the log. */
    void record() {
        isRecorded = true;
    }

    /** Returns whether the log has the accepted proposal. */
    boolean isRecorded() {
        return isRecorded;
    }

    /** Returns the heartbeat period in which what is delivered was accepted; 0 if that is not known. */
    long periodOfAcceptance() {
        return accepted != null && accepted.digest().equals(delivered) ? acceptedPeriod : 0;
    }

    /**
     * Notes how the order of the accepted proposal was judged.
     *
     * @param verdict of what is known now
     * @param tick the present STATUS period
     */
    void judge(FairOrder.Verdict verdict, long tick) {
        if (verdict == FairOrder.Verdict.UNFAIR && refusal != verdict) {
            unfairSince = tick;
        }
        refusal = verdict == FairOrder.Verdict.FAIR ? null : verdict;
    }

    /** Returns whether the order keeps this replica from voting. */
    boolean isRefused() {
        return refusal != null;
    }

    /** Returns whether the order has been unfair since before a STATUS period. */
    boolean isUnfairSince(long tick) {
        return refusal == FairOrder.Verdict.UNFAIR && unfairSince < tick;
    }

    /** Forgets the votes of the view before. */
    void enterView() {
        refusal = null;
        if (accepted != null && wanted.isEmpty()) {
            accepted.proposal().ends().forEach(end -> votedThrough.merge(end.sessionKey(), end.number(), Math::max));
        }
        if (accepted != null && prepared == null && learned == null) {
            learned = accepted;
        }
        acceptedPeriod = 0;
        isRecorded = false;
        accepted = null;
        held = null;
        wanted.clear();
        isFetching = false;
        Arrays.fill(prepares, null);
    }

    boolean isPreparedIn(long view) {
        return prepared != null && prepared.view() == view;
    }

    boolean hasAccepted(long view) {
        return accepted != null && accepted.view() == view;
    }

    /** Returns how many committed the digest in this view. */
    int commitCount(long view, Digest digest) {
        int count = 0;
        for (Commit commit : commits) {
            count += commit != null && commit.view() == view && commit.digest().equals(digest) ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of replicas that report the digest as delivered. */
    int decisionCount(Digest digest) {
        int count = 0;
        for (Commit decision : decisions) {
            count += decision != null && decision.digest().equals(digest) ? 1 : 0;
        }
        return count;
    }

    /** Returns how many committed or delivered the digest, in whatever view. */
    int supporterCount(Digest digest) {
        int count = 0;
        for (int i = 0; i < commits.length; i++) {
            boolean hasCommitted = commits[i] != null && commits[i].digest().equals(digest);
            boolean hasDecided = decisions[i] != null && decisions[i].digest().equals(digest);
            count += hasCommitted || hasDecided ? 1 : 0;
        }
        return count;
    }

    /** Returns the signatures of the PREPAREs that match the accepted proposal, ascending by replica. */
    List<ReplicaSignature> matchingPrepares() {
        List<ReplicaSignature> matching = new ArrayList<>(prepares.length);
        for (Prepare prepare : prepares) {
            if (prepare != null && prepare.digest().equals(accepted.digest())) {
                matching.add(new ReplicaSignature(prepare.sender(), prepare.signature()));
            }
        }
        return matching;
    }

    /** Returns a PRE-PREPARE of the proposal with this digest, or null if none was seen. */
    PrePrepare prePrepareOf(Digest digest) {
        if (accepted != null && accepted.digest().equals(digest)) {
            return accepted;
        }
        if (learned != null && learned.digest().equals(digest)) {
            return learned;
        }
        if (prepared != null && prepared.digest().equals(digest)) {
            return prepared.prePrepare();
        }
        return held != null && held.digest().equals(digest) ? held : null;
    }

    /**
     * Raises the last numbers that must be kept of sessions: to those of the proposals that are accepted, prepared or
     * committed here, and of those that this replica voted for in an earlier view. Its PREPARE may be in a certificate
     * that no replica has shown so far, and the certificate promises that those who signed it have the batches. What
     * was only seen keeps nothing: a primary of a later view, or of this one beyond a gap, can name what it likes. Its
     * batches are fetched if it is accepted or committed.
     *
     * @param through by session; no session is added
     */
    void keep(Map<Long, Long> through) {
        keep(accepted, through);
        keep(prepared == null ? null : prepared.prePrepare(), through);
        keep(committed == null ? null : prePrepareOf(committed), through);
        votedThrough.forEach((sessionKey, number) -> keep(sessionKey, number, through));
    }

    private static void keep(PrePrepare prePrepare, Map<Long, Long> through) {
        if (prePrepare != null) {
            prePrepare.proposal().ends().forEach(end -> keep(end.sessionKey(), end.number(), through));
        }
    }

    private static void keep(long sessionKey, long number, Map<Long, Long> through) {
        through.computeIfPresent(sessionKey, (key, before) -> Math.max(before, number));
    }
}
