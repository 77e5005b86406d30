package io.sealbook.consensus;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.LocatedBlockReader;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.util.Optional;

/**
 * A real consumer of queue/blocks that trades nothing: it reads every block from the first on, checks that none is
 * missing or told twice, chains a digest over their bytes and writes a BlockResult for each block that queue/results
 * does not hold yet.
 */
final class TestEngine implements AutoCloseable {
    private final NodeDirectory directory;
    private final Thread thread;
    private volatile boolean isRunning = true;
    private volatile long lastExecuted;
    private volatile Throwable failure;
    private volatile long wrongFrom = Long.MAX_VALUE;
    private volatile boolean isRebuildOrdered;

    TestEngine(NodeDirectory directory) {
        this.directory = directory;
        this.thread = new Thread(this::run, "test-engine");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on this engine comes to other results than the rest. */
    void beWrong() {
        wrongFrom = 0;
    }

    /** From this block on this engine comes to other results than the rest. */
    void beWrongFrom(long sequence) {
        wrongFrom = sequence;
    }

    /** Executes every block again, rightly, and reports each result once more. */
    void rebuild() {
        wrongFrom = Long.MAX_VALUE;
        isRebuildOrdered = true;
    }

    long lastExecuted() {
        if (failure != null) {
            throw new AssertionError("test engine failed", failure);
        }
        return lastExecuted;
    }

    private void run() {
        try (HandOffReader<HandedBlock> blocks = HandOffReader.ofBlocks(directory.blockQueue());
                LocatedBlockReader archive = new LocatedBlockReader(directory.archive(), block -> false);
                HandOffWriter<BlockResult> results = HandOffWriter.ofResults(directory.resultQueue())) {
            long told = lastPublished(results);
            Sha256 sha256 = new Sha256();
            byte[] digest = new byte[Sha256.LENGTH];
            while (isRunning) {
                if (isRebuildOrdered) {
                    isRebuildOrdered = false;
                    blocks.toStart();
                    lastExecuted = 0;
                    told = 0;
                    digest = new byte[Sha256.LENGTH];
                }
                Optional<BlockLocation> location = blocks.read().map(HandedBlock::location);
                if (location.isEmpty()) {
                    Thread.sleep(2);
                    continue;
                }
                Optional<byte[]> read = archive.read(location.get());
                while (read.isEmpty() && isRunning) {
                    // A test has taken the archive away; the node brings it back.
                    Thread.sleep(2);
                    read = archive.read(location.get());
                }
                if (read.isEmpty()) {
                    return;
                }
                Block block = Block.wrap(read.get());
                long sequence = block.header().sequence();
                if (sequence != lastExecuted + 1) {
                    throw new AssertionError("block " + sequence + " follows block " + lastExecuted);
                }
                digest = sha256.update(digest)
                        .update(block.header().merkleRoot().bytes())
                        .digestBytes();
                if (sequence >= wrongFrom) {
                    digest[0] ^= 1;
                }
                if (sequence > told) {
                    results.append(new BlockResult(sequence, Digest.of(digest), sequence, block.batchCount(), 0));
                }
                lastExecuted = sequence;
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private static long lastPublished(HandOffWriter<BlockResult> results) {
        try (HandOffReader<BlockResult> reader = results.reader()) {
            return reader.last().map(BlockResult::sequence).orElse(0L);
        }
    }

    @Override
    public void close() throws InterruptedException {
        isRunning = false;
        thread.join();
    }
}
