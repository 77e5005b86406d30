package io.sealbook.node.transfer;

import io.sealbook.node.port.NodeEvents;
import io.sealbook.vocabulary.Digest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which peer a transfer asks for which blocks, and which peers it avoids.
 *
 * <p>Peers are asked in turn. When their blocks make no chain, it is mostly not known which of them lies: a header that
 * a peer altered does not fit that of an honest one. Then one peer alone is asked for the blocks up to the next
 * checkpoint, another one after each further failure, and for twice as many once all have failed: certificates may be
 * missing. So an honest one comes to prove its blocks, and who sent others for the same numbers is found.
 *
 * <p>A peer that sent something wrong is a suspect, and avoided. It may be an honest one whose disk erred once, and the
 * only one that serves. So suspects are asked again if the others prove nothing: if all of these were silent twice in a
 * row, or if each of them could have been asked alone and no block is proven.
 *
 * <p>One thread.
 */
final class TransferPeers {
    private static final int DOUBLINGS_MAX = 20;

    private final int checkpointInterval;
    private final NodeEvents events;
    /** Peers that sent something wrong; asked only if there is no other that serves. */
    private final Set<Integer> suspects = new HashSet<>();
    /** Peers that have not answered their last request in time; asked again if all are such, or a chain is given up. */
    private final Set<Integer> silent = new HashSet<>();
    /** What peers sent in chains that were given up: hashes by block and sender. */
    private final TreeMap<Long, TreeMap<Integer, Digest>> disputed = new TreeMap<>();
    /** The peers to ask, ascending. */
    private List<Integer> asked = List.of();

    /** Whether all peers to ask were silent before, and none has answered since. */
    private boolean wereAllSilent;

    private int turn;
    /** Chains given up since a block was proven. */
    private int failures;
    /** Of these, those since there was another suspect, or suspects were asked again. */
    private int failuresOfTrusted;
    /** The peer that is asked alone after a failure, or the next one that is to be asked. */
    private int sole;

    TransferPeers(int checkpointInterval, NodeEvents events) {
        this.checkpointInterval = checkpointInterval;
        this.events = events;
    }

    /**
     * Chooses the peers for the next requests: those that sent nothing wrong, or all if there are none of them. Of
     * these, those that answer in time, or all.
     */
    void choose(Set<Integer> connected) {
        List<Integer> candidates = candidates(connected);
        if (!candidates.isEmpty() && silent.containsAll(candidates)) {
            if (wereAllSilent) {
                trustAll();
                candidates = candidates(connected);
            }
            wereAllSilent = !wereAllSilent;
            silent.clear();
        }
        asked = candidates.stream()
                .filter(peer -> !silent.contains(peer))
                .sorted()
                .toList();
    }

    private List<Integer> candidates(Set<Integer> connected) {
        List<Integer> trusted =
                connected.stream().filter(peer -> !suspects.contains(peer)).toList();
        return trusted.isEmpty() ? List.copyOf(connected) : trusted;
    }

    private void trustAll() {
        suspects.clear();
        failuresOfTrusted = 0;
    }

    boolean isEmpty() {
        return asked.isEmpty();
    }

    /**
     * Returns the peer to ask; there must be one.
     *
     * @param distance of the first block from the last one that is proven, 1 or more
     */
    int next(long distance) {
        if (distance > soleCount()) {
            return asked.get(Math.floorMod(turn++, asked.size()));
        }
        sole = asked.stream().filter(peer -> peer >= sole).findFirst().orElse(asked.getFirst());
        return sole;
    }

    /** Returns how many blocks one peer alone is asked for. */
    private long soleCount() {
        return failures == 0 ? 0 : (long) checkpointInterval << Math.min(DOUBLINGS_MAX, (failures - 1) / asked.size());
    }

    void onSilence(int peer) {
        silent.add(peer);
    }

    void onAnswer(int peer) {
        silent.remove(peer);
        wereAllSilent = false;
    }

    /**
     * A peer sent something wrong.
     *
     * @param from block, or first block of the answer
     */
    void refuse(int peer, long from, String fault) {
        if (suspects.add(peer)) {
            // What failed before was perhaps its doing.
            failuresOfTrusted = 0;
        }
        events.transferRefused(peer, from, fault);
    }

    /** Notes what a peer sent for a block in a chain that is given up. */
    void dispute(int peer, long sequence, Digest hash) {
        disputed.computeIfAbsent(sequence, key -> new TreeMap<>()).put(peer, hash);
    }

    /**
     * A chain is given up. Those that were late are asked again: the one that was not may be the one that lies.
     *
     * @param first peer that sent the beginning of the chain: the next one is to be asked alone
     */
    void onBroken(int first) {
        failures++;
        sole = first + 1;
        silent.clear();
        failuresOfTrusted++;
        if (failuresOfTrusted > asked.size()) {
            trustAll();
        }
    }

    /** A block is proven: peers that sent another one are found. */
    void onProven(long sequence, Digest hash) {
        failures = 0;
        failuresOfTrusted = 0;
        Map<Integer, Digest> sent = disputed.remove(sequence);
        if (sent == null) {
            return;
        }
        sent.forEach((peer, other) -> {
            if (!other.equals(hash) && !suspects.contains(peer)) {
                refuse(peer, sequence, "block " + sequence + " is not the one that is certified");
            }
        });
    }

    /** The transfer has reached its target. */
    void clear() {
        suspects.clear();
        silent.clear();
        disputed.clear();
        wereAllSilent = false;
        failures = 0;
        failuresOfTrusted = 0;
    }
}
