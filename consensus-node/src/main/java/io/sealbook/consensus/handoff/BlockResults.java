package io.sealbook.consensus.handoff;

import io.sealbook.handoff.BlockResult;

/** Receives the engine's result of each block. */
@FunctionalInterface
public interface BlockResults {
    /** Called once for each block in order, by the result reader's thread. */
    void onResult(BlockResult result);
}
