package io.sealbook.consensus;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.LocatedBlockReader;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.handoff.Queues;
import io.sealbook.protocol.sbe.BlockResultEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Optional;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A real consumer of queue/blocks that trades nothing: it reads every block from the first on, checks that none is missing or told
 * twice, chains a digest over their bytes and writes a BlockResult for each block that queue/results does not hold yet.
 */
final class TestEngine implements AutoCloseable {
    private final NodeDirectory directory;
    private final Thread thread;
    private volatile boolean isRunning = true;
    private volatile long lastExecuted;
    private volatile Throwable failure;
    private volatile boolean isWrong;

    TestEngine(NodeDirectory directory) {
        this.directory = directory;
        this.thread = new Thread(this::run, "test-engine");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on this engine comes to other results than the rest. */
    void beWrong() {
        isWrong = true;
    }

    long lastExecuted() {
        if (failure != null) {
            throw new AssertionError("test engine failed", failure);
        }
        return lastExecuted;
    }

    private void run() {
        try (ChronicleQueue blocks = Queues.openForReading(directory.blockQueue());
                LocatedBlockReader archive = new LocatedBlockReader(directory.archive(), block -> false);
                ChronicleQueue results = Queues.openForWriting(directory.resultQueue());
                ExcerptTailer tailer = blocks.createTailer();
                ExcerptAppender appender = results.createAppender()) {
            long told = count(results);
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            byte[] digest = new byte[32];
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            while (isRunning) {
                bytes.clear();
                if (!tailer.readBytes(bytes)) {
                    Thread.sleep(2);
                    continue;
                }
                BlockLocation location = BlockLocation.decode(bytes.toByteArray());
                Optional<byte[]> read = archive.read(location);
                while (read.isEmpty() && isRunning) {
                    // A test has taken the archive away; the node brings it back.
                    Thread.sleep(2);
                    read = archive.read(location);
                }
                if (read.isEmpty()) {
                    return;
                }
                Block block = Block.wrap(read.get());
                long sequence = block.header().sequence();
                if (sequence != lastExecuted + 1) {
                    throw new AssertionError("block " + sequence + " follows block " + lastExecuted);
                }
                sha256.update(digest);
                digest = sha256.digest(block.header().merkleRoot());
                if (isWrong) {
                    digest[0] ^= 1;
                }
                if (sequence > told) {
                    write(appender, sequence, digest, block.batchCount());
                }
                lastExecuted = sequence;
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private static long count(ChronicleQueue results) {
        Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
        long count = 0;
        try (ExcerptTailer tailer = results.createTailer()) {
            while (tailer.readBytes(bytes)) {
                bytes.clear();
                count++;
            }
        }
        return count;
    }

    private static void write(ExcerptAppender appender, long sequence, byte[] digest, int orderCount) {
        byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + BlockResultEncoder.BLOCK_LENGTH];
        ByteBuffer words = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);
        new BlockResultEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
                .blockSequence(sequence)
                .resultDigest0(words.getLong())
                .resultDigest1(words.getLong())
                .resultDigest2(words.getLong())
                .resultDigest3(words.getLong())
                .executedTimeNs(sequence)
                .orderCount(orderCount)
                .tradeCount(0);
        appender.writeBytes(out -> out.write(bytes));
    }

    @Override
    public void close() throws InterruptedException {
        isRunning = false;
        thread.join();
    }
}
