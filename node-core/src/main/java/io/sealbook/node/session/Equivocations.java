package io.sealbook.node.session;

import io.sealbook.node.port.NodeEvents;
import io.sealbook.vocabulary.Digest;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
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
    /** Of each peer, its last batch that was too far ahead in its session to be held. */
    private final Map<Integer, byte[]> farAhead = new TreeMap<>();

    /**
     * @param sessions of the node; those with evidence are suspended
     * @param evidence stays the caller's
     * @param batches returns a batch that the node holds or has delivered, with its signature
     * @param events is notified once for each session
     */
    public Equivocations(
            Sessions sessions, EvidenceStore evidence, Function<Digest, Optional<byte[]>> batches, NodeEvents events) {
        this.sessions = sessions;
        this.evidence = evidence;
        this.batches = batches;
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
     * Takes a batch of a peer that is too far ahead in its session to be held, and compares it with the peer's last one
     * of this kind, too: a member that shows evidence sends both batches, one after the other.
     *
     * @param peer that sent it
     * @param sessionKey of the batch
     * @param number of the batch
     * @param signedBatch its bytes; its signature is verified
     * @return what is kept now; empty if the session was suspended before, or no batch is here that excludes this one
     */
    public Optional<Equivocation> foundFarAhead(int peer, long sessionKey, long number, byte[] signedBatch) {
        byte[] before = farAhead.put(peer, signedBatch);
        Optional<Equivocation> found = found(sessionKey, number, signedBatch);
        if (found.isPresent() || before == null || sessions.isSuspended(sessionKey)) {
            return found;
        }
        Optional<Equivocation> shown = Equivocation.of(before, signedBatch);
        shown.ifPresent(this::keep);
        return shown;
    }

    private void keep(Equivocation found) {
        evidence.add(found);
        sessions.suspend(found.sessionKey());
        events.equivocated(found.sessionKey(), found.number());
    }
}
