package io.sealbook.node.follow;

/**
 * What a follower takes on trust, and how much it holds.
 *
 * @param isSourceTrusted whether a block that links to the chain is confirmed by its source alone: right if the source
 *     is the operator's own node. False: only by a certificate or by f + 1 members
 * @param bytesHeldMax bytes of blocks that wait for their confirmation, 1 or more
 */
public record FollowTerms(boolean isSourceTrusted, long bytesHeldMax) {
    public FollowTerms {
        if (bytesHeldMax < 1) {
            throw new IllegalArgumentException("a follower that holds at most " + bytesHeldMax + " bytes");
        }
    }
}
