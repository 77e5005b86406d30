package io.sealbook.node.session;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.vocabulary.Digest;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * What a node does about batches that exclude each other: it keeps both as evidence, suspends the session at its own
 * door and notifies the operator. Admission thread.
 */
public final class Equivocations {
    private final Sessions sessions;
    private final EvidenceStore evidence;
    private final Function<Digest, Optional<byte[]>> batches;
    private final NodeEvents events;
    private final ShownBatches shownBatches;

    /**
     * @param sessions of the node; those with evidence are suspended
     * @param evidence stays the caller's
     * @param batches returns a batch that the node holds or has delivered, with its signature
     * @param verifier checks what peers show of old blocks; stays the caller's
     * @param events is notified once for each session
     */
    public Equivocations(
            Sessions sessions,
            EvidenceStore evidence,
            Function<Digest, Optional<byte[]>> batches,
            SignatureVerifier verifier,
            NodeEvents events) {
        this.sessions = sessions;
        this.evidence = evidence;
        this.batches = batches;
        this.shownBatches = new ShownBatches(verifier);
        this.events = events;
    }

    /**
     * Takes a batch that does not fit what is held of its session.
     *
     * <p>The other members must learn of it, too: each of them may wait for a version that no other member holds.
     *
     * @param sessionKey of the batch
     * @param number of the batch
     * @param signedBatch its bytes; its signature is verified
     * @return what is kept now; empty if the session was suspended before, or no batch is here that excludes this one
     */
    public Optional<Equivocation> found(long sessionKey, long number, byte[] signedBatch) {
        if (sessions.isSuspended(sessionKey)) {
            return Optional.empty();
        }
        Optional<Equivocation> found = LongStream.of(number, number - 1, number + 1)
                .mapToObj(other -> sessions.holder(sessionKey, other))
                .filter(Objects::nonNull)
                .flatMap(holder -> batches.apply(holder).stream())
                .flatMap(held -> Equivocation.of(held, signedBatch).stream())
                .findFirst();
        found.ifPresent(this::keep);
        return found;
    }

    /**
     * Takes a batch of a peer that extends no session here and excludes nothing that can be read, and compares it with
     * the peer's last one of this kind: a member that shows evidence sends both batches, one after the other.
     *
     * @param peer that sent it
     * @param shown the batch
     * @param nowNs monotonic clock
     * @return what is kept now; empty if the session was suspended before, or both prove nothing
     */
    public Optional<Equivocation> found(int peer, ShownBatch shown, long nowNs) {
        if (sessions.isSuspended(shown.sessionKey())) {
            return Optional.empty();
        }
        Optional<Equivocation> found = shownBatches.add(peer, shown, nowNs);
        found.ifPresent(this::keep);
        return found;
    }

    private void keep(Equivocation found) {
        evidence.add(found);
        sessions.suspend(found.sessionKey());
        events.equivocated(found.sessionKey(), found.number());
    }
}
