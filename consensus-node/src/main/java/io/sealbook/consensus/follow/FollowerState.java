package io.sealbook.consensus.follow;

import io.sealbook.protocol.v1.Genesis;
import java.util.List;

/**
 * What a follower shows of itself. Published by the follow thread as a whole; any thread reads it.
 *
 * @param lastBlock last stored block
 * @param lastCertified newest stored certificate
 * @param knownHeight highest block that at least one correct member has, as far as is known
 * @param heldBlocks blocks that wait for their confirmation
 * @param source address from which blocks come; empty if there is none, or it has not answered
 * @param terms in effect after the last block
 * @param faults sources that sent what does not verify, each with the fact
 */
public record FollowerState(
        long lastBlock,
        long lastCertified,
        long knownHeight,
        int heldBlocks,
        String source,
        Genesis terms,
        List<String> faults) {
    /** Returns how many blocks are known to exist and are not stored. */
    public long lagBlocks() {
        return knownHeight - lastBlock;
    }
}
