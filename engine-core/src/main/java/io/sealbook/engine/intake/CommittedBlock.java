package io.sealbook.engine.intake;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.Digest;

/**
 * A block whose place in the chain has been checked.
 *
 * @param block its bytes are not changed by anyone
 * @param hash hash of its header, which the next block names
 * @param queueIndex Chronicle index of its excerpt: a fact of this machine only, kept for a fast restart
 */
public record CommittedBlock(Block block, Digest hash, long queueIndex) {
    public long sequence() {
        return block.header().sequence();
    }
}
