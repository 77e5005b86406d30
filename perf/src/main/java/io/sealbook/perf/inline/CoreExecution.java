package io.sealbook.perf.inline;

import io.sealbook.archive.Block;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.chain.ChainExecution;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;

/** The matching core, from the empty market on, a block at a time. One thread. */
final class CoreExecution {
    private final ChainExecution chain;
    private final MatchingOutput output;

    /**
     * @param genesis of the market
     * @param output receives reports and trades
     */
    CoreExecution(Genesis genesis, MatchingOutput output) {
        this.chain = ChainExecution.of(genesis);
        this.output = output;
    }

    /** Executes the next block and returns the result digest after it. */
    Digest execute(Block block) {
        chain.beginBlock(block.header().sequence(), block.header().blockTimeNs(), output);
        for (int i = 0; i < block.batchCount(); i++) {
            chain.onBatch(i, block.array(), block.batchOffset(i), block.batchLength(i));
        }
        chain.endBlock();
        return chain.core().resultDigest();
    }
}
