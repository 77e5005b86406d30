package io.sealbook.consensus.gateway;

import io.sealbook.crypto.Signer;
import io.sealbook.node.follow.MemberHead;
import io.sealbook.node.status.NodeState;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Signs this node's last block for followers, if one follows: at most five times per second, and each block once. One
 * thread.
 */
public final class HeadSigner implements HeadSource {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int nodeId;
    private final long chainId;
    private final NodeState state;
    private final Signer identity;
    private List<MemberHead> signed = List.of();
    private long signedNs;

    /**
     * @param nodeId this member
     * @param chainId of the genesis file
     * @param state holds the last block
     * @param identity signs as this member
     */
    public HeadSigner(int nodeId, long chainId, NodeState state, Signer identity) {
        this.nodeId = nodeId;
        this.chainId = chainId;
        this.state = state;
        this.identity = identity;
    }

    @Override
    public List<MemberHead> heads(long nowNs) {
        NodeState.LastBlock last = state.lastBlock();
        long signedSequence = signed.isEmpty() ? 0 : signed.get(0).sequence();
        if (last.sequence() > signedSequence && (signed.isEmpty() || nowNs - signedNs >= INTERVAL_NS)) {
            byte[] signature = identity.sign(MemberHead.signedBytes(chainId, last.sequence(), last.hash()));
            signed = List.of(new MemberHead(nodeId, last.sequence(), last.hash(), signature));
            signedNs = nowNs;
        }
        return signed;
    }
}
