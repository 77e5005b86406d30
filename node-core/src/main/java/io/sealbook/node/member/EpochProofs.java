package io.sealbook.node.member;

import io.sealbook.archive.BlockArchive;
import io.sealbook.pbft.message.CheckpointProof;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a node shows peers of earlier epochs: the certificate that ended theirs. A peer gets it when it connects, and
 * again when it speaks as a node of that epoch, because the first one may be lost. Any thread.
 */
public final class EpochProofs {
    /** Between two proofs for a peer that goes on to speak: it may fetch many blocks before its epoch ends. */
    static final long PAUSE_NS = 500_000_000L;

    private final int nodeId;
    private final ChainMembership membership;
    private final BlockArchive archive;
    private final Map<Integer, Long> dueNs = new ConcurrentHashMap<>();

    /**
     * @param nodeId this node, which sends the proofs
     * @param membership of the chain, restored
     * @param archive the node's own
     */
    public EpochProofs(int nodeId, ChainMembership membership, BlockArchive archive) {
        this.nodeId = nodeId;
        this.membership = membership;
        this.archive = archive;
    }

    /**
     * Returns the proof that an epoch has ended, for a node that still takes part in it.
     *
     * @param epoch number of the epoch
     * @return empty if it has not ended here, or its certificate is lost
     */
    public Optional<CheckpointProof> endOf(int epoch) {
        return membership.endCertificate(epoch, archive).map(certificate -> new CheckpointProof(certificate, nodeId));
    }

    /**
     * Returns whether a peer that speaks as a node of an earlier epoch is due a proof: none was due a moment ago.
     *
     * @param peer its id
     * @param epoch that it is in
     * @param nowNs the time
     */
    public boolean isDue(int peer, int epoch, long nowNs) {
        if (!isEarlier(epoch)) {
            return false;
        }
        Long last = dueNs.get(peer);
        if (last != null && nowNs - last < PAUSE_NS) {
            return false;
        }
        dueNs.put(peer, nowNs);
        return true;
    }

    /** Returns whether an epoch has ended before that of this node's replica. */
    public boolean isEarlier(int epoch) {
        return epoch < membership.epoch().number();
    }
}
