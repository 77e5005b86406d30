package io.sealbook.engine.output;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;

/**
 * Takes every output once in a run of the engine, in order, on one thread. It must never wait for a client: the engine
 * waits for it. What it throws ends the engine.
 *
 * <p>After a restart it takes the blocks after the engine's newest snapshot again. A snapshot counts only after
 * {@link #onBlockEnd} of its block has returned, so a consumer that keeps what it has taken by then misses no output.
 * The outputs of these blocks are those that it has taken before, unless {@link #onBegin} reports otherwise.
 */
public interface OutputConsumer extends OutputMessages.Visitor {
    /** Returns whether it requires each report as a message; without one that does, engines make none. */
    default boolean readsReports() {
        return false;
    }

    /**
     * Called once in a run of the engine, before any output, on the thread that executes blocks; the first output comes
     * after it has returned.
     *
     * @param afterBlock sequence of the block after which outputs begin; 0 if they begin with block 1
     * @param areReplaced whether the engine was wrong, and is rebuilt: of later blocks, other outputs may come than
     *     those that the consumer has taken before. A consumer that keeps outputs has removed those of later blocks
     *     durably when it returns, because the next start reports it no more
     */
    default void onBegin(long afterBlock, boolean areReplaced) {}

    /** Called for reports at least if {@link #readsReports} is true. */
    @Override
    default void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {}

    @Override
    default void onTrade(int index, TradeDecoder trade) {}

    /** Called after the last output of a block. */
    default void onBlockEnd(BlockEnd end) {}
}
