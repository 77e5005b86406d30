package io.sealbook.perf.inline;

import io.sealbook.archive.Block;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import org.agrona.concurrent.UnsafeBuffer;

/** The matching core, from the empty market on, a block at a time. One thread. */
final class CoreExecution {
    private final MatchingCore core;
    private final MatchingOutput output;
    private final UnsafeBuffer batch = new UnsafeBuffer(0, 0);

    /**
     * @param genesis of the market
     * @param output receives reports and trades
     */
    CoreExecution(Genesis genesis, MatchingOutput output) {
        this.core = new MatchingCore(MarketConfig.of(genesis));
        this.output = output;
    }

    /** Executes the next block and returns the result digest after it. */
    Digest execute(Block block) {
        core.beginBlock(block.header().sequence(), block.header().blockTimeNs(), output);
        for (int i = 0; i < block.batchCount(); i++) {
            batch.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            core.onBatch(i, batch, 0, block.batchLength(i));
        }
        core.endBlock();
        return core.resultDigest();
    }
}
