package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;

/**
 * The state after executing a block.
 *
 * @param chainHash hash of the block's header
 * @param resultDigest the engine's result digest after the block
 */
public record Outcome(Digest chainHash, Digest resultDigest) {
    @Override
    public String toString() {
        return "chain hash " + chainHash + ", result " + resultDigest;
    }
}
