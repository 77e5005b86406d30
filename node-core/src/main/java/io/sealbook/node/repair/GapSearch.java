package io.sealbook.node.repair;

import io.sealbook.archive.CertificateGap;
import io.sealbook.archive.CheckpointCertificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The certificates of one gap, as peers show them. Each peer is asked for the first certificate from a block on, and
 * again from the block after it, until it has none in the gap any more. Two honest nodes need not have the same
 * certificates, and a liar may leave some out: one peer alone does not say what was in the gap. Of f + 1 peers that
 * have shown all one is honest, and nothing that it has is missing. One thread.
 */
final class GapSearch {
    private static final int NO_PEER = -1;

    private final CertificateGap gap;
    private final int witnessCount;
    private final TreeMap<Long, CheckpointCertificate> found = new TreeMap<>();
    /** Last certificate of the gap that each peer has shown. */
    private final Map<Integer, Long> shown = new HashMap<>();
    /** Peers that have nothing more, or nothing to say when others had nothing. */
    private final Set<Integer> exhausted = new HashSet<>();
    /** Peers that did not answer in time. */
    private final Set<Integer> late = new HashSet<>();
    /** Is asked until it has shown all. */
    private int present = NO_PEER;

    /**
     * @param gap to fill
     * @param witnessCount of peers that must have shown all: f + 1
     */
    GapSearch(CertificateGap gap, int witnessCount) {
        this.gap = gap;
        this.witnessCount = witnessCount;
    }

    CertificateGap gap() {
        return gap;
    }

    /** Returns the certificates that were found, ascending. */
    List<CheckpointCertificate> found() {
        return List.copyOf(found.values());
    }

    /** Returns whether f + 1 peers have shown all, and there is something. */
    boolean isFilled() {
        return !found.isEmpty() && isWitnessed();
    }

    /** Returns whether f + 1 peers have shown all that they have. */
    boolean isWitnessed() {
        return exhausted.size() >= witnessCount;
    }

    /** Returns those of the connected peers that may be asked: one until it has shown all, then another one. */
    Set<Integer> candidates(Set<Integer> connected) {
        Set<Integer> candidates = new HashSet<>(connected);
        candidates.removeAll(exhausted);
        return candidates.contains(present) ? Set.of(present) : candidates;
    }

    /** Returns the first block that a peer is asked for. */
    long from(int peer) {
        return shown.getOrDefault(peer, gap.after()) + 1;
    }

    /** A peer is asked. */
    void onAsked(int peer) {
        present = peer;
    }

    /** Returns whether the certificate of a block was found; the peer that shows it again is asked for the next one. */
    boolean isKnown(int peer, long sequence) {
        if (!found.containsKey(sequence)) {
            return false;
        }
        shown.put(peer, sequence);
        return true;
    }

    /** A peer has shown a certificate that a quorum signed. */
    void add(int peer, CheckpointCertificate certificate) {
        found.put(certificate.sequence(), certificate);
        shown.put(peer, certificate.sequence());
    }

    /** A peer has nothing more in the gap. */
    void onNothing(int peer) {
        exhausted.add(peer);
        present = NO_PEER;
    }

    /** A peer has shown something wrong: another one is asked. */
    void onRefused() {
        present = NO_PEER;
    }

    /**
     * A peer has not answered in time. One silent member must not keep a gap open, and those behind it: f + 1 answers
     * count without its own.
     */
    void onSilence(int peer) {
        boolean isRepeated = !late.add(peer);
        if (isRepeated && isWitnessed()) {
            exhausted.add(peer);
        }
        present = NO_PEER;
    }
}
