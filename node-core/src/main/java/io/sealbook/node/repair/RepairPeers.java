package io.sealbook.node.repair;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which peer is asked for what. One that sent something wrong is not asked for the same again while there is another
 * one. If all sent something wrong, all are asked again after a while: the disk of an honest one may have erred once.
 * One that did not answer in time is asked again when all others are such, too. One thread.
 */
final class RepairPeers {
    /** Peers that sent something wrong for one block. */
    private static final class Refusals {
        private final Set<Integer> peers = new HashSet<>();
        private long lastNs;
    }

    private final long retryNs;
    /** By the first block that was asked for. */
    private final Map<Long, Refusals> refused = new HashMap<>();

    private final Set<Integer> silent = new HashSet<>();
    private int next;

    /** @param retryNs after the last refusal, until peers that are all refused are asked again */
    RepairPeers(long retryNs) {
        this.retryNs = retryNs;
    }

    /**
     * Returns the peer to ask.
     *
     * @param sequence first block that is asked for
     * @param connected peers
     * @param nowNs monotonic clock
     * @return empty if all of them have sent something wrong for it, the last one not long ago
     */
    Optional<Integer> peerFor(long sequence, Set<Integer> connected, long nowNs) {
        List<Integer> trusted = trusted(sequence, connected);
        if (trusted.isEmpty() && !connected.isEmpty() && nowNs - refused.get(sequence).lastNs >= retryNs) {
            forget(sequence);
            trusted = trusted(sequence, connected);
        }
        if (silent.containsAll(trusted)) {
            trusted.forEach(silent::remove);
        }
        List<Integer> asked =
                trusted.stream().filter(peer -> !silent.contains(peer)).toList();
        return asked.isEmpty() ? Optional.empty() : Optional.of(asked.get(Math.floorMod(next++, asked.size())));
    }

    private List<Integer> trusted(long sequence, Set<Integer> connected) {
        Refusals refusals = refused.get(sequence);
        return connected.stream()
                .filter(peer -> refusals == null || !refusals.peers.contains(peer))
                .sorted()
                .toList();
    }

    /**
     * A peer sent something wrong.
     *
     * @param sequence first block that it was asked for
     * @param peer that sent it
     * @param nowNs monotonic clock
     */
    void refuse(long sequence, int peer, long nowNs) {
        Refusals refusals = refused.computeIfAbsent(sequence, key -> new Refusals());
        refusals.peers.add(peer);
        refusals.lastNs = nowNs;
    }

    void onSilence(int peer) {
        silent.add(peer);
    }

    void onAnswer(int peer) {
        silent.remove(peer);
    }

    void forget(long sequence) {
        refused.remove(sequence);
    }
}
