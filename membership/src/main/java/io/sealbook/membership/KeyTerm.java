package io.sealbook.membership;

import io.sealbook.crypto.VerificationKey;

/**
 * A broker's key and the blocks in which it counts. Immutable.
 *
 * @param key checked to be on its curve
 * @param fromBlock first block in which it counts; 0 if it counts from the start
 * @param untilBlock last block in which it counted; 0 if it still does
 */
public record KeyTerm(VerificationKey key, long fromBlock, long untilBlock) {
    /** Returns whether a batch under this key is executed in a block. */
    public boolean isInEffect(long block) {
        return fromBlock <= block && !isRevoked(block);
    }

    /** Returns whether the key was revoked before a block. */
    public boolean isRevoked(long block) {
        return untilBlock != 0 && block > untilBlock;
    }
}
