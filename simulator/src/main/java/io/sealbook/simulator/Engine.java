package io.sealbook.simulator;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.LocatedBlockReader;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.chain.ChainExecution;
import io.sealbook.node.port.BlockSink;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * The engine behind a node: the queue of the blocks' places, which survives every crash, and a matching core that reads
 * the blocks there and executes them. It starts and ends with its node, with empty books.
 */
final class Engine implements BlockSink {
    private static final MatchingOutput NOWHERE = new MatchingOutput() {
        @Override
        public void onReport(ReportRecord report) {
            // Only the digest over all reports is compared.
        }

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {
            // Likewise.
        }
    };

    private final Genesis genesis;
    private final Runnable beforeAppend;
    private final List<BlockLocation> queue = new ArrayList<>();
    private ChainExecution chain;
    private LocatedBlockReader reader;
    /** The last block whose result is right. */
    private long rightThrough = Long.MAX_VALUE;

    /** @param beforeAppend runs before each block is handed over; the machine fails at that place if it throws */
    Engine(Genesis genesis, Runnable beforeAppend) {
        this.genesis = genesis;
        this.beforeAppend = beforeAppend;
    }

    /**
     * Begins with empty books.
     *
     * @param archive of the node
     * @param hasRot whether its disk may change blocks: no copy that differs from what was handed over is executed then
     */
    void start(Path archive, boolean hasRot) {
        chain = ChainExecution.of(genesis);
        reader = new LocatedBlockReader(archive, block -> !hasRot);
    }

    /** The results of all further blocks are wrong, also after a restart. */
    void err() {
        rightThrough = executed();
    }

    /** Begins with empty books, and is right. */
    void rebuild() {
        rightThrough = Long.MAX_VALUE;
        chain = ChainExecution.of(genesis);
    }

    boolean hasErred() {
        return rightThrough < Long.MAX_VALUE;
    }

    /** Returns whether the result of a block is wrong. */
    boolean isWrong(long sequence) {
        return sequence > rightThrough;
    }

    @Override
    public void append(BlockLocation block) {
        if (block.sequence() <= lastSequence()) {
            return;
        }
        if (block.sequence() != lastSequence() + 1) {
            throw new IllegalStateException("queue ends at " + lastSequence() + ", got block " + block.sequence());
        }
        beforeAppend.run();
        queue.add(block);
    }

    @Override
    public Optional<BlockLocation> last() {
        return queue.isEmpty() ? Optional.empty() : Optional.of(queue.getLast());
    }

    @Override
    public long lastSequence() {
        return queue.size();
    }

    long executed() {
        return chain == null ? 0 : chain.core().lastSequence();
    }

    boolean isBehind() {
        return executed() < queue.size();
    }

    /**
     * A block and the engine's digest over all results up to it.
     *
     * @param block as it was read from the archive's files
     * @param result of 32 bytes
     */
    record Execution(Block block, Digest result) {}

    /** Executes the next block of the queue. */
    Execution execute() {
        BlockLocation location = queue.get((int) executed());
        Block block = Block.wrap(
                reader.read(location).orElseThrow(() -> new SimulationFailure("engine finds no block at " + location)));
        chain.beginBlock(location.sequence(), block.header().blockTimeNs(), NOWHERE);
        for (int i = 0; i < block.batchCount(); i++) {
            chain.onBatch(i, block.array(), block.batchOffset(i), block.batchLength(i));
        }
        chain.endBlock();
        Digest result = chain.core().resultDigest();
        return new Execution(block, isWrong(location.sequence()) ? Digest.sha256(result.bytes()) : result);
    }
}
