package io.sealbook.node.repair;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which peer is asked for what. One that sent something wrong is not asked for the same again; one that did not answer
 * in time is asked again when all others are such, too. One thread.
 */
final class RepairPeers {
    /** Peers that sent something wrong, by the first block that was asked of them. */
    private final Map<Long, Set<Integer>> refused = new HashMap<>();

    private final Set<Integer> silent = new HashSet<>();
    private int next;

    /**
     * Returns the peer to ask.
     *
     * @param sequence first block that is asked for
     * @param connected peers
     * @return empty if all of them have sent something wrong for it
     */
    Optional<Integer> peerFor(long sequence, Set<Integer> connected) {
        List<Integer> trusted = connected.stream()
                .filter(peer -> !refused.getOrDefault(sequence, Set.of()).contains(peer))
                .sorted()
                .toList();
        if (silent.containsAll(trusted)) {
            trusted.forEach(silent::remove);
        }
        List<Integer> asked =
                trusted.stream().filter(peer -> !silent.contains(peer)).toList();
        return asked.isEmpty() ? Optional.empty() : Optional.of(asked.get(Math.floorMod(next++, asked.size())));
    }

    void refuse(long sequence, int peer) {
        refused.computeIfAbsent(sequence, key -> new HashSet<>()).add(peer);
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
