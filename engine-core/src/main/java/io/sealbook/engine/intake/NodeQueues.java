package io.sealbook.engine.intake;

import io.sealbook.engine.setup.EngineDirectory;

/**
 * Both queues between a node and its engine, as the engine opens them. One thread opens, uses and closes them.
 *
 * @param blocks committed blocks, in
 * @param results one result per executed block, out
 */
public record NodeQueues(CommittedBlockReader blocks, ResultQueue results) implements AutoCloseable {
    /**
     * Opens both, not yet positioned.
     *
     * @param directory locked by this process
     */
    public static NodeQueues open(EngineDirectory directory) {
        CommittedBlockReader blocks = new CommittedBlockReader(directory.blocks(), directory.archive());
        try {
            return new NodeQueues(blocks, new ResultQueue(directory.results()));
        } catch (RuntimeException e) {
            blocks.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try (blocks) {
            results.close();
        }
    }
}
