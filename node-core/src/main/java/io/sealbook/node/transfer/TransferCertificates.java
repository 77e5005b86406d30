package io.sealbook.node.transfer;

import io.sealbook.archive.CheckpointCertificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What came as certificates with the answers of a transfer, and those of them that have proven blocks. One thread. */
final class TransferCertificates {
    private final int distanceMax;
    /** By block and peer: a forged one must not keep the right one out. */
    private final TreeMap<Long, TreeMap<Integer, CheckpointCertificate>> shown = new TreeMap<>();

    /** How many without a quorum came, by peer. */
    private final Map<Integer, Integer> forged = new TreeMap<>();

    private final List<CheckpointCertificate> used = new ArrayList<>();
    /** Has proven blocks that come again, because there was no room for them; null if there are none. */
    private CheckpointCertificate early;

    /** @param distanceMax blocks from the last one of an answer to that of its certificate */
    TransferCertificates(int distanceMax) {
        this.distanceMax = distanceMax;
    }

    /**
     * Keeps a certificate that came with an answer. One of a distant block comes again with the blocks before it, and
     * would only lie here: a peer that lies has one for each answer.
     *
     * @param source peer that sent it
     * @param last block of the answer
     */
    void keep(int source, long last, CheckpointCertificate certificate) {
        long distance = certificate.sequence() - last;
        if (distance >= 0 && distance <= distanceMax) {
            shown.computeIfAbsent(certificate.sequence(), sequence -> new TreeMap<>())
                    .put(source, certificate);
        }
    }

    /** Returns the first block of which there are some; {@link Long#MAX_VALUE} if there are none. */
    long first() {
        return shown.isEmpty() ? Long.MAX_VALUE : shown.firstKey();
    }

    /** Takes those of the first block, by the peer that sent them; there must be some. */
    Map<Integer, CheckpointCertificate> poll() {
        return shown.pollFirstEntry().getValue();
    }

    /** Notes that one of a peer is not signed by a quorum; returns how many it has sent in this transfer. */
    int onForged(int peer) {
        return forged.merge(peer, 1, Integer::sum);
    }

    /** Returns how many wait for the blocks before them. */
    int count() {
        return shown.values().stream().mapToInt(TreeMap::size).sum();
    }

    /**
     * Takes the one that has proven blocks.
     *
     * @param proof with a valid quorum; its last block may come again
     * @param end last block that is proven and held
     */
    void use(CheckpointCertificate proof, long end) {
        early = proof;
        useUpTo(end);
    }

    /** A certificate goes to the archive after the last of its blocks. */
    void useUpTo(long end) {
        if (early != null && early.sequence() <= end) {
            used.add(early);
            early = null;
        }
    }

    /** Returns those that have proven blocks since the last call, in order. */
    List<CheckpointCertificate> takeUsed() {
        List<CheckpointCertificate> taken = List.copyOf(used);
        used.clear();
        return taken;
    }

    /** Forgets what has proven blocks after one. */
    void stopAfter(long sequence) {
        used.removeIf(certificate -> certificate.sequence() > sequence);
        early = null;
    }

    /** The transfer has reached its target. */
    void forgetForged() {
        forged.clear();
    }

    /** Forgets those that have proven nothing. */
    void clear() {
        shown.clear();
    }
}
