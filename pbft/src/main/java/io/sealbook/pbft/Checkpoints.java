package io.sealbook.pbft;

import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checkpoints (TOCS 2002, section 4.3): every K blocks, and when no block follows, the engine's result is signed; Q
 * equal results make the certificate that moves the watermarks, or shows a replica that it lags or that its engine is
 * wrong.
 */
final class Checkpoints {
    /** Certificates whose blocks the own engine has not executed yet; the oldest is forgotten beyond. */
    private static final int UNCHECKED_MAX = 64;

    private final Core core;
    private final Batches batches;
    private final Timers timers;
    private final Certificates certificates;
    /** What the own engine reached above the low watermark. */
    private final TreeMap<Long, Outcome> own = new TreeMap<>();
    /** Votes above the low watermark, by sequence and sender. */
    private final TreeMap<Long, Checkpoint[]> votes = new TreeMap<>();
    /** The highest vote of each sender above the high watermark. */
    private final Checkpoint[] farVotes;

    private final TreeMap<Long, StableCertificate> unchecked = new TreeMap<>();
    /** Result of the block at which the replica is held, null while it is not held or the result has not come. */
    private Outcome heldOutcome;
    /** Certificate above the last delivered block, null if none. */
    private StableCertificate ahead;

    Checkpoints(Core core, Batches batches, Timers timers, Certificates certificates) {
        this.core = core;
        this.batches = batches;
        this.timers = timers;
        this.certificates = certificates;
        farVotes = new Checkpoint[core.config.replicaCount()];
    }

    void onExecuted(Input.Executed executed) {
        long sequence = executed.sequence();
        if (sequence == core.standing.heldAt()) {
            heldOutcome = executed.outcome();
        }
        // Only an engine that was rebuilt goes back; what the old one reached above is not its own.
        own.tailMap(sequence, false).clear();
        compareUnchecked(sequence, executed.outcome(), executed.certified());
        if ((isCheckpoint(sequence) || isIsolatedAt(sequence)) && sequence > core.lowWatermark()) {
            own.put(sequence, executed.outcome());
            vote(sequence);
        }
    }

    private boolean isIsolatedAt(long sequence) {
        return core.isIsolated() && core.standing.isolation().checkpoint() == sequence;
    }

    /** Signs the last block unless its administrative transactions, or other blocks, are still to come. */
    void onQuiet(Input.Quiet quiet) {
        long sequence = quiet.sequence();
        if (sequence != core.lastDelivered() || core.standing.isHeld() || core.isTransferring()) {
            return;
        }
        compareUnchecked(sequence, quiet.outcome(), Optional.empty());
        if (sequence > core.lowWatermark() && !own.containsKey(sequence)) {
            own.put(sequence, quiet.outcome());
            vote(sequence);
        }
    }

    private void compareUnchecked(long sequence, Outcome reached, Optional<StableCertificate> held) {
        Optional.ofNullable(unchecked.remove(sequence)).or(() -> held).ifPresent(known -> compare(reached, known));
        // Results come in order: those of the blocks below came before their certificates, and do not come again.
        unchecked.headMap(sequence).clear();
    }

    private boolean isCheckpoint(long sequence) {
        return sequence % core.config.checkpointInterval() == 0 || sequence == core.standing.epochEnd();
    }

    /** The last block of the epoch is a checkpoint; its result may have come before that was known. */
    void onEpochEnded() {
        long end = core.standing.epochEnd();
        Outcome outcome = heldOutcome;
        heldOutcome = null;
        if (outcome != null && end == core.standing.heldAt() && !own.containsKey(end)) {
            onExecuted(new Input.Executed(end, outcome.chainHash(), outcome.resultDigest()));
        }
    }

    /** The block whose administrative transactions were executed ends no epoch. */
    void onReleased() {
        heldOutcome = null;
    }

    /** Signs an outcome; of an isolated replica only that at which it was isolated: all may be isolated. */
    private void vote(long sequence) {
        if (core.isIsolated() && !isIsolatedAt(sequence)) {
            return;
        }
        Outcome outcome = own.get(sequence);
        Digest proposalDigest = core.chain.delivered(sequence);
        if (proposalDigest == null) {
            throw core.violation("block " + sequence + " executed, but agreement has not delivered it");
        }
        byte[] signedBytes = Checkpoint.signedBytes(
                core.config.epoch().chainId(), sequence, outcome.chainHash(), outcome.resultDigest(), proposalDigest);
        Checkpoint vote = new Checkpoint(
                sequence,
                outcome.chainHash(),
                outcome.resultDigest(),
                proposalDigest,
                core.self,
                core.sign(signedBytes));
        votesAt(sequence)[core.self] = vote;
        core.broadcast(vote);
        count(sequence);
    }

    private Checkpoint[] votesAt(long sequence) {
        return votes.computeIfAbsent(sequence, key -> new Checkpoint[core.config.replicaCount()]);
    }

    void onCheckpoint(Checkpoint checkpoint) {
        long sequence = checkpoint.sequence();
        if (sequence <= core.lowWatermark()) {
            core.ignore(checkpoint, IgnoreReason.OUT_OF_WINDOW);
            return;
        }
        if (sequence > core.highWatermark()) {
            onFarCheckpoint(checkpoint);
            return;
        }
        Checkpoint[] atSequence = votesAt(sequence);
        Checkpoint first = atSequence[checkpoint.sender()];
        if (first != null && !isCorrected(first, checkpoint)) {
            core.ignore(checkpoint, first.agreesWith(checkpoint) ? IgnoreReason.DUPLICATE : IgnoreReason.CONFLICTING);
            return;
        }
        atSequence[checkpoint.sender()] = checkpoint;
        count(sequence);
    }

    /** Returns whether the sender, whose engine was rebuilt, has come to the own result. */
    private boolean isCorrected(Checkpoint first, Checkpoint second) {
        Outcome reached = own.get(second.sequence());
        return second.outcome().equals(reached) && !first.outcome().equals(reached);
    }

    /** One vote of each sender is kept, whatever it claims. */
    private void onFarCheckpoint(Checkpoint checkpoint) {
        Checkpoint before = farVotes[checkpoint.sender()];
        if (before != null && before.sequence() >= checkpoint.sequence()) {
            core.ignore(checkpoint, IgnoreReason.OUT_OF_WINDOW);
            return;
        }
        farVotes[checkpoint.sender()] = checkpoint;
        List<Checkpoint> equal = agreeing(farVotes, checkpoint);
        if (equal.size() >= core.quorum.size()) {
            onCertificate(certificate(equal));
        }
    }

    private void count(long sequence) {
        Checkpoint[] atSequence = votes.get(sequence);
        Outcome reached = own.get(sequence);
        int largest = 0;
        int voters = 0;
        for (Checkpoint vote : atSequence) {
            if (vote == null) {
                continue;
            }
            voters++;
            List<Checkpoint> equal = agreeing(atSequence, vote);
            largest = Math.max(largest, equal.size());
            if (reached != null && !reached.equals(vote.outcome()) && equal.size() >= core.quorum.oneCorrect()) {
                isolate(sequence, reached, vote.outcome());
            }
            if (equal.size() >= core.quorum.size()) {
                onCertificate(certificate(equal));
                return;
            }
        }
        if (largest + core.config.replicaCount() - voters < core.quorum.size() && !core.isIsolated()) {
            throw core.violation(
                    "no result of sequence " + sequence + " can be certified: " + Arrays.asList(atSequence));
        }
    }

    private static List<Checkpoint> agreeing(Checkpoint[] among, Checkpoint with) {
        List<Checkpoint> equal = new ArrayList<>(among.length);
        for (Checkpoint vote : among) {
            if (vote != null && vote.agreesWith(with)) {
                equal.add(vote);
            }
        }
        return equal;
    }

    private static StableCertificate certificate(List<Checkpoint> equal) {
        List<ReplicaSignature> signatures = new ArrayList<>(equal.size());
        for (Checkpoint vote : equal) {
            signatures.add(new ReplicaSignature(vote.sender(), vote.signature()));
        }
        Checkpoint first = equal.getFirst();
        return new StableCertificate(
                first.sequence(), first.chainHash(), first.resultDigest(), first.proposalDigest(), signatures);
    }

    void onCheckpointProof(CheckpointProof proof) {
        StableCertificate certificate = proof.certificate();
        if (!certificates.isValid(certificate)) {
            core.ignore(proof, IgnoreReason.MALFORMED);
        } else if (certificate.sequence() <= core.lowWatermark()) {
            core.ignore(proof, IgnoreReason.DUPLICATE);
        } else {
            onCertificate(certificate);
        }
    }

    private void onCertificate(StableCertificate certificate) {
        if (certificate.sequence() <= core.lowWatermark()) {
            return;
        }
        if (certificate.sequence() <= core.lastDelivered()) {
            makeStable(certificate);
        } else if (certificate.sequence() > core.highWatermark()) {
            transfer(certificate);
        } else if (ahead == null || ahead.sequence() < certificate.sequence()) {
            // The blocks may still be on their way; a STATUS period without progress decides that they are not.
            ahead = certificate;
        }
    }

    /** Adopts the certificate of a NEW-VIEW: its proposals begin there. */
    void adopt(StableCertificate certificate) {
        if (certificate.sequence() <= core.lowWatermark()) {
            return;
        }
        if (certificate.sequence() <= core.lastDelivered()) {
            makeStable(certificate);
        } else {
            transfer(certificate);
        }
    }

    /** Moves the low watermark up to a certificate that delivery has reached. */
    void onDelivered() {
        if (ahead != null && ahead.sequence() <= core.lastDelivered()) {
            StableCertificate reached = ahead;
            ahead = null;
            onCertificate(reached);
        }
    }

    /** A STATUS period passed without delivery: the blocks below the certificate do not come by themselves. */
    void onStalled() {
        if (ahead != null && !core.isTransferring()) {
            transfer(ahead);
        }
    }

    private void transfer(StableCertificate certificate) {
        if (core.isTransferring()) {
            ahead = ahead == null || ahead.sequence() < certificate.sequence() ? certificate : ahead;
            return;
        }
        core.standing.beginTransfer(certificate);
        makeStable(certificate);
        core.emit(new Output.TransferState(certificate));
    }

    private void makeStable(StableCertificate certificate) {
        check(certificate);
        core.standing.stabilise(certificate);
        NavigableMap<Long, Slot> truncated = core.slots.headMap(certificate.sequence(), true);
        truncated.values().forEach(batches::release);
        truncated.clear();
        votes.headMap(certificate.sequence(), true).clear();
        own.headMap(certificate.sequence(), true).clear();
        if (ahead != null && ahead.sequence() <= certificate.sequence()) {
            ahead = null;
        }
        for (int sender = 0; sender < farVotes.length; sender++) {
            Checkpoint far = farVotes[sender];
            if (far != null && far.sequence() <= core.highWatermark()) {
                farVotes[sender] = null;
                if (core.isInWindow(far.sequence())) {
                    votesAt(far.sequence())[sender] = far;
                }
            }
        }
    }

    /** Compares the own outcome, now or when the engine reaches it. */
    private void check(StableCertificate certificate) {
        Outcome reached = own.get(certificate.sequence());
        if (reached != null) {
            compare(reached, certificate);
            return;
        }
        unchecked.put(certificate.sequence(), certificate);
        if (unchecked.size() > UNCHECKED_MAX) {
            unchecked.pollFirstEntry();
        }
    }

    /** Isolates a replica whose outcome is wrong; ends the isolation of one whose rebuilt engine is right again. */
    private void compare(Outcome reached, StableCertificate certificate) {
        if (!reached.equals(certificate.outcome())) {
            isolate(certificate.sequence(), reached, certificate.outcome());
        } else if (core.isIsolated()
                && certificate.sequence() >= core.standing.isolation().checkpoint()) {
            endIsolation(certificate);
        }
    }

    /** After a restart: the engine's result for the stable checkpoint comes again and may not have been compared. */
    void onRestored() {
        if (core.lowWatermark() > 0) {
            check(core.stable());
        }
    }

    private void isolate(long sequence, Outcome reached, Outcome agreed) {
        if (!core.isIsolated()) {
            core.standing.isolate(sequence, reached, agreed);
        }
    }

    private void endIsolation(StableCertificate certificate) {
        core.standing.endIsolation(certificate);
        votes.values().forEach(atSequence -> atSequence[core.self] = null);
    }

    /** Signs what the own engine has reached; after an isolation. */
    void resume() {
        List.copyOf(own.keySet()).stream().filter(own::containsKey).forEach(this::vote);
    }

    /** The archive has grown, or the engine has been rebuilt. Returns whether the replica goes on. */
    boolean onStateTransferred(Input.StateTransferred transferred) {
        StableCertificate certificate = transferred.certificate();
        checkTransferred(transferred);
        if (core.isTransferring()) {
            core.standing.endTransfer(transferred.sequence());
        }
        if (certificate.sequence() > core.lowWatermark()) {
            makeStable(certificate);
        }
        if (core.isIsolated()
                && certificate.sequence() > core.standing.isolation().checkpoint()) {
            endIsolation(certificate);
            own.clear();
            unchecked.put(certificate.sequence(), certificate);
        }
        if (core.isTransferring()) {
            core.emit(new Output.TransferState(core.stable()));
            return false;
        }
        onDelivered();
        if (ahead != null && ahead.sequence() > core.highWatermark()) {
            transfer(ahead);
        }
        return !core.isTransferring();
    }

    private void checkTransferred(Input.StateTransferred transferred) {
        StableCertificate certificate = transferred.certificate();
        String fact = "state transferred up to block " + transferred.sequence() + " with chain hash "
                + transferred.chainHash() + ", but ";
        if (!certificates.isValid(certificate)) {
            throw core.violation(fact + "its certificate proves nothing: " + certificate);
        }
        if (transferred.sequence() != certificate.sequence()
                || !transferred.chainHash().equals(certificate.chainHash())) {
            throw core.violation(fact + "its certificate proves block " + certificate.sequence() + " with chain hash "
                    + certificate.chainHash());
        }
        if (transferred.sequence() > core.lastDelivered() && !core.isTransferring()) {
            throw core.violation(fact + "no transfer was asked for");
        }
        if (certificate.sequence() == core.lowWatermark()
                && !certificate.outcome().equals(core.stable().outcome())) {
            throw core.violation(fact + "two certificates contradict each other: "
                    + core.stable().outcome() + " and " + certificate.outcome());
        }
    }

    /** Returns the replica's own votes above this sequence. */
    List<Checkpoint> ownVotes(long above) {
        List<Checkpoint> own = new ArrayList<>();
        for (Checkpoint[] atSequence : votes.tailMap(above, false).values()) {
            if (atSequence[core.self] != null) {
                own.add(atSequence[core.self]);
            }
        }
        return own;
    }

    /** Returns whether the own engine has reached a checkpoint of the interval that is not stable. */
    boolean hasOwnOutcome() {
        return own.keySet().stream().anyMatch(this::isCheckpoint);
    }

    int entryCount() {
        return votes.size() + unchecked.size() + own.size();
    }
}
