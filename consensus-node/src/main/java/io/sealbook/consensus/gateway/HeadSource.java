package io.sealbook.consensus.gateway;

import io.sealbook.node.follow.MemberHead;
import java.util.List;

/** The newest signed heads that this process can show: a node's own, or those that a follower has received. */
@FunctionalInterface
public interface HeadSource {
    /**
     * Returns the newest head of each member, as far as one is known. Called by one thread.
     *
     * @param nowNs monotonic clock
     */
    List<MemberHead> heads(long nowNs);
}
